import SCALE
import SecretMemory
import Substrate

extension Vault {
    /// What is wrong with what the vault holds; empty where nothing is. Everything is read, the log's chain too.
    ///
    /// - Parameters:
    ///   - mayWait: whether something that was scanned may wait.
    ///   - secrets: what must be nowhere in the rows.
    ///
    /// Source: `signer-product` section 13.
    package func breaches(whileWaiting mayWait: Bool, secrets: [SecretBytes] = []) throws -> [String] {
        try database.read { trees in
            var breaches: [String] = []
            let waiting = try trees.count(.transaction)
            if waiting > (mayWait ? 1 : 0) { breaches.append("\(waiting) items wait") }
            breaches += Self.breaches(ofKeys: try trees.keys())
            breaches += try trees.networkBreaches()
            breaches += try trees.logBreaches()
            for tree in Tree.allCases {
                for (key, value) in try trees.pairs(tree) where secrets.contains(where: { $0.isIn(key, or: value) }) {
                    breaches.append("a row of \(tree.rawValue) holds a secret")
                }
            }
            return breaches
        }
    }

    /// Keys that are the same and are not one; what their rows hold is checked where they are read.
    private static func breaches(ofKeys keys: [StoredKey]) -> [String] {
        struct Place: Hashable {
            var seed: String
            /// Its bytes: two spellings of one text are two paths.
            var path: [UInt8]
            var hasPassword: Bool
            var scheme: SignatureScheme
        }
        var places: Set<Place> = []
        return keys.compactMap { key in
            let details = key.details
            let place = Place(
                seed: details.seedName, path: Array(details.path.utf8), hasPassword: details.hasPassword,
                scheme: details.scheme)
            // Two passwords make two keys.
            guard !places.insert(place).inserted, !details.hasPassword else { return nil }
            return "two keys are \(details.seedName)\(details.path)"
        }
    }
}

extension Trees {
    fileprivate func networkBreaches() throws -> [String] {
        var breaches: [String] = []
        let all = try networks()
        if all.map({ Int($0.order) }) != Array(all.indices) { breaches.append("networks are \(all.map(\.order))") }
        let general = try generalVerifier()
        for network in all where try verifier(of: network.specs.genesisHash) == nil {
            breaches.append("\(network.specs.title) follows nobody")
        }
        for (key, value) in try pairs(.verifiers) {
            let verifier = try decode(CurrentVerifier.self, .verifiers, key: key, value: value)
            if general.key != nil, verifier == .valid(.custom(general)) {
                breaches.append("the own verifier of \(hexText(key)) is the general one")
            }
        }
        for network in all {
            let name = network.specs.name
            guard let other = try otherNetwork(called: name, than: network.specs.genesisHash) else { continue }
            breaches.append("\(name) is also the name of \(other.hex)")
        }
        let names = Set(all.map(\.specs.name))
        for (key, _) in try pairs(.metadata) {
            let name = try decode(MetadataName.self, .metadata, key: key, value: key).name
            if !names.contains(name) { breaches.append("metadata of \(name), which is no network") }
        }
        return breaches
    }

    fileprivate func logBreaches() throws -> [String] {
        let times = try HistoryLog.stored(self).verified().map(\.entry.timestamp)
        return zip(times, times.dropFirst()).contains { $0 > $1 } ? ["the log goes back in time"] : []
    }
}

extension SecretBytes {
    /// Whether the bytes are in one of two places.
    fileprivate func isIn(_ key: [UInt8], or value: [UInt8]) -> Bool {
        withUnsafeBytes { secret in
            guard !secret.isEmpty else { return false }
            return [key, value].contains { place in
                guard place.count >= secret.count else { return false }
                return (0...place.count - secret.count).contains { start in
                    place[start] == secret[0] && place[start..<start + secret.count].elementsEqual(secret)
                }
            }
        }
    }
}
