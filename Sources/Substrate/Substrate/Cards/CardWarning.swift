import TextForms

/// A warning beside other cards (`signer-wire` section 6.7).
public enum CardWarning: Hashable, Sendable {
    /// The vault has no key of this author.
    case authorNotFound
    /// The transaction does not name its network.
    case noNetworkID
    /// The transaction was read with older metadata than the newest stored.
    case newerVersion(used: UInt32, latest: UInt32)
    /// Nobody signed the update.
    case notVerified
    /// The update replaces the types that the vault has.
    case updatingTypes
    /// Nobody signed the types.
    case typesNotVerified
    /// The vault has these types.
    case typesAlreadyThere
    /// The vault has this network.
    case networkSpecsAlreadyThere(title: String)
    /// The metadata lacks an extension that a transaction's safety rests on.
    case metadataExtensionsIncomplete
    /// The first general verifier comes, and what nobody signed is removed.
    case generalVerifierAppeared(networks: [String], metadata: [String], typesPurged: Bool)
    /// The network's verifier becomes the general one.
    case verifierChangingToGeneral(VerifierChange)
    /// The network gets a verifier of its own.
    case verifierChangingToCustom(VerifierChange)
    /// The general verifier takes the network over.
    case verifierGeneralSuper(VerifierChange)
    /// A proof's `field` differs from the stored record's.
    case proofInfoMismatch(field: String, proof: String, stored: String)

    /// What a change of a network's verifier purges.
    public struct VerifierChange: Hashable, Sendable {
        /// The hash of the first block of the network whose verifier changes.
        package var genesisHash: Hash256
        /// Titles of networks.
        package var networks: [String]
        /// Names of metadata with versions, as `westend9010`.
        package var metadata: [String]

        package init(genesisHash: Hash256, networks: [String], metadata: [String]) {
            self.genesisHash = genesisHash
            self.networks = networks
            self.metadata = metadata
        }
    }

    /// The name by which programs tell the cases apart.
    package var code: String {
        switch self {
        case .authorNotFound: "AuthorNotFound"
        case .noNetworkID: "NoNetworkID"
        case .newerVersion: "NewerVersion"
        case .notVerified: "NotVerified"
        case .updatingTypes: "UpdatingTypes"
        case .typesNotVerified: "TypesNotVerified"
        case .typesAlreadyThere: "TypesAlreadyThere"
        case .networkSpecsAlreadyThere: "NetworkSpecsAlreadyThere"
        case .metadataExtensionsIncomplete: "MetadataExtensionsIncomplete"
        case .generalVerifierAppeared: "GeneralVerifierAppeared"
        case .verifierChangingToGeneral: "VerifierChangingToGeneral"
        case .verifierChangingToCustom: "VerifierChangingToCustom"
        case .verifierGeneralSuper: "VerifierGeneralSuper"
        case .proofInfoMismatch: "ProofInfoMismatch"
        }
    }
}

extension CardWarning: CustomStringConvertible {
    /// What a person should know, in plain words. Names in it are as they came: ``ScreenText`` escapes them.
    public var description: String {
        switch self {
        case .authorNotFound: "The author's key is not in this vault."
        case .noNetworkID: "The author's key is in this vault, but not enabled in this network."
        case .newerVersion(let used, let latest):
            "Read with metadata of version \(used); version \(latest) is held too. Reload the wallet if this surprises you."
        case .notVerified: "Nobody signed this update: whoever made the picture may have written anything into it."
        case .updatingTypes: "The types that this vault has are replaced."
        case .typesNotVerified:
            "Nobody signed these types: whoever made the picture may have written anything into them."
        case .typesAlreadyThere: "This vault has the same types already; what changes is who vouches for them."
        case .networkSpecsAlreadyThere(let title):
            "This vault has \(title) just so already; what changes is who vouches for it."
        case .metadataExtensionsIncomplete:
            "These metadata do not describe all that makes a transaction safe to read; none can be signed with them."
        case .generalVerifierAppeared(let networks, let metadata, let typesPurged):
            "The signer becomes the general verifier, for all networks that have none of their own. Removed first, because nobody "
                + "vouched for it: \(Self.list(networks + metadata + (typesPurged ? ["the types"] : [])))."
        case .verifierChangingToGeneral(let change):
            "The network's verifier becomes the general one. Removed first: \(change.list)."
        case .verifierChangingToCustom(let change):
            "The network gets a verifier of its own. Removed first, because nobody vouched for it: \(change.list)."
        case .verifierGeneralSuper(let change):
            "The signer becomes the general verifier, and that of this network. Removed first: \(change.list)."
        case .proofInfoMismatch(let field, let proof, let stored):
            "The metadata proof says \(field) \(ForeignName.shown(proof, as: .title)), this vault knows "
                + "\(ForeignName.shown(stored, as: .title)). What is shown follows the proof; if it lies, the "
                + "chain will refuse the signature."
        }
    }

    fileprivate static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}

extension CardWarning.VerifierChange {
    fileprivate var list: String { CardWarning.list(networks + metadata) }
}

/// Why a payload can be looked at but not signed: a code of `signer-wire` section 11, with a message for people.
public struct CardError: Hashable, Sendable {
    /// The name by which programs tell the cases apart.
    package var code: String
    /// What happened, in plain words.
    public var message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    package init(_ error: DecodingError) {
        self.init(code: error.code, message: error.description)
    }
}
