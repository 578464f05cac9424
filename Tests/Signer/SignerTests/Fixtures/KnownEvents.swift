import Substrate
import TestSupport
import Testing

@testable import Signer

extension KnownRecords {
    static func event(_ json: JSON) throws -> Event {
        func text(_ key: String) throws -> String { try #require(json[key].string) }
        switch json["kind"].string {
        case "MetadataAdded": return .metadataAdded(try metadata(json))
        case "MetadataRemoved": return .metadataRemoved(try metadata(json))
        case "MetadataSigned": return .metadataSigned(try metadata(json), signedBy: try signedBy(json))
        case "NetworkSpecsAdded": return .networkSpecsAdded(try network(json))
        case "NetworkSpecsRemoved": return .networkSpecsRemoved(try network(json))
        case "NetworkSpecsSigned":
            return .networkSpecsSigned(try specs(json["network"]), signedBy: try signedBy(json))
        case "NetworkVerifierSet":
            return .networkVerifierSet(
                genesis: try hash(json["genesis_hash"]), try currentVerifier(json["valid_current_verifier"]),
                general: try verifier(json["general_verifier"]))
        case "GeneralVerifierSet": return .generalVerifierSet(try verifier(json["verifier"]))
        case "TypesAdded": return .typesAdded(hash: try hash(json["types_hash"]), try verifier(json["verifier"]))
        case "TypesRemoved": return .typesRemoved(hash: try hash(json["types_hash"]), try verifier(json["verifier"]))
        case "TypesSigned": return .typesSigned(hash: try hash(json["types_hash"]), signedBy: try signedBy(json))
        case "TransactionSigned": return .transactionSigned(try transaction(json))
        case "TransactionSignError": return .transactionSignError(try transaction(json))
        case "MessageSigned": return .messageSigned(try message(json))
        case "MessageSignError": return .messageSignError(try message(json))
        case "IdentityAdded": return .identityAdded(try identity(json))
        case "IdentityRemoved": return .identityRemoved(try identity(json))
        case "IdentitiesWiped": return .identitiesWiped
        case "DeviceWasOnline": return .deviceWasOnline
        case "ResetDangerRecord": return .resetDangerRecord
        case "SeedCreated": return .seedCreated(name: try text("seed_created"))
        case "SeedRemoved": return .seedRemoved(name: try text("seed_name"))
        case "SeedNameWasShown": return .seedNameWasShown(name: try text("seed_name_was_shown"))
        case "SecretWasExported": return .secretWasExported(try identity(json))
        case "Warning": return .warning(try text("warning"))
        case "WrongPassword": return .wrongPassword
        case "UserEntry": return .userEntry(try text("user_entry"))
        case "SystemEntry": return .systemEntry(try text("system_entry"))
        case "HistoryCleared": return .historyCleared
        case "DatabaseInitiated": return .databaseInitiated
        default: return try #require(nil, "\(json["kind"]) is not an event")
        }
    }

    static func entry(_ json: JSON) throws -> HistoryEntry {
        HistoryEntry(
            timestamp: try #require(json["timestamp"].string), events: try json["events"].array.map { try event($0) })
    }

    private static func signedBy(_ json: JSON) throws -> VerifierValue { VerifierValue(try signer(json["signed_by"])) }

    private static func metadata(_ json: JSON) throws -> Event.MetadataRecord {
        Event.MetadataRecord(
            name: try #require(json["name"].string), version: UInt32(try #require(json["version"].int)),
            hash: try hash(json["meta_hash"]))
    }

    private static func network(_ json: JSON) throws -> Event.NetworkRecord {
        Event.NetworkRecord(
            specs: try orderedSpecs(json["network"]), verifier: try currentVerifier(json["valid_current_verifier"]),
            general: try verifier(json["general_verifier"]))
    }

    private static func transaction(_ json: JSON) throws -> Event.SigningRecord {
        Event.SigningRecord(
            transaction: try #require(json["transaction"].hex), networkName: try #require(json["network_name"].string),
            signedBy: try signedBy(json), comment: try #require(json["user_comment"].string))
    }

    private static func message(_ json: JSON) throws -> Event.MessageRecord {
        Event.MessageRecord(
            message: try #require(json["message"].string), networkName: try #require(json["network_name"].string),
            signedBy: try signedBy(json), comment: try #require(json["user_comment"].string))
    }

    private static func identity(_ json: JSON) throws -> Event.IdentityRecord {
        Event.IdentityRecord(
            seedName: try #require(json["seed_name"].string), scheme: try scheme(json["encryption"]),
            publicKey: try #require(json["public_key"].hex), path: try #require(json["path"].string),
            genesis: try hash(json["network_genesis_hash"]))
    }
}
