import Signer
import Substrate
import TextForms

extension UpdateRefusal: ReportedError {
    var reportedCode: String { ErrorCode.name(for: code) }

    var parameters: [String: String] {
        switch self {
        case .networkBlocked(let genesis): ["genesis": genesis.hex]
        case .customVerifierIsGeneral(let genesis): ["reason": "CustomVerifierIsGeneral", "genesis": genesis.hex]
        case .unexpectedGenesisHash(let genesis): ["reason": "UnexpectedGenesisHash", "genesis": genesis.hex]
        case .needVerifier(let name, let known): ["name": name, "known": Self.key(known)]
        case .needGeneralVerifier(let subject, let known): ["content": subject.rawValue, "known": Self.key(known)]
        case .generalVerifierChanged(let subject, let known, let signer):
            ["content": subject.rawValue, "known": Self.key(known), "signer": Self.key(signer)]
        case .specsMalformed(let fault): ["reason": "\(fault)"]
        case .typesMalformed(let fault): ["reason": "\(fault)"]
        case .specsKnown(let name, let scheme): ["name": name, "encryption": scheme.name]
        case .importantSpecsChanged(let name), .metadataUnknownNetwork(let name): ["name": name]
        case .specsDifferentName(let known, let given): ["known": known, "given": given]
        case .specsDifferentPrefix(let known, let given): ["known": "\(known)", "given": "\(given)"]
        case .networkNameTaken(let name, let genesis): ["name": name, "genesis": genesis.hex]
        case .networkLookalike(let title, let other, let genesis):
            ["title": title, "other": other, "genesis": genesis.hex]
        case .tooManyNetworks(let limit): ["limit": "\(limit)"]
        case .metadataBroken(let error): error.parameters
        case .metadataNoSpecs(let name, let known):
            ["name": name, "verifier": known.map { Self.key($0) } ?? "none"]
        case .metadataWrongName(let stated, let known): ["metadata": stated, "specs": known]
        case .metadataPrefixDiffers(let stated, let known): ["metadata": "\(stated)", "specs": "\(known)"]
        case .metadataSetsVerifier(let name, let signer), .metadataSetsGeneralVerifier(let name, let signer):
            ["name": name, "signer": Self.key(signer)]
        case .specsVerifierChanged(let name, let known, let signer),
            .metadataVerifierChanged(let name, let known, let signer),
            .metadataGeneralVerifierChanged(let name, let known, let signer):
            ["name": name, "known": Self.key(known), "signer": Self.key(signer)]
        case .metadataKnown(let name, let version), .metadataDiffer(let name, let version):
            ["name": name, "version": "\(version)"]
        case .typesKnown: [:]
        }
    }

    private static func key(_ key: MultiSigner) -> String { "\(key.scheme.name) \(Hex.encode(key.publicKey))" }
}

extension MetadataError: ReportedError {
    var reportedCode: String { ErrorCode.name(for: code) }

    var parameters: [String: String] {
        switch self {
        case .versionIncompatible(let version), .versionNotReadable(let version): ["version": "\(version)"]
        case .unableToDecode(let fault): ["what": "\(fault)"]
        case .base58PrefixSpecsMismatch(let metadata, let specs): ["metadata": "\(metadata)", "specs": "\(specs)"]
        case .blobTooLarge(let count): ["bytes": "\(count)"]
        case .notMeta, .noSystemPallet, .noVersionInConstants, .runtimeVersionNotDecodeable,
            .base58PrefixNotDecodeable:
            [:]
        }
    }
}
