import Airgap
import Substrate

/// What an update would do, field by field, to be shown before a yes.
///
/// Source: `signer-product` section 2.
public struct UpdatePreview: Sendable {
    /// What is new.
    public enum Content: Sendable {
        /// A network.
        case network(NetworkSpecs)
        /// Metadata of a network.
        case metadata(MetadataFacts)
        /// The types of old networks, by their digest.
        case types(hash: Hash256)
    }

    /// What metadata on offer say of themselves.
    public struct MetadataFacts: Sendable {
        /// The genesis of the network that they are for.
        public var genesisHash: Hash256
        /// The name of the runtime.
        public var name: String
        /// The version of the runtime.
        public var version: UInt32
        /// BLAKE2b-256 of the blob.
        public var hash: Hash256
        /// The newest version that the vault has.
        public var newestStored: UInt32?
        /// The metadata hash that the chain computes and checks (RFC-0078), to be compared, of metadata that came
        /// compressed; nil where the chain checks none.
        public var chainHash: Hash256?
    }

    /// Whose word an update comes by.
    public enum Voucher: Hashable, Sendable {
        /// Nobody signed.
        case nobody
        /// The general verifier, which is known.
        case general(MultiSigner)
        /// A key that becomes the general verifier by a yes.
        case newGeneral(MultiSigner)
        /// The network's own verifier, which is known.
        case custom(MultiSigner)
        /// A key that becomes the network's own verifier by a yes.
        case newCustom(MultiSigner)

        /// The key that signed.
        public var key: MultiSigner? {
            switch self {
            case .nobody: nil
            case .general(let key), .newGeneral(let key), .custom(let key), .newCustom(let key): key
            }
        }
    }

    /// A field of a stored record that would change.
    public struct Difference: Hashable, Sendable {
        /// The field's name.
        public var field: String
        /// What is stored.
        public var stored: String
        /// What the update brings.
        public var new: String
    }

    /// What would be removed first, because of a stronger verifier.
    public struct Removal: Hashable, Sendable {
        /// Titles of networks, with the scheme of their keys.
        public var networks: [String] = []
        /// Names of metadata with versions.
        public var metadata: [String] = []
        /// Whether the types would.
        public var types = false

        /// Whether nothing would be.
        public var isEmpty: Bool { networks.isEmpty && metadata.isEmpty && !types }
    }

    /// What is new.
    public let content: Content
    /// Whose word it comes by.
    public let voucher: Voucher
    /// What changes in the record that the network has; empty for one that is new or changes nothing.
    public let differences: [Difference]
    /// Whether the network is not here yet.
    public let isNewNetwork: Bool
    /// What would be removed first.
    public let removal: Removal
    /// The names of what is shown and not logged: `NewCustomVerifier`, `OlderMetadata`.
    public let notices: [String]
    /// Whether the metadata came compressed.
    public var isPacked: Bool { update.isExpanded }
    let before: TrustState
    package let outcome: UpdateOutcome
    let update: UpdatePayload

    init(_ update: UpdatePayload, _ content: Content, outcome: UpdateOutcome, before: TrustState) {
        self.update = update
        self.content = content
        self.outcome = outcome
        self.before = before
        notices = outcome.notices.map(\.rawValue)
        voucher = Self.voucher(update, content, outcome: outcome, before: before)
        var removal = Removal()
        for change in outcome.changes {
            switch change {
            case .networkRemoved(let network):
                removal.networks.append("\(network.specs.title) (\(network.specs.scheme.name))")
            case .metadataRemoved(let key, _): removal.metadata.append("\(key.name)\(key.version)")
            case .typesRemoved: removal.types = true
            default: break
            }
        }
        self.removal = removal
        if case .network(let specs) = content {
            let known = before.network(specs.key)?.specs
            differences = known.map { Self.differences(from: $0, to: specs) } ?? []
            isNewNetwork = known == nil
        } else {
            differences = []
            isNewNetwork = false
        }
    }

    private static func voucher(
        _ update: UpdatePayload, _ content: Content, outcome: UpdateOutcome, before: TrustState
    ) -> Voucher {
        guard let signer = update.signer else { return .nobody }
        if before.general == signer { return .general(signer) }
        if outcome.state.general == signer { return .newGeneral(signer) }
        let genesis: Hash256? =
            switch content {
            case .network(let specs): specs.genesisHash
            case .metadata(let facts): facts.genesisHash
            case .types: nil
            }
        let isKnown = genesis.map { before.verifiers[$0] == .valid(.custom(Verifier(signer))) } ?? false
        return isKnown ? .custom(signer) : .newCustom(signer)
    }

    private static func differences(from known: NetworkSpecs, to new: NetworkSpecs) -> [Difference] {
        let fields: [(String, KeyPath<NetworkSpecs, String>)] = [
            ("title", \.title), ("default path", \.pathID), ("logo", \.logo), ("color", \.color),
            ("second color", \.secondaryColor),
        ]
        return fields.compactMap { name, path in
            known[keyPath: path] == new[keyPath: path]
                ? nil : Difference(field: name, stored: known[keyPath: path], new: new[keyPath: path])
        }
    }
}
