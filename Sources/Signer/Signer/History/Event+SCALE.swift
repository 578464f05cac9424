import SCALE
import Substrate

extension Event: ScaleEncodable {
    package func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(index)
        switch self {
        case .metadataAdded(let record), .metadataRemoved(let record): encoder.value(record)
        case .metadataSigned(let record, let signer):
            encoder.value(record)
            encoder.value(signer)
        case .networkSpecsAdded(let record), .networkSpecsRemoved(let record): encoder.value(record)
        case .networkSpecsSigned(let specs, let signer):
            encoder.value(specs)
            encoder.value(signer)
        case .networkVerifierSet(let genesis, let verifier, let general):
            encoder.value(genesis)
            encoder.value(verifier)
            encoder.value(general)
        case .generalVerifierSet(let verifier): encoder.value(verifier)
        case .typesAdded(let hash, let verifier), .typesRemoved(let hash, let verifier):
            encoder.value(hash)
            encoder.value(verifier)
        case .typesSigned(let hash, let signer):
            encoder.value(hash)
            encoder.value(signer)
        case .transactionSigned(let record), .transactionSignError(let record): encoder.value(record)
        case .messageSigned(let record), .messageSignError(let record): encoder.value(record)
        case .identityAdded(let record), .identityRemoved(let record), .secretWasExported(let record):
            encoder.value(record)
        case .seedCreated(let text), .seedRemoved(let text), .seedNameWasShown(let text), .warning(let text),
            .userEntry(let text), .systemEntry(let text):
            encoder.string(text)
        case .identitiesWiped, .deviceWasOnline, .resetDangerRecord, .wrongPassword, .historyCleared,
            .databaseInitiated:
            break
        }
    }

    package var index: UInt8 {
        switch self {
        case .metadataAdded: 0
        case .metadataRemoved: 1
        case .metadataSigned: 2
        case .networkSpecsAdded: 3
        case .networkSpecsRemoved: 4
        case .networkSpecsSigned: 5
        case .networkVerifierSet: 6
        case .generalVerifierSet: 7
        case .typesAdded: 8
        case .typesRemoved: 9
        case .typesSigned: 10
        case .transactionSigned: 11
        case .transactionSignError: 12
        case .messageSigned: 13
        case .messageSignError: 14
        case .identityAdded: 15
        case .identityRemoved: 16
        case .identitiesWiped: 17
        case .deviceWasOnline: 18
        case .resetDangerRecord: 19
        case .seedCreated: 20
        case .seedRemoved: 21
        case .seedNameWasShown: 22
        case .secretWasExported: 23
        case .warning: 24
        case .wrongPassword: 25
        case .userEntry: 26
        case .systemEntry: 27
        case .historyCleared: 28
        case .databaseInitiated: 29
        }
    }
}

extension Event: ScaleDecodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0: self = .metadataAdded(try .init(from: &decoder))
        case 1: self = .metadataRemoved(try .init(from: &decoder))
        case 2: self = .metadataSigned(try .init(from: &decoder), signedBy: try .init(from: &decoder))
        case 3: self = .networkSpecsAdded(try .init(from: &decoder))
        case 4: self = .networkSpecsRemoved(try .init(from: &decoder))
        case 5: self = .networkSpecsSigned(try .init(from: &decoder), signedBy: try .init(from: &decoder))
        case 6:
            self = .networkVerifierSet(
                genesis: try .init(from: &decoder), try .init(from: &decoder), general: try .init(from: &decoder))
        case 7: self = .generalVerifierSet(try .init(from: &decoder))
        case 8: self = .typesAdded(hash: try .init(from: &decoder), try .init(from: &decoder))
        case 9: self = .typesRemoved(hash: try .init(from: &decoder), try .init(from: &decoder))
        case 10: self = .typesSigned(hash: try .init(from: &decoder), signedBy: try .init(from: &decoder))
        case 11: self = .transactionSigned(try .init(from: &decoder))
        case 12: self = .transactionSignError(try .init(from: &decoder))
        case 13: self = .messageSigned(try .init(from: &decoder))
        case 14: self = .messageSignError(try .init(from: &decoder))
        case 15: self = .identityAdded(try .init(from: &decoder))
        case 16: self = .identityRemoved(try .init(from: &decoder))
        case 17: self = .identitiesWiped
        case 18: self = .deviceWasOnline
        case 19: self = .resetDangerRecord
        case 20: self = .seedCreated(name: try decoder.string())
        case 21: self = .seedRemoved(name: try decoder.string())
        case 22: self = .seedNameWasShown(name: try decoder.string())
        case 23: self = .secretWasExported(try .init(from: &decoder))
        case 24: self = .warning(try decoder.string())
        case 25: self = .wrongPassword
        case 26: self = .userEntry(try decoder.string())
        case 27: self = .systemEntry(try decoder.string())
        case 28: self = .historyCleared
        case 29: self = .databaseInitiated
        case let index: throw .invalidEnumIndex(offset: offset, found: index, type: "Event")
        }
    }
}

extension Event.MetadataRecord: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        version = try decoder.uint32()
        hash = try Hash256(from: &decoder)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.integer(version)
        encoder.value(hash)
    }
}

extension Event.NetworkRecord: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        specs = try OrderedNetworkSpecs(from: &decoder)
        verifier = try ValidCurrentVerifier(from: &decoder)
        general = try Verifier(from: &decoder)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.value(specs)
        encoder.value(verifier)
        encoder.value(general)
    }
}

extension Event.SigningRecord: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        transaction = try decoder.byteSequence()
        networkName = try decoder.string()
        signedBy = try VerifierValue(from: &decoder)
        comment = try decoder.string()
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.byteSequence(transaction)
        encoder.string(networkName)
        encoder.value(signedBy)
        encoder.string(comment)
    }
}

extension Event.MessageRecord: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        message = try decoder.string()
        networkName = try decoder.string()
        signedBy = try VerifierValue(from: &decoder)
        comment = try decoder.string()
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(message)
        encoder.string(networkName)
        encoder.value(signedBy)
        encoder.string(comment)
    }
}

extension Event.IdentityRecord: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        seedName = try decoder.string()
        scheme = try SignatureScheme(from: &decoder)
        publicKey = try decoder.byteSequence()
        path = try decoder.string()
        genesis = try Hash256(from: &decoder)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(seedName)
        encoder.value(scheme)
        encoder.byteSequence(publicKey)
        encoder.string(path)
        encoder.value(genesis)
    }
}
