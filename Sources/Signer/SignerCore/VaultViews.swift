import Navigator
import SCALE
import SecretMemory
import Signer
import SplitBackup
import Substrate
import TextForms

/// What pages and actions ask of a vault beyond what it says itself.
extension Vault {
    /// The network that keys are shown in: the chosen one, or the first where that is gone.
    func shownNetwork(_ key: NetworkKey?) throws -> NetworkSpecs {
        let all = try networks()
        guard let network = all.first(where: { $0.key == key }) ?? all.first else { throw CoreError.noNetworks }
        return network
    }

    /// The keys of a seed in a network, the root first, then by path.
    func shownKeys(seed: String?, network: NetworkKey?) throws -> [StoredKey] {
        guard let seed else { throw CoreError.noSeedChosen }
        let specs = try shownNetwork(network)
        return try keys().filter { $0.details.seedName == seed && $0.details.networks.contains(specs.key) }
    }

    /// The keys that may sign content for other vaults: all but those of Ethereum networks.
    func contentKeys() throws -> [StoredKey] { try keys().filter { $0.details.scheme != .ethereum } }

    /// The dangers of the key that signs content which are still to be confirmed, by the public key that is shown of
    /// it.
    func dangers(ofContentSigning signing: ContentSigning) throws -> [Confirmation] {
        guard let key = try contentKeys().first(where: { $0.signer == signing.key }) else { return [] }
        return try dangers(ofVouchingWith: key, shownAs: Hex.encode(key.signer.publicKey)).missing(
            from: signing.confirmations)
    }

    /// When the machine was connected last, as far as the newest entries of the log tell.
    func newestDanger() throws -> String? {
        try newestEntries(10 * LogData.pageSize).entries.first { stored in
            stored.entry.events.contains { $0 == .deviceWasOnline }
        }?.entry.timestamp
    }

    /// Entries of the log.
    ///
    /// - Parameter end: the order behind the newest of them; nil for the newest of all.
    func logPage(before end: Int?) throws -> LogData {
        let (count, entries) = try newestEntries(LogData.pageSize, before: end)
        return LogData(
            count: count, newer: count - min(end ?? count, count), older: entries.last?.order ?? 0,
            entries: entries.map { LogRow($0) })
    }
}
