import Navigator
import Signer
import Substrate
import TextForms

/// Makes what a page shows of a state.
struct PageMaker {
    let state: CoreState
    let host: any CoreHost
    let detector: DetectorView

    /// Whether several keys are being selected.
    var isSelecting: Bool { if case .selecting = state.specialty { true } else { false } }

    /// Whether the key that is shown is that of a seed itself.
    func isSeedKey() throws -> Bool {
        guard state.position.screen == .keyDetails else { return false }
        return try shownKey().details.isRoot
    }

    private func vault() throws -> Vault {
        if let vault = state.vault { return vault }
        throw host.isOnboarded ? CoreError.locked : CoreError.notSetUp
    }

    private func shownKey() throws -> StoredKey {
        let all = try vault().shownKeys(seed: state.seed, network: state.network)
        guard let key = all.first(where: { $0.signer == state.key }) else { throw CoreError.keyUnknown(key: "") }
        return key
    }

    /// The key sets that can be gone to, as they are now. Where they cannot be read the page is shown all the same, and
    /// those that are about keys say why.
    func keySets(on screen: ScreenData) -> [SeedSelectorData.Card] {
        switch screen {
        case .seedSelector(let data), .selectSeedForBackup(let data): data.seeds
        default: (try? SeedSelectorData(of: state.vault).seeds) ?? []
        }
    }

    // MARK: Screens

    func screen() throws -> ScreenData {
        switch state.position.screen {
        case .nowhere: .nowhere
        case .seedSelector: .seedSelector(try SeedSelectorData(of: state.vault))
        case .selectSeedForBackup: .selectSeedForBackup(try SeedSelectorData(of: vault()))
        case .keys: .keys(try KeysData(of: state, vault: vault()))
        case .keyDetails: .keyDetails(try details(of: shownKey()))
        case .keyDetailsMulti: .keyDetailsMulti(try selectedDetails())
        case .newSeed: .newSeed(NewSeedData(keyboard: state.position.modal == nil, name: state.newName))
        case .recoverSeedName:
            .recoverSeedName(NewSeedData(keyboard: state.position.alert == nil, name: state.newName))
        case .recoverSeedPhrase: .recoverSeedPhrase(try phrase())
        case .deriveKey: .deriveKey(try newKey())
        case .scan: .scan
        case .transaction: .transaction(try transaction())
        case .log: .log(try vault().logPage(before: state.logEnd))
        case .logDetails: .logDetails(try logDetails())
        case .settings: .settings(SettingsData(of: state.vault))
        case .verifier: .verifier(VerifierData(try vault().generalVerifier()))
        case .manageNetworks: .manageNetworks(try ManageNetworksData(of: vault()))
        case .networkDetails: .networkDetails(try networkDetails())
        case .signSufficientCrypto: .signSufficientCrypto(try content())
        case .documents: .documents
        case .airgapCheck: .airgapCheck(airgapCheck())
        case .unlock: .unlock(host.unlocking)
        case .splitRecover: .splitRecover(SplitRecoverData(state.shares))
        case .splitExport: .splitExport(SplitExportData(seed: try seed()))
        case .keySetExport: .keySetExport(try present(state.keySets))
        case .addressBook: .addressBook(AddressBookData(contacts: try contacts().map(\.view)))
        case .contactDetails: .contactDetails(try present(contact()))
        case .selfCheck: .selfCheck(SelfCheckData(lines: state.checks))
        case .metadataFiles: .metadataFiles(MetadataFilesData(state.files))
        case .networkPolicy: .networkPolicy(NetworkPolicyData(allowed: try vault().networkAllowance().names))
        case .protection: .protection(try host.protection(of: vault()))
        case .keyPreview: .keyPreview(try present(state.preview))
        }
    }

