import Substrate

/// The keys that a secret which left the vault gives away (`signer-product` section 3.6).
package enum SecretExposure {
    /// Whether the secret of `exposed`, if it is out, gives the key at `path` of `seed`.
    package static func reaches(from exposed: AddressDetails, path: String, hasPassword: Bool, seed: String) -> Bool {
        guard exposed.secretExposed, exposed.seedName == seed else { return false }
        // Bytes, as keys are derived from them: a character may join a slash with the mark behind it.
        let (path, above) = (Array(path.utf8), Array(exposed.path.utf8))
        let below = path == above || path.starts(with: above + "/".utf8)
        return below && (hasPassword || !exposed.hasPassword)
    }

    /// Refuses keys of which one should be marked as exposed and is not: the vault never writes such.
    ///
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``.
    static func check(_ keys: [StoredKey]) throws(SignerError) {
        let exposed = keys.map(\.details).filter(\.secretExposed)
        guard !exposed.isEmpty else { return }
        for details in keys.map(\.details) where !details.secretExposed {
            let isReached = exposed.contains { other in
                reaches(from: other, path: details.path, hasPassword: details.hasPassword, seed: details.seedName)
            }
            guard !isReached else { throw .secretExposedMismatch(seed: details.seedName, path: details.path) }
        }
    }

    /// The keys whose secret follows from one that is out and their own public key: those from which an exposed key is
    /// reached by soft junctions alone. They are not marked, as public keys are not given away with secrets.
    ///
    /// Source: `signer-product` section 3.6, notice SoftParentAtRisk.
    package static func softParents(among keys: [StoredKey]) -> Set<MultiSigner> {
        let exposed = keys.map(\.details).filter { $0.secretExposed && $0.scheme == .sr25519 }
        return Set(keys.filter { key in exposed.contains { isSoftly($0, below: key.details) } }.map(\.signer))
    }

    private static func isSoftly(_ exposed: AddressDetails, below parent: AddressDetails) -> Bool {
        guard !parent.secretExposed, parent.scheme == .sr25519, parent.seedName == exposed.seedName,
            parent.hasPassword == exposed.hasPassword
        else { return false }
        let (path, above) = (Array(exposed.path.utf8), Array(parent.path.utf8))
        guard path.count > above.count, path.starts(with: above), path[above.count] == slash else { return false }
        // No hard junction in between: those begin with two slashes.
        return !zip(path[above.count...], path[(above.count + 1)...]).contains { $0 == slash && $1 == slash }
    }

    private static let slash = UInt8(ascii: "/")
}
