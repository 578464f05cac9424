import KnownAnswers
import Signer
import Substrate
import TextForms

func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }

extension Event {
    /// The event in the words of the answers: all of its members, so that one more in an answer fails.
    var known: JSON { .object(fields.merging(["kind": .string(name)]) { first, _ in first }) }

    private var fields: [String: JSON] {
        switch self {
        case .metadataAdded(let record), .metadataRemoved(let record): record.known
        case .metadataSigned(let record, let signer): record.known.signed(by: signer)
        case .networkSpecsAdded(let record), .networkSpecsRemoved(let record): record.known
        case .networkSpecsSigned(let specs, let signer): ["network": .object(specs.known)].signed(by: signer)
        case .networkVerifierSet(let genesis, let verifier, let general):
            [
                "genesis_hash": .string(genesis.hex), "valid_current_verifier": verifier.known,
                "general_verifier": general.known,
            ]
        case .generalVerifierSet(let verifier): ["verifier": verifier.known]
        case .typesAdded(let hash, let verifier), .typesRemoved(let hash, let verifier):
            ["types_hash": .string(hash.hex), "verifier": verifier.known]
        case .typesSigned(let hash, let signer): ["types_hash": .string(hash.hex)].signed(by: signer)
        case .transactionSigned(let record), .transactionSignError(let record): record.known
        case .messageSigned(let record), .messageSignError(let record): record.known
        case .identityAdded(let record), .identityRemoved(let record), .secretWasExported(let record): record.known
        case .seedCreated(let name): ["seed_created": .string(name)]
        case .seedRemoved(let name): ["seed_name": .string(name)]
        case .seedNameWasShown(let name): ["seed_name_was_shown": .string(name)]
        case .warning(let text): ["warning": .string(text)]
        case .userEntry(let text): ["user_entry": .string(text)]
        case .systemEntry(let text): ["system_entry": .string(text)]
        case .identitiesWiped, .deviceWasOnline, .resetDangerRecord, .wrongPassword, .historyCleared,
            .databaseInitiated:
            [:]
        }
    }
}

extension [String: JSON] {
    fileprivate func signed(by signer: VerifierValue) -> Self {
        merging(["signed_by": signer.key.known]) { $1 }
    }
}

extension Event.MetadataRecord {
    fileprivate var known: [String: JSON] {
        ["name": .string(name), "version": .integer(Int64(version)), "meta_hash": .string(hash.hex)]
    }
}

extension Event.NetworkRecord {
    fileprivate var known: [String: JSON] {
        [
            "network": .object(specs.known), "valid_current_verifier": verifier.known,
            "general_verifier": general.known,
        ]
    }
}

extension Event.SigningRecord {
    fileprivate var known: [String: JSON] {
        [
            "transaction": .string(hex(transaction)), "network_name": .string(networkName),
            "user_comment": .string(comment),
        ].signed(by: signedBy)
    }
}

extension Event.MessageRecord {
    fileprivate var known: [String: JSON] {
        [
            "message": .string(message), "network_name": .string(networkName), "user_comment": .string(comment),
        ].signed(by: signedBy)
    }
}

extension Event.IdentityRecord {
    fileprivate var known: [String: JSON] {
        [
            "seed_name": .string(seedName), "encryption": .string(scheme.name), "public_key": .string(hex(publicKey)),
            "path": .string(path), "network_genesis_hash": .string(genesis.hex),
        ]
    }
}
