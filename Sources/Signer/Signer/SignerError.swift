import MainKey
import SecretMemory
import Substrate

/// Why an action is refused. ``code`` is stable; the text says what happened and what to do, in words that fit every
/// program: what to type is for the one with a command line to add. No case holds a secret.
public enum SignerError: Error, Equatable, Sendable {
    // The vault
    /// There is no vault in the folder.
    case dbNotInitialized(folder: String)
    /// There is a vault in the folder already.
    case vaultExists(folder: String)
    /// The database was written by another version.
    case dbSchemaMismatch(expected: UInt32, found: UInt32)
    /// What is stored is not what was written.
    case databaseDamaged(Damage)
    /// A file cannot be used.
    case storageUnavailable(path: String, reason: String)
    /// Another program has the vault open for changes.
    case vaultBusy(path: String)
    /// A vault of schema 1, whose rows are not sealed yet.
    case firstKind(folder: String)
    /// What the vault's MainKey says.
    case vaultKey(MainKeyError)
    /// The recovery code opens nothing.
    case wrongRecoveryCode(attemptsLeft: Int?)
    /// The vault has no session.
    case noSession(reason: String, isForAutolock: Bool = false)
    /// What a validator, or the lack of one, means for the vault.
    case vigil(VigilRefusal)
    /// There is no locked memory for a secret.
    case memory(SecretMemoryError)
    // Seeds and keys
    /// There is no word in the recovery phrase.
    case emptySeed
    /// The name is empty.
    case emptySeedName
    /// The name holds characters that it must not, or too many.
    case seedNameInvalid
    /// The name mixes alphabets, whose letters look alike.
    case seedNameMixesAlphabets
    /// Another seed has the name.
    case seedNameTaken(name: String)
    /// The name looks like another seed's.
    case seedNameLookalike(name: String, other: String)
    /// The seed is stored under another name.
    case seedAlreadyExists(name: String)
    /// There is no seed of that name.
    case seedNotFound(name: String)
    /// The recovery phrase is wrong.
    case invalidMnemonic(MnemonicError)
    /// The derivation path is malformed.
    case invalidDerivation(reason: String)
    /// The key is stored already.
    case derivationExists(path: String, network: String)
    /// The same key is stored under another path.
    case keyCollision(seed: String, path: String)
    /// One of several keys that are made at once is stored under another path, or made twice.
    case keyCollisionBatch(seed: String, path: String)
    /// The secret of a key above this one left the vault, and this one does not say so.
    case secretExposedMismatch(seed: String, path: String)
    /// There is no such key.
    case keyNotFound(String)
    /// There is no such network.
    case networkNotFound(String)
    /// Several networks are called so.
    case networkAmbiguous(String, networks: [String])
    /// No further keys were asked for, or too many at once.
    case incrementCount
    /// The numbers below a path are used up.
    case incrementOverflow
    /// A key with a password gives no further keys: its password is not stored.
    case incrementPassworded
    /// The key is not in this network.
    case networkNotEnabled(path: String)
    /// The seed has no row of its own key.
    case rootKeyMissing(seed: String)
    /// There are no such metadata.
    case metadataNotFound(name: String, version: UInt32)
    /// There are no types.
    case typesNotFound
    /// The key cannot be made or used.
    case key(KeyError)
    // Contacts
    /// The text is no address that this vault could show.
    case contactAddressInvalid(String)
    /// The name is empty, too long, or holds what a seed's name must not.
    case contactNameInvalid
    /// Another contact has the name, or one that looks like it.
    case contactNameTaken(name: String, other: String)
    /// The account is a contact already.
    case contactExists(name: String)
    /// There is no such contact.
    case contactNotFound(String)
    // Signing
    /// Nothing waits to be signed.
    case nothingPending
    /// What was shown is not to be signed: it is to look at, or to be taken in.
    case notToBeSigned
    /// The database changed since the payload was shown.
    case checksumMismatch
    /// The password of the key is wrong.
    case wrongPassword(attemptsLeft: Int)
    /// The password of a key that was to sign an update is wrong.
    case wrongKeyPassword
    /// A stored key is not one of the seed that it names.
    case seedPhraseMismatch(seed: String)
    /// The comment has more bytes than the limit.
    case commentTooLong(limit: Int)
    /// The comment holds control characters.
    case commentInvalid
    /// The log has no entry at this place.
    case historyEntryNotFound(String)
    /// The text is no digest of a log.
    case digestMalformed
    /// The log never had the digest that was noted.
    case logDiffers
    /// A danger was not confirmed by what has to be typed.
    case riskNotConfirmed
    /// A key of an import is not the one that its path leads to.
    case importAddressMismatch(path: String)

