import Navigator
import NetworkDetector

extension ActionExecution {
    /// Whether a guard holds. What it names is in the files of its area.
    func holds(_ condition: Guard) -> Bool {
        switch condition {
        // Places
        case .hasFooter: state.position.screen.hasFooter
        case .hasData: !data.isEmpty
        case .noData: data.isEmpty
        // The network detector
        case .detectorSafe: detector.permitsSecrets
        case .detectorUnsafe: !detector.permitsSecrets
        case .detectorWasOnline: detector.state == .wasOnline
        // The store of secrets
        case .notOnboarded: !host.isOnboarded
        case .locked: host.isOnboarded && host.isLocked
        case .unlocked: host.isOnboarded && !host.isLocked
        case .credentialGood: credentialIsGood()
        case .unlockSucceeded: unlocks()
        case .protectionGood: protectionIsGood()
        case .codeIsNew: state.heldProtection?.code != nil
        case .codeRepeated: repeatsCode()
        case .protectionChanged: changesProtection()
        case .authenticated: isAuthenticated()
        // Seeds
        case .noSeeds: hasNoSeeds()
        case .seedNameGood, .seedNameFree: nameIsFree()
        case .seedNameBad, .seedNameTaken: !nameIsFree()
        case .renamed: renamesSeed()
        case .phraseMade: makesPhrase()
        case .hasDraft: state.draft != nil
        case .previewed: previews()
        // Keys
        case .selectingSeveral: if case .selecting = state.specialty { true } else { false }
        case .swiped: if case .swiped = state.specialty { true } else { false }
        case .selectionNonempty: selectionIsNonempty()
        case .keyKnown: keyIsKnown()
        case .pathHasPassword: pathHasPassword()
        case .created: making.isMade
        case .keyExists: making.exists
        case .countGood: increments()
        // What was scanned
        case .transactionIsRead: state.transaction?.kind == .read
        case .transactionIsRefused: state.transaction?.refusedContent != nil
        case .transactionIsSign: state.transaction?.kind == .sign
        case .transactionAddsSpecs: state.transaction?.kind == .addSpecs
        case .transactionLoadsMetadata: state.transaction?.kind == .loadMetadata
        case .transactionLoadsTypes: state.transaction?.kind == .loadTypes
        case .transactionIsDerivations: state.transaction?.kind == .derivations
        case .transactionIsDynamic: state.transaction?.kind == .dynamic
        case .transactionIsKeySets: state.transaction?.kind == .keySets
        case .riskOpen: riskIsOpen()
        case .acknowledged: acknowledges()
        case .nextNeedsPassword: nextNeedsPassword()
        case .signed: isSigned()
        case .signedNextNeedsPassword: state.position.screen == .transaction && signing.needsNext
        case .wrongCredential: attemptsLeft() != nil
        case .attemptsLeft: (attemptsLeft() ?? 0) > 0
        case .derived: sharesDerivations()
        case .imported: imports()
        // Networks and updates
        case .contentIsTypes: state.content == .types
        case .contentIsRefused: if case .refused? = state.content { true } else { false }
        case .keyNeedsPassword: contentKeyNeedsPassword()
        case .versionKnown: versionIsKnown()
        // Shares
        case .shareGood, .shareCompletes: sharesAreTaken(completing: condition == .shareCompletes)
        case .recovered: recovering.isDone
        case .split: splits()
        case .allShown: allSharesWereShown()
        // The rest
        case .orderKnown: orderIsKnown()
        case .logContains: logContains()
        case .networkPolicySet: setsNetworkPolicy()
        case .metadataRead: readsMetadata()
        case .tokenGood: takesToken()
        case .proofVerified: verifiesProof()
        case .hashSame: hashIsSame()
        case .proved: proves()
        case .madeLean: makesLean()
        case .contactGood: contactIsGood()
        case .typedRight: isTypedRight()
        case .known: isKnown()
        case .succeeded: operationSucceeds()
        }
    }

    /// Whether what the data name is known: a seed, several, or a contact.
    private func isKnown() -> Bool {
        switch action {
        case .selectContact: contactIsKnown()
        case .exportKeySets: keySetsAreKnown()
        default: seedIsKnown()
        }
    }

    /// Whether the operation that the rule names succeeded.
    private func operationSucceeds() -> Bool {
        switch (action, state.position.screen) {
        case (.goForward, .transaction): takesUpdate()
        case (.removeKey, _): removesKeys()
        case (.removeTypes, _): removesTypes()
        case (.removeNetwork, _): removesNetwork()
        case (.removeMetadata, _): removesMetadata()
        default: false
        }
    }

    private func isSigned() -> Bool {
        state.position.screen == .signSufficientCrypto ? contentSigning.isDone : signing.isDone
    }

    /// Nil unless the password was wrong.
    private func attemptsLeft() -> Int? {
        switch state.position.screen {
        case .signSufficientCrypto: contentSigning.attemptsLeft
        case .splitRecover: recovering.attemptsLeft
        default: signing.attemptsLeft
        }
    }
}
