import Substrate

/// The keys that a secret which left the vault gives away (`signer-product` section 3.6).
package enum SecretExposure {
    /// Whether the secret of `exposed`, if it is out, gives the key at `path` of `seed`.
    package static func reaches(from exposed: AddressDetails, path: String, hasPassword: Bool, seed: String) -> Bool {
        guard exposed.secretExposed, exposed.seedName == seed, hasPassword || !exposed.hasPassword else { return false }
        return KeyPlace.steps(of: path).starts(with: KeyPlace.steps(of: exposed.path))
    }

    /// Refuses keys of which one should be marked as exposed and is not: the vault never writes such.
    ///
    /// - Returns: those that are marked.
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``.
    @discardableResult
    static func check(_ keys: [StoredKey]) throws(SignerError) -> ExposedKeys {
        let exposed = ExposedKeys(keys)
        if let unmarked = keys.first(where: exposed.misses)?.details {
            throw .secretExposedMismatch(seed: unmarked.seedName, path: unmarked.path)
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
        after.insert(StoredKey(signer: key.signer, details: details))
        return keys.count { other in
            other.signer != key.signer && !other.details.secretExposed && !before.endanger(other.details)
                && (after.reach(other) || after.endanger(other.details))
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

    /// Whether keys have no mark that an exposed one gives. What cannot be read is told of where it is to be shown.
    var lacksMarks: Bool {
        guard let keys = try? database.read({ try $0.keys() }) else { return false }
        return keys.contains(where: ExposedKeys(keys).misses)
    }

    /// Marks the keys that an exposed one gives and that have no mark. Versions that compared the texts of paths left
    /// them so where two texts are one path.
    func markGivenAway() throws {
        guard lacksMarks else { return }
        try database.write { trees in
            let keys = try trees.keys()
            var events: [Event] = []
            for var key in keys.filter(ExposedKeys(keys).misses) {
                key.details.secretExposed = true
                try trees.put(key)
                events.append(.systemEntry("marked as exposed: \(key.details.seedName)\(key.details.path)"))
            }
            try HistoryLog.append(events, at: now(), to: trees)
        }
    }
}

/// The keys of a vault whose secret is out, by their places: what they give away is found without a walk over them.
struct ExposedKeys: Sendable {
    private var signers: Set<MultiSigner> = []
    private var places: Set<KeyPlace> = []
    /// Places, of stored keys or not, from which one of these is reached by soft junctions alone.
    private var softParents: Set<KeyPlace> = []

    init(_ keys: [StoredKey]) {
        for key in keys { insert(key) }
    }

    /// Takes a key in if it is exposed.
    mutating func insert(_ key: StoredKey) {
        guard key.details.secretExposed else { return }
        let place = KeyPlace(key.details)
        signers.insert(key.signer)
        places.insert(place)
        if key.details.scheme == .sr25519 { softParents.formUnion(place.softlyAbove) }
    }

    /// Whether a key is one of them, or one of their secrets gives it, as
    /// ``SecretExposure/reaches(from:path:hasPassword:seed:)`` says.
    func reach(_ key: StoredKey) -> Bool { signers.contains(key.signer) || Self.isReached(key.details, from: places) }

    /// Whether a key has no mark and should have it.
    func misses(_ key: StoredKey) -> Bool { !key.details.secretExposed && reach(key) }

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
    /// See ``steps(of:)``.
    let steps: ArraySlice<UInt8>
    let hasPassword: Bool

    init(_ details: AddressDetails) {
        self.init(
            seed: details.seedName, steps: Self.steps(of: details.path)[...], hasPassword: details.hasPassword)
    }

    private init(seed: String, steps: ArraySlice<UInt8>, hasPassword: Bool) {
        (self.seed, self.steps, self.hasPassword) = (seed, steps, hasPassword)
    }

    /// What keys are derived by, for text tells too little: one path has several spellings.
    ///
    /// Source: ``DerivationPath/chainCodes``.
    static func steps(of path: String) -> [UInt8] {
        // What is no path, as no row has that the vault wrote, gives no key and is below the root alone.
        (try? DerivationPath(parsing: path))?.chainCodes ?? [noStep] + Blake2b.hash(Array(path.utf8), size: 32)
    }

    func withPassword(_ hasPassword: Bool) -> KeyPlace {
        KeyPlace(seed: seed, steps: steps, hasPassword: hasPassword)
    }

    private func place(at end: Int) -> KeyPlace {
        KeyPlace(seed: seed, steps: steps[..<end], hasPassword: hasPassword)
    }

    /// This place, and those of which it is a path below.
    var above: some Sequence<KeyPlace> {
        stride(from: 0, through: steps.endIndex, by: DerivationPath.stepSize).lazy.map { place(at: $0) }
    }

    /// Those of which it is a path of soft junctions below.
    var softlyAbove: [KeyPlace] {
        stride(from: steps.endIndex - DerivationPath.stepSize, through: 0, by: -DerivationPath.stepSize)
            .prefix { steps[$0] == Self.softStep }.map { place(at: $0) }
    }

    private static let softStep: UInt8 = 0
    private static let noStep: UInt8 = 2
}
