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
        /// The network's genesis.
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