    /// What was found wrong with the stored data.
    public enum Damage: Equatable, Sendable {
        /// A row that does not decode or whose key says something else.
        case row(tree: String, key: String)
        /// The records of a network have different names.
        case differentNames(genesis: String)
        /// The records of a network have different prefixes.
        case differentPrefixes(genesis: String)
        /// An entry of the log does not decode.
        case historyEntry(order: UInt32)
        /// The log is not the one whose digest was stored.
        case log
        /// Networks, metadata or settings are not those whose digest was stored, in a vault of the first schema.
        case publicTrees
        /// The rows of a tree are not those that the vault wrote last: one is missing, was added, was changed, or is an
        /// older one.
        case tree(String)
        /// A table is missing.
        case tableMissing(String)
        /// There are tables, views or triggers in the database that the vault did not make.
        case tables
        /// What says what the trees hold is missing or not this vault's.
        case inventory
        /// Rows and inventory agree, but are of an earlier time.
        case olderDatabase
        /// The file of seeds is whole, but not the one that was written last.
        case olderSeeds
        /// What says which files are the last ones is missing or not this vault's.
        case knownFiles
        /// A setting is missing.
        case missingSetting(String)
        /// A file beside the database is damaged or missing.
        case file(path: String, reason: String)
    }

    /// The name by which programs tell the cases apart.
    public var code: String {
        switch self {
        case .dbNotInitialized: "DbNotInitialized"
        case .vaultExists: "VaultExists"
        case .dbSchemaMismatch: "DbSchemaMismatch"
        case .databaseDamaged: "DatabaseDamaged"
        case .storageUnavailable: "StorageUnavailable"
        case .vaultBusy: "VaultBusy"
        case .firstKind: "FirstKind"
        // The code of the key's own errors, in the spelling of ours.
        case .vaultKey(let error): error.code.prefix(1).uppercased() + error.code.dropFirst()
        case .wrongRecoveryCode: "WrongRecoveryCode"
        case .noSession: "NoSession"
        case .vigil(let refusal): refusal.code
        case .memory: "Memory"
        case .emptySeed: "EmptySeed"
        case .emptySeedName: "EmptySeedName"
        case .seedNameInvalid: "SeedNameInvalid"
        case .seedNameMixesAlphabets: "SeedNameMixesAlphabets"
        case .seedNameTaken: "SeedNameTaken"
        case .seedNameLookalike: "SeedNameLookalike"
        case .seedAlreadyExists: "SeedAlreadyExists"
        case .seedNotFound: "SeedNotFound"
        case .invalidMnemonic: "InvalidMnemonic"
        case .invalidDerivation: "InvalidDerivation"
        case .derivationExists: "DerivationExists"
        case .keyCollision: "KeyCollision"
        case .keyCollisionBatch: "KeyCollisionBatch"
        case .secretExposedMismatch: "SecretExposedMismatch"
        case .keyNotFound: "KeyNotFound"
        case .networkNotFound: "NetworkSpecsNotFound"
        case .networkAmbiguous: "NetworkAmbiguous"
        case .incrementCount: "IncrementCount"
        case .incrementOverflow: "IncrementOverflow"
        case .incrementPassworded: "IncrementPassworded"
        case .networkNotEnabled: "NetworkNotEnabledForKey"
        case .rootKeyMissing: "NoRootKeyForSeed"
        case .metadataNotFound: "MetaValuesNotFound"
        case .typesNotFound: "TypesNotFound"
        case .key: "InvalidDerivation"
        case .contactAddressInvalid: "ContactAddressInvalid"
        case .contactNameInvalid: "ContactNameInvalid"
        case .contactNameTaken: "ContactNameTaken"
        case .contactExists: "ContactExists"
        case .contactNotFound: "ContactNotFound"
        case .nothingPending: "NothingPending"
        case .notToBeSigned: "TxActionNotSign"
        case .checksumMismatch: "ChecksumMismatch"
        case .wrongPassword: "WrongPassword"
        case .wrongKeyPassword: "WrongPassword"
        case .seedPhraseMismatch: "SeedPhraseMismatch"
        case .commentTooLong: "CommentTooLong"
        case .commentInvalid: "CommentInvalid"
        case .historyEntryNotFound: "HistoryEntryNotFound"
        case .digestMalformed: "DigestMalformed"
        case .logDiffers: "LogDiffers"
        case .riskNotConfirmed: "RiskNotConfirmed"
        case .importAddressMismatch: "ImportAddressMismatch"
        }
    }
}

