import Substrate

/// All that the rules look at.
struct RiskContext {
    let effects: TransactionEffects
    /// Of the method, which the calls of ``effects`` refer to.
    let cards: [Card]
    let network: NetworkSpecs
    let signer: AccountAddress?
    /// The key that signs, where it is derived for this payload and not enabled in the network.
    let onTheFly: OnTheFly?
    let isKeyExposed: Bool
    let ownAccounts: OwnAccounts
    let metadata: MetadataFacts
    let extensions: ExtensionStatements

    /// Where the descriptions come from that the transaction was read with.
    struct MetadataFacts {
        /// Whether nobody vouches for the network's record and metadata; false where a proof does.
        var isUnverified = false
        var used: UInt32
        /// The newest that is stored.
        var latest: UInt32
    }

    /// A key that no row enables in the network.
    struct OnTheFly {
        var seed: String
        /// Of the seed, in the form that belongs to no network.
        var root: AccountAddress
        var path: String
        /// In the network's form.
        var address: AccountAddress
    }

    /// What the extensions say that matters here.
    struct ExtensionStatements {
        var isImmortal: Bool
        var tip: UInt128?
        /// nil where the chain has no such extension.
        var checksMetadataHash: Bool?
        /// What would be signed and what the stored metadata have, where they differ.
        var hashMismatch: DecodingError?
    }
}

/// The accounts of the vault's keys in the form of one network.
struct OwnAccounts {
    /// Addresses by what people look at of them.
    private var addresses: [Look: [String]] = [:]

    init(_ keys: [StoredKey], in network: NetworkSpecs) {
        // Ethereum addresses belong to networks of that kind, and to no other.
        for key in keys where (key.details.scheme == .ethereum) == (network.scheme == .ethereum) {
            let text = key.address(in: network).text
            addresses[Look(text), default: []].append(text)
        }
    }

    /// An address of the vault, one that can be mistaken for one, or neither.
    enum Likeness {
        case own
        case lookalike(of: String)
        case unknown
    }

    /// - Returns: nil for a call without a destination.
    func likeness(toDestinationOf leaf: CallLeaf) -> Likeness? {
        guard let text = leaf.destination?.text else { return nil }
        guard !addresses.isEmpty, let like = addresses[Look(text)] else { return .unknown }
        // Addresses of Ethereum are written in several cases.
        let isOwn = like.contains { $0 == text || $0.lowercased() == text.lowercased() && $0.hasPrefix("0x") }
        return isOwn ? .own : .lookalike(of: like[0])
    }
}

/// The accounts of the vault's keys, in the form of each network that payloads are for.
final class OwnAccountsByNetwork {
    private struct Form: Hashable {
        var prefix: UInt16
        var isEthereum: Bool
    }

    private let keys: [StoredKey]
    private var made: [Form: OwnAccounts] = [:]

    init(_ keys: [StoredKey]) {
        self.keys = keys
    }

    /// Made once for all transactions of a bulk.
    func accounts(in network: NetworkSpecs) -> OwnAccounts {
        let form = Form(prefix: network.base58Prefix, isEthereum: network.scheme == .ethereum)
        if let known = made[form] { return known }
        let accounts = OwnAccounts(keys, in: network)
        made[form] = accounts
        return accounts
    }
}

/// The first four and the last four characters of an address, behind the `0x` of one that has it.
private struct Look: Hashable {
    private let bytes: UInt64

    init(_ address: String) {
        var address = address
        bytes = address.withUTF8 { all in
            let isHex = all.starts(with: "0x".utf8)
            let front = all[min(isHex ? 2 : 0, all.count)...].prefix(4)
            var value: UInt64 = 0
            for part in [front, all.suffix(4)] {
                for byte in part { value = value << 8 | UInt64(isHex ? byte | 0x20 : byte) }
            }
            return value
        }
    }
}
