import Substrate

extension CardWarning {
    /// What it is called above its text.
    package var title: String {
        switch self {
        case .authorNotFound: "Nobody here can sign this"
        case .noNetworkID: "The key is not in this network"
        case .newerVersion: "Read with older metadata"
        case .notVerified: "Nobody signed this update"
        case .updatingTypes: "Types are replaced"
        case .typesNotVerified: "Nobody signed these types"
        case .typesAlreadyThere, .networkSpecsAlreadyThere: "It is here already"
        case .metadataExtensionsIncomplete: "Metadata that cannot be signed with"
        case .generalVerifierAppeared: "A general verifier appears"
        case .verifierChangingToGeneral, .verifierChangingToCustom, .verifierGeneralSuper: "The verifier changes"
        case .proofInfoMismatch: "The proof says something else"
        }
    }
}
