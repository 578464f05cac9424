/// What each screen shows.
///
/// Source: `signer-product` section 6.3.
package enum ScreenData: Sendable, Encodable {
    case nowhere
    case seedSelector(SeedSelectorData)
    case keys(KeysData)
    case keyDetails(KeyDetailsData)
    case keyDetailsMulti(KeyDetailsData)
    case newSeed(NewSeedData)
    case recoverSeedName(NewSeedData)
    case recoverSeedPhrase(RecoverSeedPhraseData)
    case deriveKey(DeriveKeyData)
    case scan
    case transaction(TransactionData)
    case log(LogData)
    case logDetails(LogDetailsData)
    case settings(SettingsData)
    case verifier(VerifierData)
    case manageNetworks(ManageNetworksData)
    case networkDetails(NetworkDetailsData)
    case selectSeedForBackup(SeedSelectorData)
    case signSufficientCrypto(SignContentData)
    case documents
    case airgapCheck(AirgapCheckData)
    case unlock(UnlockData)
    case splitRecover(SplitRecoverData)
    case splitExport(SplitExportData)
    case keySetExport(KeySetExportData)
    case addressBook(AddressBookData)
    case contactDetails(ContactView)
    case selfCheck(SelfCheckData)
    case networkPolicy(NetworkPolicyData)
    case metadataFiles(MetadataFilesData)
    case protection(ProtectionData)
    case keyPreview(KeyPreviewData)

    /// The value of the screen; nil where it shows nothing but its frame.
    var value: (any Encodable)? {
        switch self {
        case .nowhere, .scan, .documents: nil
        case .seedSelector(let data), .selectSeedForBackup(let data): data
        case .keys(let data): data
        case .keyDetails(let data), .keyDetailsMulti(let data): data
        case .newSeed(let data), .recoverSeedName(let data): data
        case .recoverSeedPhrase(let data): data
        case .deriveKey(let data): data
        case .transaction(let data): data
        case .log(let data): data
        case .logDetails(let data): data
        case .settings(let data): data
        case .verifier(let data): data
        case .manageNetworks(let data): data
        case .networkDetails(let data): data
        case .signSufficientCrypto(let data): data
        case .airgapCheck(let data): data
        case .unlock(let data): data
        case .splitRecover(let data): data
        case .splitExport(let data): data
        case .keySetExport(let data): data
        case .addressBook(let data): data
        case .contactDetails(let data): data
        case .selfCheck(let data): data
        case .networkPolicy(let data): data
        case .metadataFiles(let data): data
        case .protection(let data): data
        case .keyPreview(let data): data
        }
    }

    package func encode(to encoder: any Encoder) throws { try (value ?? NoMembers()).encode(to: encoder) }
}

/// For objects without members.
struct NoMembers: Encodable {}
