/// What the person looks at.
///
/// Source: `signer-product` section 6.3.
package enum Screen: String, CaseIterable, Sendable {
    /// Nothing: before the start, and below an error that kept a screen from being made.
    case nowhere = "Nowhere"
    /// The seeds to choose from.
    case seedSelector = "SeedSelector"
    /// The keys of one seed in one network.
    case keys = "Keys"
    /// One key, with its picture.
    case keyDetails = "KeyDetails"
    /// One of several keys that were selected, with its picture.
    case keyDetailsMulti = "KeyDetailsMulti"
    /// The name of a new seed.
    case newSeed = "NewSeed"
    /// The name of a seed that is recovered.
    case recoverSeedName = "RecoverSeedName"
    /// The words of a seed that is recovered.
    case recoverSeedPhrase = "RecoverSeedPhrase"
    /// The path of a new key.
    case deriveKey = "DeriveKey"
    /// The camera.
    case scan = "Scan"
    /// What was scanned, decoded.
    case transaction = "Transaction"
    /// The log.
    case log = "Log"
    /// One entry of the log, with its cards.
    case logDetails = "LogDetails"
    /// The settings, which can be shown whatever is damaged.
    case settings = "Settings"
    /// The general verifier.
    case verifier = "Verifier"
    /// The networks by order.
    case manageNetworks = "ManageNetworks"
    /// One network, its verifier and its metadata.
    case networkDetails = "NetworkDetails"
    /// The seeds, one of which is to be backed up.
    case selectSeedForBackup = "SelectSeedForBackup"
    /// The keys, one of which is to sign content for other vaults.
    case signSufficientCrypto = "SignSufficientCrypto"
    /// What the program is, and its terms.
    case documents = "Documents"
    /// What has to hold before the vault is set up.
    case airgapCheck = "AirgapCheck"
    /// The question for the credential.
    case unlock = "Unlock"
    /// The shares of a split backup, as they come.
    case splitRecover = "SplitRecover"
    /// How a seed is to be split.
    case splitExport = "SplitExport"
    /// The key sets that are exported, as moving codes.
    case keySetExport = "KeySetExport"
    /// The contacts.
    case addressBook = "AddressBook"
    /// One contact and its addresses.
    case contactDetails = "ContactDetails"
    /// The results of the self check.
    case selfCheck = "SelfCheck"
    /// What the vault lets pass of a connected machine.
    case networkPolicy = "NetworkPolicy"
    /// Files of metadata, and proofs of them, which are looked at and not taken in.
    case metadataFiles = "MetadataFiles"
    /// What protects the vault, and when it locks.
    case protection = "Protection"
    /// The keys that other wallets make of the same words.
    case keyPreview = "KeyPreview"
}
