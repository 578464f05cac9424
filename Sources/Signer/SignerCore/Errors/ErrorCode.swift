/// The codes that programs, tests and help tell errors apart by: stable, whatever the texts say.
///
/// Parts of the vault have names of their own for some of these, as payloads and metadata have in `signer-wire`;
/// ``spellings`` is the one place where they meet. What the vault adds to the list, like `SeedNameLookalike`, goes by
/// its own name. Shares have a list of their own (`signer-product` section 10.4).
///
/// Source: `signer-product` section 9.
package enum ErrorCode: String, CaseIterable, Sendable {
    // What was scanned
    case tooShort, notSubstrate, encryptionNotSupported, payloadNotSupported, badSignature, notHex, codec, trailingBytes
    case invalidMessagePayload, addrNotFound, unknownNetwork, noMetadata, metadataOutdated, separateMethodExtensions
    case extensionsUndecodable, methodUndecodable, checkMetadataHashMismatch
    case historicalMetadata, historicalNetworkUnknown
    // Metadata
    case notMeta, versionIncompatible, noSystemPallet, noVersionInConstants, runtimeVersionNotDecodable
    case base58PrefixNotDecodable, base58PrefixSpecsMismatch, unableToDecode
    // Updates
    case importantSpecsChanged, specsKnown, addSpecsDifferentName, addSpecsDifferentBase58, specsMalformed, needVerifier
    case addSpecsVerifierChanged, needGeneralVerifier, generalVerifierChanged, typesKnown, loadMetaUnknownNetwork
    case loadMetaNoSpecs, loadMetaWrongGenesisHash, loadMetaSetVerifier, loadMetaVerifierChanged
    case loadMetaSetGeneralVerifier, loadMetaGeneralVerifierChanged, metadataKnown, sameNameVersionDifferentMeta
    case networkBlocked
    // Keys
    case emptySeed, emptySeedName, seedNameInvalid, seedNameTaken, seedAlreadyExists, invalidMnemonic, invalidDerivation
    case lostPwd, passwordConfirmMismatch, derivationExists, keyCollision, keyCollisionBatch, seedNotFound, keyNotFound
    case noKnownSeeds, incrementCount, incrementOverflow, incrementPassworded, networkForDerivationsImport
    case importPasswordNotAllowed, importAddressMismatch, noSeedForKeyPair, noRootKeyForSeed, secretExposedMismatch
    case networkNotEnabledForKey, noNetworksAvailable
    // Signing
    case wrongPassword, seedPhraseMismatch, noSeedPhrase, seedsNumMismatch, checksumMismatch, nothingPending
    case txActionNotSign, riskNotAcknowledged
    // The vault
    case dbNotInitialized, dbSchemaMismatch, databaseDamaged, storageUnavailable, mutexPoisoned, historyEntryNotFound
    case typesNotFound, metaValuesNotFound, networkSpecsNotFound, wrongCredential, credentialTooWeak, credentialsDiffer
    case confirmationMismatch, ackNotPossible, detectorNotSafe, qrTooLarge
    // Contacts
    case contactAddressInvalid, contactNameInvalid, contactNameTaken, contactExists

    /// The code as it is written: `TooShort`.
    package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// What the same error is called elsewhere, where it is called otherwise.
    static let spellings: [String: ErrorCode] = [
        // `signer-wire` section 11
        "HexDecoding": .notHex, "DataTooShort": .tooShort, "NoCompact": .codec, "NoSeedFound": .noSeedForKeyPair,
        "RuntimeVersionNotDecodeable": .runtimeVersionNotDecodable,
        "Base58PrefixNotDecodeable": .base58PrefixNotDecodable, "VersionNotReadable": .versionIncompatible,
        // What the rules of updates say of their subject is a parameter here.
        "NeedGeneralVerifier(network)": .needGeneralVerifier, "NeedGeneralVerifier(types)": .needGeneralVerifier,
        "GeneralVerifierChanged(network)": .generalVerifierChanged,
        "GeneralVerifierChanged(types)": .generalVerifierChanged,
        "DatabaseDamaged.CustomVerifierIsGeneral": .databaseDamaged,
        "DatabaseDamaged.UnexpectedGenesisHash": .databaseDamaged,
        // The vault, and the core above it
        "RiskNotConfirmed": .riskNotAcknowledged,
    ]

    /// The code of an error by the name that its own part of the vault gives it.
    static func name(for spelling: String) -> String { spellings[spelling]?.name ?? spelling }
}
