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
    /// - Returns: those that are marked.
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``.
    @discardableResult
    static func check(_ keys: [StoredKey]) throws(SignerError) -> ExposedKeys {
        let exposed = ExposedKeys(keys)
        for details in keys.map(\.details) where !details.secretExposed && exposed.reach(details) {
            throw .secretExposedMismatch(seed: details.seedName, path: details.path)
        }
        return exposed
    }

    /// The keys whose secret follows from one that is out and their own public key: those from which an exposed key is
    /// reached by soft junctions alone. They are not marked, as public keys are not given away with secrets.
    ///
    /// Source: `signer-product` section 3.6, notice SoftParentAtRisk.
    package static func softParents(among keys: [StoredKey]) -> Set<MultiSigner> {
        var parents: Set<KeyPlace> = []
        for details in keys.map(\.details) where details.secretExposed && details.scheme == .sr25519 {
            parents.formUnion(KeyPlace(details).softlyAbove)
        }
        guard !parents.isEmpty else { return [] }
        let atRisk = keys.filter { key in
            !key.details.secretExposed && key.details.scheme == .sr25519 && parents.contains(KeyPlace(key.details))
        }
        return Set(atRisk.map(\.signer))
    }
}

/// The keys of a vault whose secret is out, by their places: what they give away is found without a walk over them.
struct ExposedKeys: Sendable {
    private var places: Set<KeyPlace> = []

    init(_ keys: [StoredKey]) {
        for key in keys { insert(key.details) }
    }

    /// Takes a key in if it is exposed.
    mutating func insert(_ details: AddressDetails) {
        if details.secretExposed { places.insert(KeyPlace(details)) }
    }

    /// Whether one of their secrets gives the key, as ``SecretExposure/reaches(from:path:hasPassword:seed:)`` says.
    func reach(_ details: AddressDetails) -> Bool {
        guard !places.isEmpty else { return false }
        let place = KeyPlace(details)
        return place.above.contains { above in
            places.contains(above.withPassword(false)) || details.hasPassword && places.contains(above)
        }
    }
}

/// Where a key is: seed, path, and whether a password is part of it.
private struct KeyPlace: Hashable {
    let seed: String
    /// Bytes, as keys are derived from them: a character may join a slash with the mark behind it.
    let path: ArraySlice<UInt8>
    let hasPassword: Bool

    init(_ details: AddressDetails) {
        self.init(seed: details.seedName, path: Array(details.path.utf8)[...], hasPassword: details.hasPassword)
    }

    private init(seed: String, path: ArraySlice<UInt8>, hasPassword: Bool) {
        (self.seed, self.path, self.hasPassword) = (seed, path, hasPassword)
    }

    func withPassword(_ hasPassword: Bool) -> KeyPlace { KeyPlace(seed: seed, path: path, hasPassword: hasPassword) }

    private func place(at end: Int) -> KeyPlace { KeyPlace(seed: seed, path: path[..<end], hasPassword: hasPassword) }

    /// This place, and those of which it is a path below.
    var above: some Sequence<KeyPlace> {
        (path.indices.filter { path[$0] == Self.slash } + [path.endIndex]).lazy.map { place(at: $0) }
    }

    /// Those of which it is a path of soft junctions below: no hard junction, which begins with two slashes, between.
    var softlyAbove: [KeyPlace] {
        var found: [KeyPlace] = []
        for index in path.indices.reversed() where path[index] == Self.slash {
            guard index + 1 == path.endIndex || path[index + 1] != Self.slash else { break }
            found.append(place(at: index))
        }
        return found
    }

    private static let slash = UInt8(ascii: "/")
}
