import Airgap
import SCALE
import Signer
import Substrate
import TextForms

extension RefusedPayload: ReportedError {
    var reportedCode: String {
        switch self {
        case .payload(let error): error.reportedCode
        case .allExtensionsParsingFailed:
            (isOutdated ? ErrorCode.metadataOutdated : .extensionsUndecodable).name
        case .metadata(_, _, let error): error.reportedCode
        case .update(let refusal): refusal.reportedCode
        case .bulkMember(_, let refused): refused.reportedCode
        default: ErrorCode.name(for: code)
        }
    }

    var parameters: [String: String] {
        switch self {
        case .payload(let error): error.parameters
        case .addrNotFound(let address): ["address": address]
        case .unknownNetwork(let genesis, let scheme), .networkForImport(let genesis, let scheme):
            ["genesis": genesis.hex, "encryption": scheme.name]
        case .noMetadata(let network): ["name": network]
        case .networkNameTaken(let network, let genesis): ["name": network, "genesis": genesis.hex]
        case .foreignGenesis(let network, let other, let genesis):
            ["network": network, "other": other, "genesis": genesis.hex]
        case .allExtensionsParsingFailed(let network, let attempts):
            isOutdated ? outdated(network, attempts) : ["network": network, "tried": Self.reasons(attempts)]
        case .metadata(let network, let version, let error):
            error.parameters.merging(["network": network, "version": "\(version)"]) { own, _ in own }
        case .noSeedFound(let root, let seed):
            ["root": Hex.encode(root.publicKey)].merging(seed.map { ["seed": $0] } ?? [:]) { own, _ in own }
        case .invalidDerivation(let path, let error): ["path": "\(path)", "reason": "\(error)"]
        case .pathNotComposed(let path): ["path": "\(path)", "reason": "not NFC"]
        case .importPathMalformed(let index, let path), .importPasswordNotAllowed(let index, let path):
            ["index": "\(index)", "path": path]
        case .update(let refusal): refusal.parameters
        case .packedMetadataDamaged(let reason): ["reason": reason]
        case .bulkMember(let position, let refused):
            refused.parameters.merging(["member": "\(position)"]) { own, _ in own }
        case .separateMethodExtensions, .invalidMessagePayload, .metadataNotExpanded: [:]
        }
    }

    /// The version that the transaction is for, where it is all that keeps every stored one from fitting.
    private var wantedVersion: UInt128? {
        guard case .allExtensionsParsingFailed(_, let attempts) = self else { return nil }
        let wanted = attempts.compactMap { attempt -> UInt128? in
            if case .wrongNetworkVersion(let wanted, _) = attempt.error { wanted } else { nil }
        }
        return wanted.count == attempts.count ? wanted.first : nil
    }

    private var isOutdated: Bool { wantedVersion != nil }

    private func outdated(_ network: String, _ attempts: [Attempt]) -> [String: String] {
        [
            "name": network, "have": attempts.map { "\($0.version)" }.joined(separator: ", "),
            "want": wantedVersion.map { "\($0)" } ?? "",
        ]
    }

    /// Each version that was tried, with why it did not fit.
    private static func reasons(_ attempts: [Attempt]) -> String {
        attempts.map { "\($0.version): \($0.error.code)" }.joined(separator: ", ")
    }
}

extension PayloadError: ReportedError {
    var reportedCode: String {
        switch self {
        case .malformedRecord(.trailingBytes): ErrorCode.trailingBytes.name
        // The name of another error in `signer-wire`, as wallets know it.
        case .malformedProof: ErrorCode.codec.name
        case .bulkMember(_, let error): error.reportedCode
        default: ErrorCode.name(for: code)
        }
    }

    var parameters: [String: String] {
        switch self {
        case .tooShort(let found, let needed): ["found": "\(found)", "needed": "\(needed)"]
        case .contentTooShort(_, let count):
            ["found": "\(count)", "needed": "\(UpdatePayload.Content.leastSigned)"]
        case .notSubstrate(let byte): ["byte": Hex.encode([byte])]
        case .unknownKind(let byte), .encryptionNotSupported(let byte): ["code": Hex.encode([byte])]
        case .kindNotSupported(let kind): ["code": Hex.encode([kind.rawValue])]
        case .payloadTooLarge(let count, let limit): ["bytes": "\(count)", "limit": "\(limit)"]
        case .malformedRecord(.trailingBytes(_, let count)): ["bytes": "\(count)"]
        case .malformedRecord(let error), .malformedLength(let error): ["what": "\(error)"]
        case .unknownScheme(let byte): ["what": "scheme \(Hex.encode([byte]))"]
        case .malformedProof(let error): ["what": "\(error)"]
        case .emptyBulk: ["what": "no transaction"]
        case .badSignature(let signer): ["signer": "\(signer.scheme.name) \(Hex.encode(signer.publicKey))"]
        case .bulkMember(let position, let error):
            error.parameters.merging(["member": "\(position)"]) { own, _ in own }
        case .hexDecoding, .noContent: [:]
        }
    }
}

extension TransferError: ReportedError {
    var reportedCode: String {
        if case .payloadTooLarge = self { ErrorCode.qrTooLarge.name } else { code }
    }

    var parameters: [String: String] {
        if case .payloadTooLarge(let size, let limit) = self { ["bytes": "\(size)", "limit": "\(limit)"] } else { [:] }
    }
}

extension HistoricalProblem: ReportedError {
    var reportedCode: String {
        if case .refused(let refused) = self { refused.reportedCode } else { code }
    }

    var parameters: [String: String] {
        switch self {
        case .metadata(let network, let version):
            ["name": network].merging(version.map { ["version": $0] } ?? [:]) { own, _ in own }
        case .networkUnknown(let network): ["name": network]
        case .refused(let refused): refused.parameters
        }
    }
}

extension ReadingFault: ReportedError {
    var reportedCode: String {
        switch part {
        case .metadataHash: ErrorCode.checkMetadataHashMismatch.name
        case .method: ErrorCode.methodUndecodable.name
        case .extensions: ErrorCode.extensionsUndecodable.name
        }
    }

    var parameters: [String: String] {
        var parameters = ["reason": error.code]
        switch (part, error) {
        case (.metadataHash, .metadataHashMismatch(let signed, let computed)):
            (parameters["signed"], parameters["computed"]) = (signed.hex, computed.hex)
        case (.method, _): parameters["pallet"] = pallet
        case (.extensions, _):
            parameters["network"] = network
            parameters["tried"] = "\(version): \(error.code)"
        default: break
        }
        parameters["position"] = error.offset.map { "\($0)" }
        return parameters
    }
}
