import Navigator
import SecretMemory
import Signer
import Testing
import TextForms

@testable import SignerCore

/// What the recorded flows do not do.
@Suite("Every effect")
struct EveryEffectTests {
    private func keys(_ page: ActionResult) throws -> KeysData {
        guard case .keys(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    private func alice() throws -> (test: TestCore, keys: KeysData) {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.networkSelector)
        return (test, try keys(test.act(.changeNetwork, TestCore.westend)))
    }

    @Test("a secret that is exported exposes its key and those below, and leaves the screen with the next step")
    func exportSecret() throws {
        let (test, keys) = try alice()
        let key = try #require(keys.keys.first)
        try test.act(.selectKey, key.addressKey)
        try test.act(.rightButtonAction)
        let shown = try test.act(.exportSecret)
        guard case .exportSecret(let data)? = shown.modal else {
            Issue.record("not shown: \(shown.errorCode ?? "")")
            return
        }
        #expect(shown.rule == "T258" && data.key.isExposed)
        #expect(try TestCore.json(shown, revealing: true).contains("secret:0x"))
        #expect(try !TestCore.json(shown, revealing: false).contains("secret:0x"))
        try test.act(.goBack)
        let page = try test.act(.goBack)
        #expect(try self.keys(page).keys.first?.isExposed == true)
    }

    @Test("keys are numbered on, swiped away, and removed from their own page")
    func keys() throws {
        let (test, keys) = try alice()
        let key = try #require(keys.keys.first)
        try test.act(.swipe, key.addressKey)
        #expect(try test.act(.increment, "0").errorCode == "IncrementCount")
        try test.act(.goBack)
        let more = try self.keys(test.act(.increment, "2"))
        #expect(more.keys.map(\.path) == ["//westend", "//westend//0", "//westend//1"])
        try test.act(.selectKey, more.keys[1].addressKey)
        try test.act(.rightButtonAction)
        let removed = try test.act(.removeKey)
        #expect(removed.rule == "T106" && removed.position == Position(.log))
        #expect(try test.act(.navbarKeys).position == Position(.seedSelector))
        try test.act(.selectSeed, "Alice")
        try test.act(.networkSelector)
        let left = try self.keys(test.act(.changeNetwork, TestCore.westend))
        #expect(left.keys.map(\.path) == ["//westend", "//westend//1"])
    }

    @Test("key sets go out and come back in, and nothing is new then")
    func keySets() throws {
        let (test, _) = try alice()
        try test.act(.goBack)
        let exported = try test.act(.exportKeySets, "Alice")
        guard case .keySetExport(let data) = exported.screen else {
            Issue.record("not exported: \(exported.errorCode ?? "")")
            return
        }
        #expect(data.names == ["Alice"] && data.code.isMoving)
        try test.act(.goBack)
        #expect(try test.act(.exportKeySets, "Nobody").errorCode == "SeedNotFound")
        try test.act(.goBack)
        try test.act(.navbarScan)
        guard case .transaction(let scanned) = try test.act(.transactionFetched, Hex.encode(data.code.content)).screen
        else {
            Issue.record("not read")
            return
        }
        #expect(scanned.kind == "KeySets")
        #expect(try test.act(.goForward).rule == "T230")
    }

    @Test("a network is blocked when its title is typed, and not before")
    func block() throws {
        let (test, _) = try alice()
        try test.act(.navbarSettings)
        try test.act(.manageNetworks)
        try test.act(.goForward, TestCore.westend)
        try test.act(.rightButtonAction)
        #expect(try test.act(.blockNetwork).position.modal == .confirmTyped)
        #expect(try test.act(.goForward, "westend").errorCode == "ConfirmationMismatch")
        try test.act(.goBack)
        guard case .manageNetworks(let data) = try test.act(.goForward, "Westend").screen else {
            Issue.record("not blocked")
            return
        }
        #expect(data.absent.map(\.trust) == ["blocked"])
    }

    @Test("the general verifier is forgotten with everything, when the end of its key is typed")
    func forget() throws {
        let (test, _) = try alice()
        try test.act(.navbarSettings)
        guard case .verifier(let verifier) = try test.act(.viewGeneralVerifier).screen else {
            Issue.record("no verifier")
            return
        }
        try test.act(.forgetGeneralVerifier)
        test.host.setDetector(.wasOnline)
        let end = String(try #require(verifier.publicKey).suffix(8))
        #expect(try test.act(.goForward, end).position.alert == .shield)
        test.host.setDetector(.safe)
        try test.act(.goBack)
        #expect(try test.act(.goForward, end).position == Position(.seedSelector, modal: .newSeedMenu))
        #expect(try test.core.seedNames() == [])
        try test.act(.navbarSettings)
        try test.act(.navbarSettings)
        guard case .verifier(let none) = try test.act(.viewGeneralVerifier).screen else { return }
        #expect(none.publicKey == nil)
    }

    @Test("contacts are shown, changed and removed, and the self check has its page")
    func contacts() throws {
        let (test, _) = try alice()
        try test.act(.navbarSettings)
        let checked = try test.act(.runSelfCheck)
        #expect(checked.position == Position(.selfCheck))
        try test.act(.goBack)
        try test.act(.openAddressBook)
        try test.act(.newContact)
        #expect(try test.act(.goForward, "Bob").errorCode == "Codec")
        try test.act(.goBack)
        let bob = #"{"name":"NAME","address":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"}"#
        guard case .addressBook(let data) = try test.act(.goForward, bob.replacing("NAME", with: "Bob")).screen else {
            Issue.record("not kept")
            return
        }
        let contact = try #require(data.contacts.first)
        #expect(try test.act(.selectContact, contact.account).position == Position(.contactDetails))
        try test.act(.editContact)
        guard case .contactDetails(let changed) = try test.act(.goForward, bob.replacing("NAME", with: "Robert")).screen
        else {
            Issue.record("not changed")
            return
        }
        #expect(changed.name == "Robert" && changed.addresses.contains { $0.network == "Westend" })
        // A new one has nothing of the one that was looked at last.
        try test.act(.goBack)
        guard case .contactEdit(let new)? = try test.act(.newContact).modal else {
            Issue.record("no form")
            return
        }
        #expect(new.contact == nil)
        let same = try test.act(.goForward, bob.replacing("NAME", with: "Bob"))
        #expect(same.errorCode == "ContactExists")
        try test.act(.goBack)
        try test.act(.selectContact, contact.account)
        let removed = try test.act(.removeContact)
        guard case .addressBook(let left) = removed.screen else { return }
        #expect(removed.rule == "T272" && left.contacts.isEmpty)
    }

    @Test("paths that were scanned are refused as a whole, or make keys below the seed that is chosen")
    func paths() throws {
        let (test, _) = try alice()
        func scan(_ hex: String) throws -> TransactionData {
            try test.act(.navbarScan)
            guard case .transaction(let data) = try test.act(.transactionFetched, hex).screen else {
                throw CoreError.notPending
            }
            return data
        }
        let head = "53ffde" + TestCore.westend
        let password = Hex.encode(Array("//a///pw".utf8))
        #expect(try scan(head + "0420" + password).refusal?.code == "ImportPasswordNotAllowed")
        try test.act(.goBack)
        let unknown = "53ffde01" + String(repeating: "77", count: 32) + "040c2f2f61"
        #expect(try scan(unknown).refusal?.code == "NetworkForDerivationsImport")
        try test.act(.goBack)
        #expect(try scan(head + "080c2f2f610c2f2f62").kind == "Derivations")
        try test.act(.goForward)
        #expect(try test.act(.goForward, "Nobody").errorCode == "SeedNotFound")
        try test.act(.goBack)
        let made = try keys(test.act(.goForward, "Alice"))
        #expect(made.keys.map(\.path) == ["//a", "//b", "//westend"] && made.network.title == "Westend")
    }

    @Test("content is signed with a key that has a password, which is asked for three times and logged when wrong")
    func contentPassword() throws {
        let (test, _) = try alice()
        try test.act(.newKey)
        try test.act(.checkPassword, "//a///zwölf-Boote")
        let made = try keys(test.act(.goForward, "//a///zwölf-Boote"))
        let key = try #require(made.keys.first { $0.path == "//a" })
        func choose() throws -> ActionResult {
            try test.act(.navbarSettings)
            try test.act(.manageNetworks)
            try test.act(.goForward, TestCore.westend)
            try test.act(.rightButtonAction)
            #expect(try test.act(.signNetworkSpecs).position == Position(.signSufficientCrypto))
            return try test.act(.goForward, key.addressKey)
        }
        #expect(try choose().rule == "T066")
        let empty = try test.act(.goForward)
        #expect(empty.rule == "T072" && empty.errorCode == "LostPwd")
        try test.act(.goBack)
        let wrong = try test.act(.goForward, "wrong")
        #expect(wrong.rule == "T070" && wrong.errorCode == "WrongPassword")
        guard case .enterPassword(let question)? = try test.act(.goBack).modal else {
            Issue.record("no question")
            return
        }
        #expect(question.attempt == 2 && question.path == "//a")
        let signed = try test.act(.goForward, "", secret: "zwölf-Boote")
        guard case .sufficientCryptoReady(let ready)? = signed.modal else {
            Issue.record("not signed: \(signed.errorCode ?? "")")
            return
        }
        #expect(signed.rule == "T069" && ready.code.content.count == 1 + 32 + 64 && ready.author.path == "//a")
        #expect(try test.act(.goBack).position == Position(.settings))
        _ = try choose()
        for rule in ["T070", "T070", "T071"] {
            #expect(try test.act(.goForward, "wrong").rule == rule)
            if rule == "T070" { try test.act(.goBack) }
        }
        #expect(try test.act(.goBack).position == Position(.log))
        let events = try #require(try test.host.openVault()).log().flatMap(\.events).filter { $0.hasPrefix("Wrong") }
        #expect(events.count == 4)
    }

    @Test("addresses that a wallet asks for are derived, and handed out as codes")
    func dynamicDerivations() throws {
        let (test, keys) = try alice()
        let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
        let genesis = TestCore.westend.dropFirst(2)
        let request = "53ffdf0001" + root + "04" + "14" + Hex.encode(Array("//new".utf8)) + "01" + genesis
        try test.act(.navbarScan)
        guard case .transaction(let data) = try test.act(.transactionFetched, request).screen else {
            Issue.record("not read")
            return
        }
        #expect(data.kind == "Dynamic" && data.refusal == nil)
        let answer = try test.act(.goForward)
        guard case .dynamicReady(let code)? = answer.modal else {
            Issue.record("not derived: \(answer.errorCode ?? "")")
            return
        }
        #expect(answer.rule == "T227" && code.isMoving && !code.content.isEmpty)
        try test.act(.goBack)
        try test.act(.navbarKeys)
        try test.act(.selectSeed, "Alice")
        try test.act(.networkSelector)
        let now = try self.keys(test.act(.changeNetwork, TestCore.westend))
        #expect(now.keys.count == keys.keys.count + 1 && now.keys.contains { $0.path == "//new" })
    }
}
