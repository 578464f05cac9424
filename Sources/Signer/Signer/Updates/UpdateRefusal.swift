import Substrate

/// Why an update is refused. Nothing was written.
///
/// Source: `signer-product` section 9.
enum UpdateRefusal: Error, Hashable, Sendable {
    /// What an update has in it, for messages.
    enum Subject: String, Sendable { case network, types }

    // Any update of a network
    case networkBlocked(genesis: Hash256)
    case customVerifierIsGeneral(genesis: Hash256)
    case unexpectedGenesisHash(Hash256)
    case needVerifier(name: String, MultiSigner)
    case needGeneralVerifier(Subject, MultiSigner)
    case generalVerifierChanged(Subject, known: MultiSigner, signer: MultiSigner)
    // Networks
    case specsKnown(name: String, SignatureScheme)
    case importantSpecsChanged(name: String)
    case specsDifferentName(known: String, given: String)
    case specsDifferentPrefix(known: UInt16, given: UInt16)
    case specsVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    case tooManyNetworks(limit: Int)
    // Metadata
    case metadataUnknownNetwork(name: String)
    case metadataNoSpecs(name: String)
    case metadataWrongName(stated: String, known: String)
    case metadataPrefixDiffers(stated: UInt16, known: UInt16)
    case metadataSetsVerifier(name: String, MultiSigner)
    case metadataVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    case metadataSetsGeneralVerifier(name: String, MultiSigner)
    case metadataGeneralVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    case metadataKnown(name: String, version: UInt32)
    case metadataDiffer(name: String, version: UInt32)
    // Types
    case typesKnown

    /// The name by which tables and tests call it.
    var code: String {
        switch self {
        case .networkBlocked: "NetworkBlocked"
        case .customVerifierIsGeneral: "DatabaseDamaged.CustomVerifierIsGeneral"
        case .unexpectedGenesisHash: "DatabaseDamaged.UnexpectedGenesisHash"
        case .needVerifier: "NeedVerifier"
        case .needGeneralVerifier(let subject, _): "NeedGeneralVerifier(\(subject.rawValue))"
        case .generalVerifierChanged(let subject, _, _): "GeneralVerifierChanged(\(subject.rawValue))"
        case .specsKnown: "SpecsKnown"
        case .importantSpecsChanged: "ImportantSpecsChanged"
        case .specsDifferentName: "AddSpecsDifferentName"
        case .specsDifferentPrefix: "AddSpecsDifferentBase58"
        case .specsVerifierChanged: "AddSpecsVerifierChanged"
        case .tooManyNetworks: "TooManyNetworks"
        case .metadataUnknownNetwork: "LoadMetaUnknownNetwork"
        case .metadataNoSpecs: "LoadMetaNoSpecs"
        case .metadataWrongName: "LoadMetaWrongGenesisHash"
        case .metadataPrefixDiffers: "Base58PrefixSpecsMismatch"
        case .metadataSetsVerifier: "LoadMetaSetVerifier"
        case .metadataVerifierChanged: "LoadMetaVerifierChanged"
        case .metadataSetsGeneralVerifier: "LoadMetaSetGeneralVerifier"
        case .metadataGeneralVerifierChanged: "LoadMetaGeneralVerifierChanged"
        case .metadataKnown: "MetadataKnown"
        case .metadataDiffer: "SameNameVersionDifferentMeta"
        case .typesKnown: "TypesKnown"
        }
    }
}
