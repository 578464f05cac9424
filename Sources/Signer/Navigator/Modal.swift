/// What lies over a screen and takes the actions before it.
///
/// Source: `signer-product` section 6.4.
package enum Modal: String, CaseIterable, Sendable {
    /// The phrase of a seed, and its keys by network.
    case backup = "Backup"
    /// Whether a seed is made, recovered or put together from shares.
    case newSeedMenu = "NewSeedMenu"
    /// The words of a new seed, to be written down.
    case newSeedBackup = "NewSeedBackup"
    /// What can be done with a seed.
    case seedMenu = "SeedMenu"
    /// The networks to choose from.
    case networkSelector = "NetworkSelector"
    /// The question for the password of a new key once more.
    case passwordConfirm = "PasswordConfirm"
    /// The answer with the signatures, as codes.
    case signatureReady = "SignatureReady"
    /// The question for the password of a key.
    case enterPassword = "EnterPassword"
    /// The text of a comment for the log.
    case logComment = "LogComment"
    /// The checksum and the digest of the log.
    case logRight = "LogRight"
    /// What can be done with a network.
    case networkDetailsMenu = "NetworkDetailsMenu"
    /// One version of metadata, and what can be done with it.
    case manageMetadata = "ManageMetadata"
    /// The signature of content for other vaults, as codes.
    case sufficientCryptoReady = "SufficientCryptoReady"
    /// What can be done with a key.
    case keyDetailsAction = "KeyDetailsAction"
    /// The types, if there are any.
    case typesInfo = "TypesInfo"
    /// The seeds, one of which gets the keys that were scanned.
    case selectSeed = "SelectSeed"
    /// A danger, to be confirmed by its own text.
    case confirmRisk = "ConfirmRisk"
    /// The question for a text that confirms what cannot be undone.
    case confirmTyped = "ConfirmTyped"
    /// The keys that were derived on the fly, as codes.
    case dynamicReady = "DynamicReady"
    /// One share of a split backup, as a code.
    case splitShard = "SplitShard"
    /// The passphrase of a split backup.
    case splitPassphrase = "SplitPassphrase"
    /// The secret of one key, as a code.
    case exportSecret = "ExportSecret"
    /// The fields of a contact.
    case contactEdit = "ContactEdit"
    /// A file that was made of metadata: to be saved, or scanned.
    case madeFile = "MadeFile"
    /// Another name for a seed.
    case seedRename = "SeedRename"
    /// A new recovery code, to be written down.
    case recoveryCode = "RecoveryCode"
    /// A change of what protects the vault, to be confirmed.
    case confirmProtection = "ConfirmProtection"
}

/// What lies over everything and has to be dismissed before anything else is done.
///
/// Source: `signer-product` section 6.1.
package enum Alert: String, CaseIterable, Sendable {
    /// An action failed; the screen below is as it was.
    case error = "Error"
    /// A screen could not be made; only the settings are behind it.
    case errorDisplay = "ErrorDisplay"
    /// The state of the network detector, and what it keeps from being done.
    case shield = "Shield"
}
