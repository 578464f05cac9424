import Foundation
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Synchronization
import Testing

@testable import SignerCore

@Suite("The core")
struct CoreTests {
    @Test("an impossible action changes nothing and gives the page again")
    func impossible() throws {
        let test = try TestCore()
        let before = try test.act(.start)
        for action in [UserAction.increment, .shareFetched, .nextUnit, .removeTypes, .pushWord] {
            let result = try test.act(action, "1")
            #expect(result.rule == nil && result.position == before.position && result.alert == nil)
        }
    }

    @Test("an alert swallows everything but its dismissal")
    func alerts() throws {
        let test = try TestCore()
        try test.act(.start)
        #expect(try test.act(.shield).position.alert == .shield)
        for action in UserAction.allCases where action != .goBack && action != .nothing {
            #expect(try test.act(action).position.alert == .shield, "\(action.rawValue)")
        }
        let back = try test.act(.goBack)
        #expect(back.position == Position(.seedSelector, modal: .newSeedMenu))
    }

    @Test("there is nothing to acknowledge while the air gap holds")
    func acknowledging() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.shield)
        #expect(try test.act(.ackShield).position.alert == .shield)
    }

    @Test("an action while another is under way is refused, and nothing is done")
    func busy() throws {
        let inner = Mutex<Result<ActionResult, CoreError>?>(nil)
        let host = ReentrantHost(try MemoryHost(TestCore.bundle(hasMetadata: false)))
        let core = Core(host: host)
        _ = try core.action(.start)
        host.whenAsked.withLock { body in
            body = {
                let thread = Thread {
                    inner.withLock { $0 = Result { () throws(CoreError) in try core.action(.navbarLog) } }
                }
                thread.start()
                while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
            }
        }
        let result = try core.action(.newSeed)
        guard case .failure(let error)? = inner.withLock({ $0 }) else {
            Issue.record("it was done")
            return
        }
        #expect(error == .busy && error.code == "Busy")
        #expect(result.position == Position(.newSeed))
    }

    @Test("a page that cannot be made leaves an alert over nothing, and the settings behind it")
    func errorDisplay() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        let vault = try #require(try test.host.openVault())
        for network in try vault.networks() { try vault.removeNetwork(network.genesisHash) }
        try test.act(.goBack)
        let broken = try test.act(.selectSeed, "Alice")
        #expect(broken.position == .broken && broken.errorCode == "NoNetworksAvailable")
        #expect(try test.act(.navbarLog).position.alert == .errorDisplay)
        let settings = try test.act(.goBack)
        #expect(settings.position == Position(.settings))
    }

    @Test("a new seed is shown once, in its own modal, and stored only behind it")
    func newSeed() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.newSeed)
        #expect(try test.act(.goForward, " ").errorCode == "EmptySeedName")
        try test.act(.goBack)
        let shown = try test.act(.goForward, "Portia")
        guard case .newSeedBackup(let data)? = shown.modal else {
            Issue.record("no words")
            return
        }
        let words = data.phrase.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(words.split(separator: " ").count == 24 && data.wordCount == 24)
        #expect(try !TestCore.json(shown, revealing: false).contains(words))
        #expect(try TestCore.json(shown, revealing: true).contains(words))
        #expect(try test.core.seedNames() == [])
        #expect(try test.act(.goForward, "true", secret: TestCore.phrase).errorCode == "SeedPhraseMismatch")
        try test.act(.goBack)
        let keys = try test.act(.goForward, "true", secret: words)
        #expect(keys.position == Position(.keys))
        #expect(try test.core.seedNames() == ["Portia"])
        guard case .keys(let page) = keys.screen else {
            Issue.record("no keys")
            return
        }
        #expect(page.root != nil && page.keys.count == 1)
    }

    @Test("a phrase that is given is the stored one, or nothing is done")
    func otherPhrases() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.newKey)
        let other = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        #expect(try test.act(.goForward, "//1", secret: other).errorCode == "SeedPhraseMismatch")
        try test.act(.goBack)
        #expect(try test.act(.goForward, "//1", secret: "").errorCode == "NoSeedPhrase")
        try test.act(.goBack)
        #expect(try test.act(.goForward, "//1", secret: TestCore.phrase).position == Position(.keys))
        try test.act(.newKey)
        let again = try test.act(.goForward, "//1")
        #expect(again.rule == "T045" && again.errorCode == "DerivationExists")
        guard case .deriveKey(let page) = try test.act(.goBack).screen else {
            Issue.record("no path")
            return
        }
        #expect(page.collision?.path == "//1")
    }

    @Test("a path is looked at while it is typed")
    func typedPath() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        #expect(throws: CoreError.notPending) { try test.core.derivationCheck("//1") }
        try test.act(.newKey)
        let free = try test.core.derivationCheck("//1")
        #expect(free.isGood && !free.asksPassword && free.collision == nil && free.error == nil)
        let password = try test.core.derivationCheck("//1///hidden")
        #expect(password.isGood && password.asksPassword)
        let taken = try test.core.derivationCheck("//polkadot")
        #expect(!taken.isGood && taken.collision?.path == "//polkadot")
        #expect(try test.core.derivationCheck("1").error?.code == "InvalidDerivation")
    }

    @Test("shares leave memory with the screen that shows them")
    func split() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        try test.act(.splitSeed)
        let shown = try test.act(.goForward, "2,2")
        guard case .splitShard(let shard)? = shown.modal else {
            Issue.record("no share")
            return
        }
        #expect(shard.number == 1 && shard.total == 2 && shard.notShown == 1)
        #expect(try !TestCore.json(shown, revealing: false).contains(shard.share.share.text))
        test.host.setDetector(.connected)
        #expect(try test.core.hostChanged().position == Position(.splitExport))
        #expect(try test.core.breaches() == [])
    }

    @Test("the password of a new key is repeated, as data or as a secret, and forgotten")
    func newPassword() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.newKey)
        #expect(try test.act(.checkPassword, "//a").errorCode == "LostPwd")
        try test.act(.goBack)
        #expect(try test.act(.goForward, "//a///hidden").errorCode == "PasswordConfirmMismatch")
        try test.act(.goBack)
        #expect(try test.act(.checkPassword, "//a///", secret: "hidden").position.modal == .passwordConfirm)
        #expect(try test.act(.goForward, "//a///other").errorCode == "PasswordConfirmMismatch")
        try test.act(.goBack)
        let made = try test.act(.goForward, "//a///", secret: "hidden")
        #expect(made.position == Position(.keys))
        let secret = try KnownShares.secret("hidden")
        #expect(try test.core.breaches(secrets: [secret]) == [])
        #expect(try !TestCore.json(made, revealing: true).contains("hidden"))
    }

    @Test("what is secret leaves the screen when the machine is connected")
    func connected() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.newSeed)
        #expect(try test.act(.goForward, "Portia").position.modal == .newSeedBackup)
        test.host.setDetector(.connected)
        let hidden = try test.core.hostChanged()
        #expect(hidden.position == Position(.newSeed) && hidden.modal == nil)
        #expect(try test.core.breaches() == [])
        #expect(try test.act(.goForward, "Portia").position.alert == .shield)
    }

    @Test("a secret is let go of on every path")
    func secrets() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        let cases: [(UserAction, String)] = [
            (.goForward, "//x"), (.newKey, ""), (.goForward, "//x"), (.goForward, "//x//"), (.increment, "1"),
            (.nothing, ""),
            (.navbarSettings, ""), (.lock, ""),
        ]
        for (action, data) in cases {
            weak var watched: SecretBytes?
            do {
                let secret = try KnownShares.secret(TestCore.phrase)
                watched = secret
                _ = try test.core.action(action, data: data, secret: secret)
            }
            // Without a reference its memory is zeros.
            #expect(watched == nil, "\(action.rawValue)")
        }
    }

    @Test("the words of a backup are handed out where the backup is shown, and logged first")
    func backup() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        #expect(throws: CoreError.notPending) { try test.core.backupPhrase() }
        try test.act(.rightButtonAction)
        let shown = try test.act(.backupSeed)
        #expect(shown.position == Position(.keys, modal: .backup))
        #expect(try !TestCore.json(shown, revealing: true).contains("lake"))
        let words = try test.core.backupPhrase().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(words == TestCore.phrase)
        let events = try test.host.openVault()?.log().last?.events
        #expect(events == ["SeedNameWasShown Alice"])
    }
}