    private func seed() throws -> String {
        guard let seed = state.seed else { throw CoreError.noSeedChosen }
        return seed
    }

    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw CoreError.notPending }
        return value
    }

    private func details(of key: StoredKey) throws -> KeyDetailsData {
        try KeyDetailsData(key, in: vault().shownNetwork(state.network), vault: vault())
    }

    private func selectedDetails() throws -> KeyDetailsData {
        guard case .selecting(let selected) = state.specialty, selected.indices.contains(state.unit) else {
            throw CoreError.keyUnknown(key: "")
        }
        let all = try vault().shownKeys(seed: state.seed, network: state.network)
        var details = try details(of: present(all.first { $0.signer == selected[state.unit] }))
        details.current = state.unit + 1
        details.count = selected.count
        return details
    }

    private func phrase() throws -> RecoverSeedPhraseData {
        try RecoverSeedPhraseData(name: state.newName ?? "", draft: present(state.draft))
    }

    private func newKey() throws -> DeriveKeyData {
        let (vault, seed) = (try vault(), try seed())
        let specs = try vault.shownNetwork(state.network)
        let collision = try vault.shownKeys(seed: seed, network: specs.key).first { $0.signer == state.collision }
        return DeriveKeyData(
            seed: seed, network: NetworkCard(specs),
            suggestion: try vault.suggestedPath(ofSeed: seed, in: specs),
            collision: collision.map { KeyCard($0, in: specs) })
    }

    private func transaction() throws -> TransactionData { TransactionData(try present(state.transaction)) }

    private func logDetails() throws -> LogDetailsData {
        LogDetailsData(try vault().logDetails(order: present(state.logOrder)))
    }

    private func networkDetails() throws -> NetworkDetailsData {
        let all = try vault().networkList()
        guard let network = all.first(where: { $0.specs.key == state.shownNetwork }) else {
            throw CoreError.networkUnknown(key: "")
        }
        return NetworkDetailsData(network, all: all, general: try vault().generalVerifier())
    }

    private func content() throws -> SignContentData {
        var refused: RefusedContentData?
        if case .refused(let content)? = state.content { refused = try RefusedContentData(content, vault: vault()) }
        return SignContentData(
            content: try present(state.content).text(in: vault()), refused: refused,
            keys: try vault().contentKeys().map(contentKey))
    }

    private func contentKey(_ key: StoredKey) throws -> SignContentData.Key {
        SignContentData.Key(key, atRisk: SecretExposure.atRisk(among: try vault().keyRows()))
    }

    private func airgapCheck() -> AirgapCheckData {
        AirgapCheckData(
            detector: detector, checks: host.selfCheck(of: nil), isReady: detector.permitsSecrets)
    }

    private func contacts() throws -> [(account: [UInt8], view: ContactView)] {
        let networks = try vault().networks()
        return try vault().contacts().map { ($0.accountID, ContactView($0, networks: networks)) }
    }

    private func contact() throws -> ContactView? {
        guard let account = state.contact else { return nil }
        return try contacts().first { $0.account == account }?.view
    }

    // MARK: Modals

    func modal() throws -> ModalData? {
        guard let modal = state.position.modal else { return nil }
        return switch modal {
        case .backup: .backup(try BackupData(seed: seed(), vault: vault()))
        case .newSeedMenu: .newSeedMenu
        case .newSeedBackup: .newSeedBackup(try newSeedBackup())
        case .seedMenu: .seedMenu(SeedMenuData(seed: try seed()))
        case .seedRename: .seedRename(SeedMenuData(seed: try seed()))
        case .recoveryCode: .recoveryCode(try RecoveryCodeData(present(state.heldProtection?.code)))
        case .confirmProtection:
            .confirmProtection(ConfirmProtectionData(try present(state.heldProtection), asksPerson: host.asksPerson))
        case .networkSelector: .networkSelector(try networkSelector())
        case .passwordConfirm:
            .passwordConfirm(PasswordConfirmData(seed: try seed(), path: try present(state.heldPath).path))
        case .signatureReady: .signatureReady(try present(state.transaction?.answer))
        case .dynamicReady: .dynamicReady(try present(state.transaction?.answer))
        case .enterPassword: .enterPassword(try password())
        case .logComment: .logComment
        case .logRight: .logRight(LogRightData(try vault().verifyLog(), compared: state.logComparison))
        case .networkDetailsMenu: .networkDetailsMenu
        case .manageMetadata:
            .manageMetadata(try present(networkDetails().metadata.first { $0.version == state.shownMetadata }))
        case .sufficientCryptoReady: .sufficientCryptoReady(try contentReady())
        case .keyDetailsAction: .keyDetailsAction
        case .typesInfo: .typesInfo(TypesData(hash: try vault().typesHash()?.hex))
        case .selectSeed: .selectSeed(try SeedSelectorData(of: vault()))
        case .confirmRisk: .confirmRisk(try confirmRisk())
        case .confirmTyped: .confirmTyped(try present(ConfirmTypedData(of: state)))
        case .splitShard: .splitShard(try shard())
        case .splitPassphrase: .splitPassphrase(passphrase())
        case .exportSecret: .exportSecret(try present(state.exported))
        case .madeFile: .madeFile(try present(state.files.made))
        case .contactEdit: .contactEdit(ContactEditData(try contact(), networks: try vault().networks()))
        }
    }

    private func newSeedBackup() throws -> NewSeedBackupData {
        let phrase = try present(state.newPhrase)
        return NewSeedBackupData(
            name: state.newName ?? "", phrase: ShownSecret(try phrase.phrase()), wordCount: phrase.wordCount,
            thrown: state.newPhraseNote)
    }

    private func networkSelector() throws -> NetworkSelectorData {
        let networks = try vault().networks()
        return NetworkSelectorData(
            networks: networks.enumerated().map { NetworkCard($1, order: $0) },
            selected: networks.first { $0.key == state.network }.map { NetworkCard($0).key })
    }

    private func password() throws -> EnterPasswordData {
        if state.position.screen == .signSufficientCrypto {
            let signing = try present(state.signing)
            let key = try present(vault().contentKeys().first { $0.signer == signing.key })
            return EnterPasswordData(
                address: Hex.encode(key.signer.publicKey), seed: key.details.seedName, path: key.details.path,
                attempt: signing.attempts + 1, attempts: ActionExecution.attemptLimit)
        }
        let transaction = try present(state.transaction)
        let author = try present(transaction.nextWithPassword).request.author
        return EnterPasswordData(
            address: author.base58, seed: author.seedName, path: author.path, attempt: transaction.attempts + 1,
            attempts: ActionExecution.attemptLimit)
    }

    private func contentReady() throws -> ContentReadyData {
        let signing = try present(state.signing)
        let key = try present(vault().contentKeys().first { $0.signer == signing.key })
        return ContentReadyData(
            content: try present(state.content).text(in: vault()), author: try contentKey(key),
            code: try present(signing.answer))
    }

    private func confirmRisk() throws -> ConfirmRiskData {
        if state.position.screen == .signSufficientCrypto {
            let open = try vault().dangers(ofContentSigning: present(state.signing))
            return try present(ConfirmRiskData(open, signedBy: "public key that signs"))
        }
        let transaction = try present(state.transaction)
        let answer = try present(transaction.proposal).answer
        let open = answer.confirmations.missing(from: transaction.confirmations)
        return try present(ConfirmRiskData(open))
    }

    private func shard() throws -> SplitShardData {
        let split = try present(state.split)
        return SplitShardData(
            title: split.split.title, number: split.index + 1, total: split.shares.count,
            required: split.split.plan.required, notShown: split.shares.count - split.shown.count,
            share: try ShownShare(split.shares[split.index]))
    }

    private func passphrase() -> SplitPassphraseData {
        if let split = state.split { return SplitPassphraseData(passphrase: ShownSecret(split.split.passphrase)) }
        return SplitPassphraseData(
            name: state.shares.flatMap { SeedName.proposed(for: $0.title) }, attemptsLeft: state.shares?.attemptsLeft)
    }

    // MARK: Alerts

    /// When it was noted that the machine is not safe; a locked vault tells nothing.
    private func notedDanger() -> String? {
        guard detector.state != .safe else { return nil }
        return try? state.vault?.newestDanger()
    }

    func alert() -> AlertData? {
        switch state.position.alert {
        case nil: nil
        case .shield?: .shield(ShieldData(detector, isVaultOpen: state.vault != nil, since: notedDanger()))
        case .error?, .errorDisplay?: .error(state.failure ?? CoreFailure(CoreError.notPending))
        }
    }
}