extension SignerError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .dbNotInitialized(let folder): "There is no vault in \(folder)."
        case .vaultExists(let folder): "There is a vault in \(folder) already; it was left as it is."
        case .dbSchemaMismatch(let expected, let found):
            "The vault was written by a newer version (schema \(found), this version knows \(expected)). Use that version; "
                + "nothing was changed."
        case .databaseDamaged(let damage):
            "The vault's data are damaged: \(damage). Nothing was changed. Restore the folder from a backup, or recover the "
                + "seeds from their phrases into a new vault."
        case .storageUnavailable(let path, let reason): "\(path) cannot be used: \(reason)."
        case .vaultBusy(let path): "Another program is using the vault (\(path)). Wait until it has finished."
        case .firstKind(let folder):
            "The vault in \(folder) was made by an earlier version, which left names, addresses and the log unsealed. "
                + "Protecting it anew seals them."
        case .vaultKey(let error): error.vaultDescription
        case .wrongRecoveryCode(let left):
            "Wrong recovery code\(MainKeyError.text(attemptsLeft: left)) It is the one that was shown last: one that was shown before "
                + "opens nothing any more."
        case .noSession(let reason, _): "This vault has no session: \(reason)"
        case .vigil(let refusal): "\(refusal)"
        case .memory(let error): "\(error)"
        case .emptySeed: "The recovery phrase is empty, so no seed was stored. Type its 12, 15, 18, 21 or 24 words."
        case .emptySeedName: "A seed needs a name."
        case .seedNameInvalid:
            "A seed's name has 1 to 64 characters that are seen, without commas, control and invisible characters."
        case .seedNameMixesAlphabets:
            "A seed's name takes its letters from one alphabet: letters of several look alike."
        case .seedNameLookalike(let name, let other):
            "The name \(name) looks like \(other), which is another seed's. Choose another name."
        case .seedNameTaken(let name): "There is a seed named \(name) already. Choose another name."
        case .seedAlreadyExists(let name): "This phrase is stored already, under the name \(name)."
        case .seedNotFound(let name): "There is no seed named \(name)."
        case .invalidMnemonic(let error): "\(error)"
        case .invalidDerivation(let reason): reason
        case .derivationExists(let path, let network):
            "The key \(path.isEmpty ? "at the root" : path) is in \(network) already."
        case .keyCollision(let seed, let path):
            "This would be the same key as \(path.isEmpty ? "the root" : path) of seed \(seed). Choose another path."
        case .keyCollisionBatch(let seed, let path):
            "One of these would be the same key as \(path.isEmpty ? "the root" : path) of seed \(seed), so none of them was made. Leave "
                + "it out, or choose another path for it."
        case .secretExposedMismatch(let seed, let path):
            "The secret of a key above \(path.isEmpty ? "the root" : path) of seed \(seed) left this vault, and this key is not marked as "
                + "exposed: the vault's data are damaged. Nothing was changed. Restore the folder from a backup, or recover the seed into a new "
                + "vault, and move what is on these keys to new ones."
        case .keyNotFound(let what): "There is no key \(what)."
        case .networkNotFound(let what): "There is no network \(what)."
        case .networkAmbiguous(let what, let networks):
            "\(networks.count) networks are called \(what). Say which, in this form: \(networks.joined(separator: ", "))"
        case .incrementCount: "How many further keys? Give a number from 1 to \(NumberedPaths.mostAtOnce)."
        case .incrementOverflow: "The numbers below this path are used up: the last is 4294967295."
        case .incrementPassworded:
            "This key has a password, which is not stored, so no further keys can be numbered below it. Derive each with its password."
        case .networkNotEnabled(let path): "The key \(path.isEmpty ? "at the root" : path) is not in this network."
        case .rootKeyMissing(let seed): "There is no row of the key of seed \(seed) itself. Recover the seed anew."
        case .metadataNotFound(let name, let version):
            "There are no metadata \(name)\(version) in this vault."
        case .typesNotFound: "There are no types in this vault."
        case .key(let error): "\(error)"
        case .contactAddressInvalid(let text):
            "\(text) is no address of a network in this vault: an SS58 address with the prefix of one of them or 42, or 0x and 40 hex "
                + "digits where there is an Ethereum network. Copy all of it, and compare every character."
        case .contactNameInvalid:
            "A contact's name has 1 to 64 characters that are seen, of one alphabet, without commas, control and invisible characters."
        case .contactNameTaken(let name, let other):
            "The name \(name) is or looks like \(other), which is another contact's. Choose another name."
        case .contactExists(let name):
            "This account is your contact \(name) already. Change that one."
        case .contactNotFound(let what): "There is no contact \(what)."
        case .nothingPending: "Nothing is waiting to be signed. Scan the transaction again."
        case .notToBeSigned:
            "What was shown is not to be signed: it is to look at, or an update or keys to take in. Nothing was done."
        case .checksumMismatch:
            "The vault changed since the transaction was shown, so it was not signed. Scan and read it again."
        case .wrongPassword(let attemptsLeft):
            attemptsLeft > 0
                ? "Wrong password for this key; \(attemptsLeft) attempts left."
                : "Wrong password for this key, three times. The transaction was dropped; scan it again."
        case .wrongKeyPassword: "Wrong password for this key. Nothing was signed; the attempt was logged."
        case .seedPhraseMismatch(let seed): "The stored key is not one of seed \(seed). It was not used."
        case .riskNotConfirmed:
            "The dangers of this transaction were not confirmed as asked for. Nothing was signed."
        case .importAddressMismatch(let path):
            "The address that the export gives for \(path) is not the one that this path gives here: somebody may want you to show "
                + "his address as yours. Nothing was imported."
        case .commentTooLong(let limit): "A comment has at most \(limit) characters."
        case .commentInvalid: "A comment holds no control characters but line breaks. Nothing was written."
        case .digestMalformed: "A digest of the log is 64 hex digits, as it was shown with the log."
        case .logDiffers:
            """
            The log never had this digest: it is not a continuation of the log that you noted. If you have cleared it \
            since, entry 0 says which digest it had then.
            """
        case .historyEntryNotFound(let order):
            "The log has no entry \(order)."
        }
    }
}

