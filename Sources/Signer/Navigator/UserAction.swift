/// What a person does, or the host for them.
///
/// Source: `signer-product` section 6.5.
package enum UserAction: String, CaseIterable, Sendable {
    /// Begins at the first screen, whatever was before.
    case start = "Start"
    /// Goes to the log.
    case navbarLog = "NavbarLog"
    /// Goes to the camera.
    case navbarScan = "NavbarScan"
    /// Goes to the seeds.
    case navbarKeys = "NavbarKeys"
    /// Goes to the settings.
    case navbarSettings = "NavbarSettings"
    /// Goes back, or dismisses what lies over the screen.
    case goBack = "GoBack"
    /// Does what the screen is for.
    case goForward = "GoForward"
    /// Chooses a seed: its name.
    case selectSeed = "SelectSeed"
    /// Chooses a key: its address key.
    case selectKey = "SelectKey"
    /// Begins a new key.
    case newKey = "NewKey"
    /// Opens or closes what the right button stands for.
    case rightButtonAction = "RightButtonAction"
    /// Shows the state of the network detector.
    case shield = "Shield"
    /// Begins a new seed.
    case newSeed = "NewSeed"
    /// Begins the recovery of a seed.
    case recoverSeed = "RecoverSeed"
    /// Shows the phrase of a seed.
    case backupSeed = "BackupSeed"
    /// Opens or closes the choice of networks.
    case networkSelector = "NetworkSelector"
    /// Goes to the next of several.
    case nextUnit = "NextUnit"
    /// Goes to the previous of several.
    case previousUnit = "PreviousUnit"
    /// Chooses a network: its network key.
    case changeNetwork = "ChangeNetwork"
    /// Asks for the password of a new key once more: its path.
    case checkPassword = "CheckPassword"
    /// Takes what was scanned: a payload.
    case transactionFetched = "TransactionFetched"
    /// Removes the network.
    case removeNetwork = "RemoveNetwork"
    /// Removes the metadata.
    case removeMetadata = "RemoveMetadata"
    /// Removes the types.
    case removeTypes = "RemoveTypes"
    /// Signs the specs of the network for other vaults.
    case signNetworkSpecs = "SignNetworkSpecs"
    /// Signs the metadata for other vaults.
    case signMetadata = "SignMetadata"
    /// Signs the types for other vaults.
    case signTypes = "SignTypes"
    /// Goes to the networks.
    case manageNetworks = "ManageNetworks"
    /// Goes to the general verifier.
    case viewGeneralVerifier = "ViewGeneralVerifier"
    /// Shows metadata: their version.
    case manageMetadata = "ManageMetadata"
    /// Removes the key, or the selected ones.
    case removeKey = "RemoveKey"
    /// Removes the seed.
    case removeSeed = "RemoveSeed"
    /// Clears the log.
    case clearLog = "ClearLog"
    /// Begins a comment for the log.
    case createLogComment = "CreateLogComment"
    /// Shows an entry of the log: its order.
    case showLogDetails = "ShowLogDetails"
    /// Swipes a key: its address key.
    case swipe = "Swipe"
    /// Begins or changes a selection: an address key.
    case longTap = "LongTap"
    /// Selects all keys, or none.
    case selectAll = "SelectAll"
    /// Shows the selected keys one by one.
    case exportMultiSelect = "ExportMultiSelect"
    /// Makes further keys like the swiped one: how many.
    case increment = "Increment"
    /// Goes to the documents.
    case showDocuments = "ShowDocuments"
    /// Changes the text of a word: all of it.
    case textEntry = "TextEntry"
    /// Takes a word.
    case pushWord = "PushWord"
    /// Draws the screen again.
    case nothing = "Nothing"
    /// Acknowledges that the machine was online.
    case ackShield = "AckShield"
    /// Locks the vault.
    case lock = "Lock"
    /// Begins to put a seed together from shares.
    case recoverSplit = "RecoverSplit"
    /// Takes a share that was scanned.
    case shareFetched = "ShareFetched"
    /// Begins to split a seed.
    case splitSeed = "SplitSeed"
    /// Exports key sets: names of seeds.
    case exportKeySets = "ExportKeySets"
    /// Shows the secret of a key.
    case exportSecret = "ExportSecret"
    /// Goes to the contacts.
    case openAddressBook = "OpenAddressBook"
    /// Shows a contact: its account.
    case selectContact = "SelectContact"
    /// Begins a contact.
    case newContact = "NewContact"
    /// Changes a contact.
    case editContact = "EditContact"
    /// Removes a contact.
    case removeContact = "RemoveContact"
    /// Runs the self check.
    case runSelfCheck = "RunSelfCheck"
    /// Compares the log with a digest of it that was noted before: 64 hex digits.
    case compareLog = "CompareLog"
    /// Goes to what the vault lets pass of a connected machine.
    case openNetworkPolicy = "OpenNetworkPolicy"
    /// Goes to files of metadata.
    case openMetadataFiles = "OpenMetadataFiles"
    /// Takes raw metadata out of a file, to be looked at: hex.
    case metadataFetched = "MetadataFetched"
    /// Takes a metadata proof, or a payload with one in it, out of a file, to be verified: hex.
    case proofFetched = "ProofFetched"
    /// Compares the proof with a metadata hash: 64 hex digits.
    case compareHash = "CompareHash"
    /// Drops the documentation texts from the metadata.
    case makeLean = "MakeLean"
    /// Signs an update that was refused, for other vaults.
    case signAsPublisher = "SignAsPublisher"
    /// Asks whether the network is to be blocked for ever.
    case blockNetwork = "BlockNetwork"
    /// Asks whether the general verifier is to be forgotten.
    case forgetGeneralVerifier = "ForgetGeneralVerifier"
    /// Asks whether all is to be wiped.
    case wipeAll = "WipeAll"
    /// Asks for another name of the seed.
    case renameSeed = "RenameSeed"
    /// Makes a phrase of a seed: an object with its name, the number of its words, and what was thrown.
    case makePhrase = "MakePhrase"
    /// Goes to the keys that other wallets make of the same words.
    case previewKeys = "PreviewKeys"
    /// Goes to what protects the vault.
    case viewProtection = "ViewProtection"
    /// Begins a change of what protects the vault: an object that says which.
    case changeProtection = "ChangeProtection"
}
