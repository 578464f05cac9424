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

    /// The keys whose secret follows from one that is out and from public keys: those from which an exposed key is
    /// reached by soft junctions alone, and all below them. They are not marked, as public keys are not given away with
    /// secrets.
    ///
    /// Source: `signer-product` section 3.6, notice SoftParentAtRisk.
    package static func atRisk(among keys: [StoredKey]) -> Set<MultiSigner> {
        let exposed = ExposedKeys(keys)
        return Set(keys.filter { !$0.details.secretExposed && exposed.endanger($0.details) }.map(\.signer))
    }

    /// How many other keys, neither out nor at risk yet, are so as soon as the secret of `key` is out.
    package static func countGivenAway(with key: StoredKey, among keys: [StoredKey]) -> Int {
        let before = ExposedKeys(keys)
        var (after, details) = (before, key.details)
        details.secretExposed = true
        after.insert(details)
        return keys.count { other in
            other.signer != key.signer && !other.details.secretExposed && !before.endanger(other.details)
                && (after.reach(other.details) || after.endanger(other.details))
        }
    }

    /// Whether the secret of a key, with the public key of the one above it, gives that one's secret.
    package static func givesParent(_ key: AddressDetails) -> Bool {
        key.scheme == .sr25519 && !KeyPlace(key).softlyAbove.isEmpty
    }
}

extension Vault {
    /// The rows of all keys, of removed ones too whose secret is out; what is at risk is judged by these.
    ///
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``, and for damage.
    package func keyRows() throws -> [StoredKey] {
        let keys = try database.read { try $0.keys() }
        try SecretExposure.check(keys)
        return keys
    }
}

/// The keys of a vault whose secret is out, by their places: what they give away is found without a walk over them.
struct ExposedKeys: Sendable {
    private var places: Set<KeyPlace> = []
    /// Places, of stored keys or not, from which one of these is reached by soft junctions alone.
    private var softParents: Set<KeyPlace> = []

    init(_ keys: [StoredKey]) {
        for key in keys { insert(key.details) }
    }

    /// Takes a key in if it is exposed.
    mutating func insert(_ details: AddressDetails) {
        guard details.secretExposed else { return }
        let place = KeyPlace(details)
        places.insert(place)
        if details.scheme == .sr25519 { softParents.formUnion(place.softlyAbove) }
    }

    /// Whether one of their secrets gives the key, as ``SecretExposure/reaches(from:path:hasPassword:seed:)`` says.
    func reach(_ details: AddressDetails) -> Bool { Self.isReached(details, from: places) }

    /// Whether one of their secrets and public keys give the key: a soft child's scalar less what its parent's public
    /// key adds is the parent's, and hard junctions below the parent take no more than that scalar.
    func endanger(_ details: AddressDetails) -> Bool {
        details.scheme == .sr25519 && Self.isReached(details, from: softParents)
    }

    private static func isReached(_ details: AddressDetails, from places: Set<KeyPlace>) -> Bool {
        guard !places.isEmpty else { return false }
        return KeyPlace(details).above.contains { above in
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
            let neighbours = [index - 1, index + 1].filter(path.indices.contains)
            guard !neighbours.contains(where: { path[$0] == Self.slash }) else { break }
            found.append(place(at: index))
        }
        return found
    }

    private static let slash = UInt8(ascii: "/")
}