extension MainKeyError {
    /// The error in the words of a vault, with its own next steps.
    fileprivate var vaultDescription: String {
        switch self {
        case .wrongCredential(let left):
            "Wrong PIN\(Self.text(attemptsLeft: left))" + (left == 0 ? " Use the recovery code." : "")
        case .throttled(let seconds):
            "Too many wrong PINs. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds"); nothing was tried."
        case .attemptsExhausted(let byHardware):
            "The limit of wrong PINs is reached\(byHardware ? ", and the TPM takes no more, for ever" : ""). Use the recovery "
                + "code."
        case .noSuchSlot(let what): "This vault is not opened by \(what)."
        case .locked: "The vault was locked in the middle of this. Nothing was changed; try again."
        case .recoverable(let reason): "\(reason) Restore the folder from a backup."
        case .hardwareChanged(let registers):
            "The machine was started otherwise than when the vault was bound to it: register \(registers) of the TPM holds something "
                + "else. If you changed the firmware, its settings or its Secure Boot keys, bind it anew, with the "
                + "recovery code. If you did not, find out who did before you type anything here. No attempt was counted."
        case .hardwareDead(let reason): "The TPM's key is gone: \(reason). Use the recovery code."
        default: description
        }
    }

    /// How a sentence about something wrong goes on.
    fileprivate static func text(attemptsLeft left: Int?) -> String {
        switch left {
        case nil: ". Nothing was changed; try again."
        case 0: ", and no attempt is left."
        case 1: "; one attempt is left. Nothing was changed."
        case let left?: "; \(left) attempts are left. Nothing was changed."
        }
    }
}

extension SignerError.Damage: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .row(let tree, let key): "a row of \(tree) (\(key)) cannot be read"
        case .differentNames(let genesis): "the records of network \(genesis) have different names"
        case .differentPrefixes(let genesis): "the records of network \(genesis) have different prefixes"
        case .historyEntry(let order): "entry \(order) of the log cannot be read"
        case .log: "the log is not the one that was written"
        case .publicTrees: "networks, metadata or settings are not those that were written"
        case .tree(let name):
            "the rows of \(name) are not those that were written last: some were removed, added, changed or replaced by older ones"
        case .tableMissing(let name): "the table \(name) is missing"
        case .tables: "there are tables, views or triggers in the database that casemate did not make"
        case .inventory: "the sealed digest of all rows is missing or is not the one that was written"
        case .olderDatabase: "the database is whole, but older than the last one that was written"
        case .olderSeeds: "the file of seeds is whole, but not the one that was written last"
        case .knownFiles:
            "the note of which files were written last, in the folder of the key, is missing or was changed"
        case .missingSetting(let name): "the setting \(name) is missing"
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}
