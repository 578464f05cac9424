/// What lies over a screen.
///
/// Source: `signer-product` section 6.4.
package enum ModalData: Sendable, Encodable {
    case backup(BackupData)
    case newSeedMenu
    case newSeedBackup(NewSeedBackupData)
    case seedMenu(SeedMenuData)
    case networkSelector(NetworkSelectorData)
    case passwordConfirm(PasswordConfirmData)
    case signatureReady(CodeData)
    case enterPassword(EnterPasswordData)
    case logComment
    case logRight(LogRightData)
    case networkDetailsMenu
    case manageMetadata(MetadataData)
    case sufficientCryptoReady(ContentReadyData)
    case keyDetailsAction
    case typesInfo(TypesData)
    case selectSeed(SeedSelectorData)
    case confirmRisk(ConfirmRiskData)
    case confirmTyped(ConfirmTypedData)
    case dynamicReady(CodeData)
    case splitShard(SplitShardData)
    case splitPassphrase(SplitPassphraseData)
    case exportSecret(ExportSecretData)
    case contactEdit(ContactEditData)
    case madeFile(MadeFileData)
    case seedRename(SeedMenuData)
    case recoveryCode(RecoveryCodeData)
    case confirmProtection(ConfirmProtectionData)

    /// The value of the modal; nil where it shows nothing but its choices.
    var value: (any Encodable)? {
        switch self {
        case .newSeedMenu, .logComment, .networkDetailsMenu, .keyDetailsAction: nil
        case .backup(let data): data
        case .newSeedBackup(let data): data
        case .seedMenu(let data), .seedRename(let data): data
        case .networkSelector(let data): data
        case .passwordConfirm(let data): data
        case .signatureReady(let data), .dynamicReady(let data): data
        case .enterPassword(let data): data
        case .logRight(let data): data
        case .manageMetadata(let data): data
        case .sufficientCryptoReady(let data): data
        case .typesInfo(let data): data
        case .selectSeed(let data): data
        case .confirmRisk(let data): data
        case .confirmTyped(let data): data
        case .splitShard(let data): data
        case .splitPassphrase(let data): data
        case .exportSecret(let data): data
        case .contactEdit(let data): data
        case .madeFile(let data): data
        case .recoveryCode(let data): data
        case .confirmProtection(let data): data
        }
    }

    package func encode(to encoder: any Encoder) throws { try (value ?? NoMembers()).encode(to: encoder) }
}
