import Substrate

/// All that the rules look at.
struct RiskContext {
    let effects: TransactionEffects
    /// Of the method, which the calls of ``effects`` refer to.
    let cards: [Card]
    let network: NetworkSpecs
    let signer: AccountAddress?
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
    private var texts: Set<String> = []
    /// By the characters that people look at: the first four and the last four.
    private var looks: [String: String] = [:]

    init(_ keys: [StoredKey], in network: NetworkSpecs) {
        // Ethereum addresses belong to networks of that kind, and to no other.
        for key in keys where (key.details.scheme == .ethereum) == (network.scheme == .ethereum) {
            let text = Self.comparable(key.address(in: network).text)
            texts.insert(text)
            looks[Self.look(text)] = text
        }
    }

    func contains(_ address: AccountAddress) -> Bool { texts.contains(Self.comparable(address.text)) }

    /// An own address that can be mistaken for `address`, which is none.
    func lookalike(of address: AccountAddress) -> String? {
        let text = Self.comparable(address.text)
        return texts.contains(text) ? nil : looks[Self.look(text)]
    }

    /// The case of hex digits says nothing.
    private static func comparable(_ text: String) -> String { text.hasPrefix("0x") ? text.lowercased() : text }

    private static func look(_ text: String) -> String {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        return String(digits.prefix(4)) + String(digits.suffix(4))
    }
}
