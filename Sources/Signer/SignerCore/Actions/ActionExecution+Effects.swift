import Navigator

extension ActionExecution {
    /// Does what a rule says beside moving. What a guard has carried out already is only taken over.
    func carryOut(_ effect: Effect) throws {
        switch effect {
        // What is forgotten
        case .purgeTransaction: try purgeTransaction()
        case .wipeSecret: wipeSecrets()
        case .wipeDraft: state.draft = nil
        case .wipeShareSet: try wipeShares()
        // The host
        case .acknowledgeDanger: try acknowledgeDanger()
        case .onboard, .unlock, .holdProtection, .changeProtection: break  // Its guard has done it.
        case .lock: lock()
        case .wipeAll: try wipe(keepingVerifier: true)
        case .wipeAllForgettingVerifier: try wipe(keepingVerifier: false)
        case .lookAnew: lookAnew()
        case .selfCheck: state.checks = host.selfCheck(of: state.vault)
        // The log
        case .addUserEntry: try addUserEntry()
        case .clearHistory: try clearHistory()
        case .showOlder: try moveLog(-1)
        case .showNewer: try moveLog(1)
        case .log, .logSignError, .logWrongPassword: break  // In the transaction of what it tells of.
        // Seeds
        case .generatePhrase: try generatePhrase()
        case .makePhrase, .renameSeed, .previewKeys: break  // Its guard has done it.
        case .createSeed: try createSeed()
        case .createSeedFromShares: takeRecoveredSeed()
        case .removeSeed: try removeSeed()
        case .setDraftText: try editDraft { try $0.enter($1) }
        case .pushDraftWord: try editDraft { _ = try $0.push($1) }
        // Keys
        case .clearSpecialty: state.specialty = .none
        case .createAddress: (state.specialty, state.collision) = (.none, nil)
        case .rememberCollision: state.collision = making.collision
        case .toggleInSelection: try toggleInSelection()
        case .startSelection: break  // Part of the toggling.
        case .toggleSwipe: try toggleSwipe()
        case .selectAll: try selectAll()
        case .createIncrementSet, .removeKey, .removeKeys: state.specialty = .none
        case .setNetwork: try setNetwork()
        case .selectNext: try select(1)
        case .selectPrevious: try select(-1)
        case .holdPath: break  // Its guard has read it.
        case .exportSecret: try exportSecret()
        // What was scanned
        case .parse: try parse()
        case .holdSecrets: break  // The vault opens its phrases itself; those given were compared.
        case .setComment: state.transaction?.comment = data
        case .sign: takeSignature()
        case .applyStub: takeUpdate()
        case .importDerivations, .importKeySets, .deriveDynamic: break  // Its guard has done it.
        case .acknowledgeRisk: acknowledge()
        // Networks and updates
        case .removeTypes, .removeMetadata, .removeNetwork: break  // Its guard has done it.
        case .blockNetwork: try blockNetwork()
        case .setContentToSpecs: try setContent(to: .specs)
        case .setContentToMetadata: try setContent(to: .metadata)
        case .setContentToTypes: try setContent(to: .types)
        case .setContentToRefused: try setContent(to: .refused)
        case .signContent: takeContentSignature()
        // Shares
        case .newShareSet: state.shares = nil
        case .addShare, .makeShares: break  // Its guard has done it.
        // Contacts
        case .saveContact: break  // Its guard has done it.
        case .removeContact: try removeContact()
        }
    }

    /// Sets what the new position needs, where no effect of its rule says so.
    func prepare() throws {
        switch (action, state.position.screen) {
        case (.selectSeed, .keys): try chooseSeed(data)
        case (.backupSeed, .keys) where state.seed == nil: try chooseSeed(data)
        case (.goForward, .recoverSeedPhrase) where state.draft == nil: try beginDraft()
        case (.newKey, .deriveKey): state.collision = nil
        case (.previewKeys, .keyPreview): state.preview = try firstPreview()
        case (.selectKey, .keyDetails): try chooseKey()
        case (.exportMultiSelect, .keyDetailsMulti): state.unit = 0
        case (.goForward, .networkDetails) where state.shownNetwork == nil: state.shownNetwork = try namedNetwork()
        case (.manageMetadata, .networkDetails): state.shownMetadata = UInt32(data)
        case (.showLogDetails, .logDetails): state.logOrder = Int(data)
        case (.selectContact, .contactDetails): chooseContact()
        default: break
        }
    }
}