/// A host that does something when it is asked for randomness or the network.
private final class ReentrantHost: CoreHost {
    let inner: MemoryHost
    let whenAsked = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ inner: MemoryHost) { self.inner = inner }

    var isOnboarded: Bool { inner.isOnboarded }
    var isLocked: Bool { inner.isLocked }
    var confirmsDangers: Bool { inner.confirmsDangers }
    var random: any RandomSource { inner.random }
    var unlocking: UnlockData { inner.unlocking }

    func detector() -> DetectorView {
        whenAsked.withLock { $0 }?()
        return inner.detector()
    }

    func acknowledgeDanger(in vault: Vault?) throws { try inner.acknowledgeDanger(in: vault) }
    func checkVault() {}
    func checkProgram(for vault: Vault) {}
    func openVault() throws -> Vault? { try inner.openVault() }
    var asksPerson: Bool { inner.asksPerson }
    func onboard(_ setUp: ProtectionChange) throws -> Vault { try inner.onboard(setUp) }
    func protection(of vault: Vault) -> ProtectionData { inner.protection(of: vault) }
    func change(_ change: ProtectionChange, of vault: Vault, showing credential: SecretBytes?) throws {
        try inner.change(change, of: vault, showing: credential)
    }
    func unlock(with credential: SecretBytes) throws -> Vault { try inner.unlock(with: credential) }
    func lock() { inner.lock() }
    func authenticate(_ credential: SecretBytes?) { inner.authenticate(credential) }
    func wipe(_ vault: Vault?, keepsVerifier: Bool) throws -> Vault {
        try inner.wipe(vault, keepsVerifier: keepsVerifier)
    }
    func selfCheck(of vault: Vault?) -> [SelfCheckLine] { inner.selfCheck(of: vault) }
}
