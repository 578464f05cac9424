import Signer

extension SignerError: ReportedError {
    var reportedCode: String { ErrorCode.name(for: code) }

    var parameters: [String: String] {
        switch self {
        case .dbNotInitialized(let folder), .vaultExists(let folder), .firstKind(let folder): ["folder": folder]
        case .dbSchemaMismatch(let expected, let found): ["expected": "\(expected)", "found": "\(found)"]
        case .databaseDamaged(let damage): damage.parameters
        case .storageUnavailable(let path, let reason): ["path": path, "reason": reason]
        case .vaultBusy(let path): ["path": path]
        case .wrongRecoveryCode(let left): left.map { ["attemptsLeft": "\($0)"] } ?? [:]
        case .wrongPassword(let left): ["attemptsLeft": "\(left)"]
        case .seedNameTaken(let name), .seedAlreadyExists(let name), .seedNotFound(let name), .contactExists(let name),
            .contactNotFound(let name):
            ["name": name]
        case .seedNameLookalike(let name, let other), .contactNameTaken(let name, let other):
            ["name": name, "other": other]
        case .invalidMnemonic(let error): error.parameters
        case .invalidDerivation(let reason): ["reason": reason]
        case .key(let error): ["reason": "\(error)"]
        case .derivationExists(let path, let network): ["path": path, "network": network]
        case .keyCollision(let seed, let path), .keyCollisionBatch(let seed, let path),
            .secretExposedMismatch(let seed, let path):
            ["seed": seed, "path": path]
        case .keyNotFound(let key), .networkNotFound(let key): ["key": key]
        case .networkAmbiguous(let key, let networks): ["key": key, "networks": networks.joined(separator: " ")]
        case .networkNotEnabled(let path), .importAddressMismatch(let path): ["path": path]
        case .rootKeyMissing(let seed), .seedPhraseMismatch(let seed): ["seed": seed]
        case .metadataNotFound(let name, let version): ["name": name, "version": "\(version)"]
        case .contactAddressInvalid(let text): ["address": text]
        case .commentTooLong(let limit): ["limit": "\(limit)"]
        case .historyEntryNotFound(let order): ["order": order]
        default: [:]
        }
    }
}

extension SignerError.Damage {
    /// What is damaged, by the names of `signer-product` section 9.
    fileprivate var parameters: [String: String] {
        switch self {
        case .row(let tree, let key): ["reason": "KeyValueMismatch", "tree": tree, "key": key]
        case .differentNames(let genesis): ["reason": "DifferentNames", "genesis": genesis]
        case .differentPrefixes(let genesis): ["reason": "DifferentPrefixes", "genesis": genesis]
        case .historyEntry(let order): ["reason": "HistoryEntry", "order": "\(order)"]
        case .log: ["reason": "Log"]
        case .missingSetting("general_verifier"): ["reason": "GeneralVerifierNotFound"]
        case .missingSetting("dangerous_encounter"): ["reason": "DangerStatusNotFound"]
        case .missingSetting(let setting): ["reason": "SettingNotFound", "setting": setting]
        case .file(let path, _): ["reason": "File", "path": path]
        case .tree(let tree), .tableMissing(let tree): ["reason": "Tree", "tree": tree]
        case .publicTrees, .tables, .inventory, .olderDatabase, .olderSeeds, .knownFiles: ["reason": "Database"]
        }
    }
}
