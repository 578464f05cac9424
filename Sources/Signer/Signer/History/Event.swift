import SCALE
import Substrate
import TextForms

/// Something that happened in the vault (`signer-product` section 4.2). The order of the cases is that of the encoding.
package enum Event: Hashable, Sendable {
    case metadataAdded(MetadataRecord)
    case metadataRemoved(MetadataRecord)
    case metadataSigned(MetadataRecord, signedBy: VerifierValue)
    case networkSpecsAdded(NetworkRecord)
    case networkSpecsRemoved(NetworkRecord)
    case networkSpecsSigned(NetworkSpecs, signedBy: VerifierValue)
    case networkVerifierSet(genesis: Hash256, ValidCurrentVerifier, general: Verifier)
    case generalVerifierSet(Verifier)
    case typesAdded(hash: Hash256, Verifier)
    case typesRemoved(hash: Hash256, Verifier)
    case typesSigned(hash: Hash256, signedBy: VerifierValue)
    case transactionSigned(SigningRecord)
    case transactionSignError(SigningRecord)
    case messageSigned(MessageRecord)
    case messageSignError(MessageRecord)
    case identityAdded(IdentityRecord)
    case identityRemoved(IdentityRecord)
    case identitiesWiped
    case deviceWasOnline
    case resetDangerRecord
    case seedCreated(name: String)
    case seedRemoved(name: String)
    case seedNameWasShown(name: String)
    case secretWasExported(IdentityRecord)
    case warning(String)
    case wrongPassword
    case userEntry(String)
    case systemEntry(String)
    case historyCleared
    case databaseInitiated

    package struct MetadataRecord: Hashable, Sendable {
        package var name: String
        package var version: UInt32
        package var hash: Hash256
    }

    package struct NetworkRecord: Hashable, Sendable {
        package var specs: OrderedNetworkSpecs
        package var verifier: ValidCurrentVerifier
        package var general: Verifier
    }

    package struct SigningRecord: Hashable, Sendable {
        /// Call with its length, and extensions: the bytes that were shown.
        package var transaction: [UInt8]
        package var networkName: String
        package var signedBy: VerifierValue
        package var comment: String
    }

    package struct MessageRecord: Hashable, Sendable {
        /// Hex of the message.
        package var message: String
        package var networkName: String
        package var signedBy: VerifierValue
        package var comment: String
    }

    package struct IdentityRecord: Hashable, Sendable {
        package var seedName: String
        package var scheme: SignatureScheme
        package var publicKey: [UInt8]
        package var path: String
        package var genesis: Hash256
    }

    /// Name of the case as tables and `--json` give it.
    package var name: String {
        switch self {
        case .metadataAdded: "MetadataAdded"
        case .metadataRemoved: "MetadataRemoved"
        case .metadataSigned: "MetadataSigned"
        case .networkSpecsAdded: "NetworkSpecsAdded"
        case .networkSpecsRemoved: "NetworkSpecsRemoved"
        case .networkSpecsSigned: "NetworkSpecsSigned"
        case .networkVerifierSet: "NetworkVerifierSet"
        case .generalVerifierSet: "GeneralVerifierSet"
        case .typesAdded: "TypesAdded"
        case .typesRemoved: "TypesRemoved"
        case .typesSigned: "TypesSigned"
        case .transactionSigned: "TransactionSigned"
        case .transactionSignError: "TransactionSignError"
        case .messageSigned: "MessageSigned"
        case .messageSignError: "MessageSignError"
        case .identityAdded: "IdentityAdded"
        case .identityRemoved: "IdentityRemoved"
        case .identitiesWiped: "IdentitiesWiped"
        case .deviceWasOnline: "DeviceWasOnline"
        case .resetDangerRecord: "ResetDangerRecord"
        case .seedCreated: "SeedCreated"
        case .seedRemoved: "SeedRemoved"
        case .seedNameWasShown: "SeedNameWasShown"
        case .secretWasExported: "SecretWasExported"
        case .warning: "Warning"
        case .wrongPassword: "WrongPassword"
        case .userEntry: "UserEntry"
        case .systemEntry: "SystemEntry"
        case .historyCleared: "HistoryCleared"
        case .databaseInitiated: "DatabaseInitiated"
        }
    }

    /// Whether a screen shows it in the colour of danger.
    package var isDangerous: Bool {
        switch self {
        case .deviceWasOnline, .resetDangerRecord, .secretWasExported, .transactionSignError, .messageSignError,
            .typesRemoved, .warning, .wrongPassword, .seedNameWasShown:
            true
        default: false
        }
    }

    /// The one field that a list shows.
    package var essence: String {
        switch self {
        case .metadataAdded(let record), .metadataRemoved(let record), .metadataSigned(let record, _):
            "\(record.name)\(record.version)"
        case .networkSpecsAdded(let record), .networkSpecsRemoved(let record): record.specs.specs.title
        case .networkSpecsSigned(let specs, _): specs.title
        case .networkVerifierSet(let genesis, _, _): genesis.hex
        case .generalVerifierSet(let verifier): verifier.key.map { Hex.encode($0.publicKey) } ?? "none"
        case .typesAdded(let hash, _), .typesRemoved(let hash, _), .typesSigned(let hash, _): hash.hex
        case .transactionSigned(let record), .transactionSignError(let record):
            "\(record.networkName)\(record.comment.isEmpty ? "" : ": " + record.comment)"
        case .messageSigned(let record), .messageSignError(let record):
            "\(record.networkName)\(record.comment.isEmpty ? "" : ": " + record.comment)"
        case .identityAdded(let record), .identityRemoved(let record), .secretWasExported(let record):
            record.seedName + record.path
        case .seedCreated(let name), .seedRemoved(let name), .seedNameWasShown(let name): name
        case .warning(let text), .userEntry(let text), .systemEntry(let text): text
        case .identitiesWiped, .deviceWasOnline, .resetDangerRecord, .wrongPassword, .historyCleared,
            .databaseInitiated:
            ""
        }
    }
}
