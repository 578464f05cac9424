import Foundation
import MainKey
import Navigator
import NetworkDetector
import SQLite
import SecretMemory
import Signer
import Synchronization
import Testing
import TextForms

@testable import SignerCore

/// The core over a vault that is really there.
@Suite("A vault in a folder, open for long")
struct FolderHostTests {
    private func names(_ page: ActionResult) -> [String]? {
        guard case .seedSelector(let data) = page.screen else { return nil }
        return data.seeds.map(\.name)
    }

    /// A message that asks for a signature.
    private func message(by key: String = Provocation.westendKey) -> String {
        Hex.encode(Provocation.message("<Bytes>to be signed</Bytes>", by: key))
    }

    private func kind(_ page: ActionResult) -> String? {
        guard case .transaction(let data) = page.screen else { return nil }
        return data.kind
    }

    /// What a page says of the network detector over what it shows.
    private func shield(of page: ActionResult) throws -> ShieldData {
        guard case .shield(let data) = try #require(page.alert) else { throw CoreError.notPending }
        return data
    }

    // MARK: Opening

    @Test("it is set up under a PIN that is no easy one, and another program opens it by that")
    func setUp() throws {
        let test = try TestFolder(isSetUp: false)
        let living = try test.core()
        #expect(try living.act(.start).position == Position(.airgapCheck))
        #expect(try living.act(.goForward, secret: "123456").errorCode == "CredentialTooWeak")
        #expect(!Vault.exists(in: test.folder))
        try living.act(.goBack)
        #expect(
            try living.act(.goForward, secret: TestFolder.pin).position == Position(.seedSelector, modal: .newSeedMenu))
        try living.act(.recoverSeed)
        try living.act(.goForward, "Alice")
        #expect(try living.act(.goForward, "false", secret: TestCore.phrase).position.screen == .keys)
        living.core.close()

        let other = try test.core()
        #expect(try other.act(.start).position == Position(.unlock))
        #expect(try names(other.act(.goForward, secret: TestFolder.pin)) == ["Alice"])
    }

    @Test("a wrong PIN is counted, opens nothing, and is waited for")
    func wrongPIN() throws {
        let test = try TestFolder()
        let living = try test.core()
        let before = try living.act(.start)
        let wrong = try living.act(.goForward, secret: "Fichte-0000")
        #expect(wrong.errorCode == "WrongCredential" && wrong.position == Position(.unlock, alert: .error))
        let after = try living.act(.goBack)
        guard case .unlock(let first) = before.screen, case .unlock(let second) = after.screen else {
            Issue.record("no question for the PIN")
            return
        }
        #expect(try #require(first.attemptsLeft) - 1 == second.attemptsLeft)
        #expect(try living.act(.goForward).errorCode == "WrongCredential")
        try living.act(.goBack)
        #expect(try living.act(.navbarLog).rule == nil)
    }

    @Test("the recovery code opens it where that is what is typed")
    func recoveryCode() throws {
        let code = try RecoveryCode.generate()
        let test = try TestFolder([.recovery(code)])
        let living = try test.core { $0.takesRecoveryCode = true }
        try living.act(.start)
        let typed = try code.grouped().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(try living.act(.goForward, secret: typed).position.screen == .seedSelector)
    }

    // MARK: Others

    @Test("while it is open others look at it and change nothing; what they change while it is locked is seen")
    func others() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        #expect(throws: SignerError.vaultBusy(path: test.folder.path)) { try test.vault() }
        #expect(try test.vault(.read).seedNames() == ["Alice"])
        try living.act(.lock)
        do { try test.vault().renameSeed(named: "Alice", to: "Anna") }
        #expect(try living.act(.navbarKeys).rule == nil)
        #expect(try names(living.act(.goForward, secret: TestFolder.pin)) == ["Anna"])
    }

    @Test("a vault that another program makes is to be opened, and where it has removed one, one is to be set up")
    func madeAndRemoved() throws {
        let test = try TestFolder(isSetUp: false)
        let living = try test.core()
        #expect(try living.act(.start).position == Position(.airgapCheck))
        try TestFolder.make(test.folder)
        #expect(try living.core.hostChanged().position == Position(.unlock))
        try FileManager.default.removeItem(at: test.folder)
        #expect(try living.core.hostChanged().position == Position(.airgapCheck))

        // What a person did on the page that is gone is refused above the one that has come.
        try TestFolder.make(test.folder)
        let kept = try living.act(.goForward, secret: TestFolder.pin)
        #expect(kept.position == Position(.unlock, alert: .error) && kept.errorCode == "VaultExists")
        #expect(try living.act(.goBack).position == Position(.unlock))
        try FileManager.default.removeItem(at: test.folder)
        let gone = try living.act(.goForward, secret: TestFolder.pin)
        #expect(gone.position == Position(.airgapCheck, alert: .error) && gone.errorCode == "DbNotInitialized")
        #expect(try living.act(.goBack).position == Position(.airgapCheck))
        #expect(try living.act(.goForward, secret: TestFolder.pin).position.screen == .seedSelector)
    }

    @Test("files that are replaced while it is open lock it before anything is written, and are opened anew")
    func replaced() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        try living.act(.navbarLog)
        let file = test.folder.appending(path: "vault.sqlite")
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        #expect(
            FileManager.default.createFile(atPath: file.path, contents: bytes, attributes: [.posixPermissions: 0o600]))
        let refused = try living.act(.createLogComment, "lost")
        #expect(refused.position == Position(.unlock, alert: .error) && refused.errorCode == "StorageUnavailable")
        try living.act(.goBack)
        #expect(try names(living.act(.goForward, secret: TestFolder.pin)) == ["Alice"])
        #expect(try !test.vault(.read).log().flatMap(\.events).contains { $0.contains("lost") })
    }

    @Test("a lock that comes from outside takes everything from the screen, and what was done on it is not done")
    func lockedMeanwhile() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.unlock()
        try living.act(.newSeed)
        #expect(try living.act(.goForward, "savings").position.modal == .newSeedBackup)
        try living.host.openVault()?.lock()
        let page = try living.act(.goForward, "true")
        #expect(page.position == Position(.unlock) && page.rule == nil)
        #expect(try test.vault().seedNames().isEmpty)
        #expect(try names(living.act(.goForward, secret: TestFolder.pin)) == [])
    }

    @Test("what keeps it from being written to keeps it from no lock, and what waited is gone when it is open again")
    func locksWithoutWriting() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        try living.act(.navbarScan)
        #expect(try kind(living.act(.transactionFetched, message())) == "Sign")
        let file = test.folder.appending(path: "vault.sqlite").path
        try SQLiteDatabase(at: file, access: .write, patience: .seconds(60)).write { _ in
            let page = try living.act(.lock)
            #expect(page.position == Position(.unlock) && living.host.isLocked)
        }
        #expect(try living.act(.goForward, secret: TestFolder.pin).position.screen == .seedSelector)
    }

    // MARK: Rights

    @Test("a secret is exported to who shows the PIN once more, and to nobody else")
    func export() throws {
        let test = try TestFolder()
        let living = try test.core()
        let key = try #require(living.westend().keys.first)
        try living.act(.selectKey, key.addressKey)
        try living.act(.rightButtonAction)
        #expect(try living.act(.exportSecret).errorCode == "NotAuthenticated")
        try living.act(.goBack)
        #expect(try living.act(.exportSecret, secret: "Fichte-0000").errorCode == "WrongCredential")
        try living.act(.goBack)
        #expect(try living.act(.exportSecret, credential: TestFolder.pin).position.modal == .exportSecret)
    }

    @Test("where the validator does not vouch, nothing that was scanned is shown")
    func validator() throws {
        let validator = FakeValidator()
        let test = try TestFolder()
        test.vigil = validator
        let living = try test.core()
        try living.recoverAlice()
        try living.act(.navbarScan)
        validator.vouches.withLock { $0 = false }
        // The program waits for the next line, and asks the validator anew behind it.
        living.host.whileWaiting {}
        let refused = try living.act(.transactionFetched, "53010200")
        #expect(refused.position.screen != .transaction && refused.position.alert == .error)
        validator.vouches.withLock { $0 = true }
        living.host.whileWaiting {}
        try living.act(.goBack)
        #expect(try living.act(.transactionFetched, "53010200").position.screen == .transaction)
    }

    @Test("where the validator does not vouch behind the right password, that is told over the question, which stays")
    func validatorWhileSigning() throws {
        let validator = FakeValidator()
        let test = try TestFolder()
        test.vigil = validator
        let living = try test.core()
        _ = try living.westend()
        try living.act(.newKey)
        try living.act(.checkPassword, "//a///one")
        guard case .keys(let data) = try living.act(.goForward, "//a///one").screen else {
            throw CoreError.notPending
        }
        let key = try #require(data.keys.first { $0.path == "//a" }).publicKey
        try living.act(.navbarScan)
        #expect(try kind(living.act(.transactionFetched, message(by: key))) == "Sign")
        #expect(try living.act(.goForward).rule == "T048")
        validator.vouches.withLock { $0 = false }
        let refused = try living.act(.goForward, "one")
        #expect(refused.position == Position(.transaction, modal: .enterPassword, alert: .error))
        #expect(refused.rule == "T055" && refused.errorCode == "NoVerdict")
        validator.vouches.withLock { $0 = true }
        try living.act(.goBack)
        #expect(try living.act(.goForward, "one").position.modal == .signatureReady)
    }

    @Test("locked in the middle of an action it gives out nothing that the action made, and asks to be opened")
    func lockedWithin() throws {
        let test = try TestFolder()
        let random = LockingRandom()
        let living = try test.core { $0.random = random }
        try living.recoverAlice()
        try living.act(.rightButtonAction)
        #expect(try living.act(.splitSeed).position == Position(.splitExport))
        random.lock.withLock { $0 = { living.host.lock() } }
        let page = try living.act(.goForward, "3,2")
        #expect(page.position.screen == .unlock && page.position.modal == nil)
        #expect(try living.core.hostChanged().position.screen == .unlock)
        for action in [UserAction.nextUnit, .navbarKeys, .navbarSettings] {
            #expect(try living.act(action).position.screen == .unlock, "\(action.rawValue)")
        }
        random.lock.withLock { $0 = nil }
        // Why the shares were not made is said above the page.
        #expect(page.errorCode == "Locked")
        try living.act(.goBack)
        #expect(names(try living.act(.goForward, secret: TestFolder.pin)) == ["Alice"])
    }

    @Test("a vault that asks for nothing is locked until somebody opens it, and opens without a word")
    func lockedByHand() throws {
        let test = try TestFolder(isSetUp: false)
        try TestFolder.makeOpen(test.folder)
        let living = try test.core()
        #expect(try living.act(.start).position.screen == .seedSelector)
        try living.act(.navbarSettings)
        #expect(try living.act(.lock).position == Position(.unlock))
        _ = try living.core.hostChanged()
        #expect(try living.act(.nothing).position == Position(.unlock))
        // Nobody holds it now.
        let other = try test.core()
        #expect(try other.act(.start).position.screen == .seedSelector)
        other.core.close()
        let opened = try living.act(.goForward)
        #expect(opened.position.screen == .seedSelector && opened.alert == nil)
    }

    @Test("what is done on a page that another one has followed is not done on that one")
    func otherPage() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        let page = try living.core.position()
        living.host.lock()
        _ = try living.core.hostChanged()
        let before = living.host.unlocking.attemptsLeft
        #expect(throws: CoreError.otherPage) {
            try living.core.action(.goForward, data: "rent for May", on: page)
        }
        #expect(try living.core.position() == Position(.unlock))
        #expect(living.host.unlocking.attemptsLeft == before)
    }

    // MARK: The network

    @Test("words that are being typed are forgotten when a network comes up, and no further one is taken")
    func typedPhrase() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.unlock()
        try living.act(.recoverSeed)
        #expect(try living.act(.goForward, "mine").position.screen == .recoverSeedPhrase)
        try living.act(.textEntry, " bottom ")
        try living.act(.pushWord, "drive")
        test.network.set(isUp: true)
        #expect(try living.core.hostChanged().position == Position(.recoverSeedName))
        #expect(try living.core.breaches().isEmpty)
        for action in [UserAction.textEntry, .pushWord] {
            #expect(try living.act(action, "obey").position == Position(.recoverSeedName))
        }
        test.network.set(isUp: false)
        try living.act(.goBack)
    }

    @Test(
        "what is pressed on typed words when a network comes up is not done",
        arguments: [UserAction.goForward, .goBack])
    func pressedOnWords(action: UserAction) throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.unlock()
        try living.act(.recoverSeed)
        try living.act(.goForward, "mine")
        try living.act(.textEntry, " bottom ")
        test.network.set(isUp: true)
        let page = try living.act(action)
        #expect(page.position == Position(.recoverSeedName, alert: .shield) && page.rule == nil)
    }

    @Test("a vault that asks for nothing and was locked from outside asks to be opened")
    func lockedFromOutside() throws {
        let test = try TestFolder(isSetUp: false)
        try TestFolder.makeOpen(test.folder)
        let living = try test.core()
        try living.act(.start)
        try living.act(.navbarLog)
        try #require(try living.host.openVault()).lock()
        #expect(try living.act(.navbarSettings).position == Position(.unlock))
        #expect(try living.act(.goForward).position.screen == .seedSelector)
    }

    @Test("a connection is logged once, closes what is secret, and is acknowledged when it is over")
    func network() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.unlock()
        try living.act(.newSeed)
        #expect(try living.act(.goForward, "savings").position.modal == .newSeedBackup)
        test.network.set(isUp: true)
        #expect(try living.core.hostChanged().position == Position(.newSeed))
        #expect(try living.act(.goForward, "more").position.alert == .shield)
        #expect(try living.act(.ackShield).rule == "T005")
        test.network.set(isUp: false)
        try living.act(.goBack)
        #expect(try living.act(.goForward, "more").position.alert == .shield)
        #expect(try living.act(.ackShield).rule == "T004")
        #expect(try living.act(.goForward, "more").position.modal == .newSeedBackup)
        let log = try test.vault(.read).log().flatMap(\.events)
        #expect(log.count { $0.hasPrefix("DeviceWasOnline") } == 1)
        #expect(log.count { $0.hasPrefix("ResetDangerRecord") } == 1)
    }

    @Test("what is up is said with each look as long as it is up, though the system tells of it once")
    func stillUp() throws {
        let test = try TestFolder()
        let living = try test.core()
        test.network.set(isUp: true)
        try living.unlock()
        for _ in 0..<2 { #expect(living.host.detector().probes == ["interfaces: eth0"]) }
        test.network.set(hasRadio: true)
        for _ in 0..<2 { #expect(living.host.detector().probes == ["interfaces: eth0", "radios: phy0"]) }
        test.network.set(isUp: false)
        test.network.set(hasRadio: false)
        #expect(living.host.detector().probes == [])
    }

    @Test("a connection while it is locked counts when it is open")
    func networkWhileLocked() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.act(.start)
        test.network.set(isUp: true)
        _ = try living.core.hostChanged()
        test.network.set(isUp: false)
        // A locked vault notes no acknowledgement, so that none is offered.
        let locked = try shield(of: living.act(.shield))
        #expect(locked.detector.state == .wasOnline && !locked.canAcknowledge && locked.disabled.isEmpty)
        #expect(try living.act(.goBack).position == Position(.unlock))
        try living.act(.goForward, secret: TestFolder.pin)
        try living.act(.newSeed)
        let opened = try shield(of: living.act(.goForward, "savings"))
        #expect(opened.canAcknowledge && !opened.disabled.isEmpty)
        #expect(try living.act(.ackShield).rule == "T004")
    }

    @Test("what another program acknowledges counts here too")
    func acknowledgedElsewhere() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.unlock()
        test.network.set(isUp: true)
        _ = try living.core.hostChanged()
        test.network.set(isUp: false)
        _ = try living.core.hostChanged()
        try living.act(.lock)
        try test.vault().acknowledgeOnline()
        try living.act(.goForward, secret: TestFolder.pin)
        try living.act(.newSeed)
        #expect(try living.act(.goForward, "savings").position.modal == .newSeedBackup)
    }

    @Test("what came while a person was asked is not acknowledged with the rest, whoever saw it")
    func moreToAcknowledge() throws {
        let test = try TestFolder()
        let vault = try test.vault()
        let lookout = NetworkLookout(.success(test.network))
        #expect(throws: NetworkLookout.NothingToAcknowledge.self) { try lookout.beginAcknowledgement(in: vault) }
        try Vault.noteNetwork([.wasOnline], in: test.folder, last: nil)
        for isSeenHere in [true, false] {
            let shown = try lookout.beginAcknowledgement(in: vault)
            #expect(try vault.log().last?.events.contains { $0.hasPrefix("DeviceWasOnline") } == true)
            if isSeenHere {
                test.network.set(isUp: true)
                test.network.look()
                test.network.set(isUp: false)
            } else {
                try Vault.noteNetwork([.wasOnline], in: test.folder, last: nil)
            }
            #expect(throws: NetworkLookout.MoreToAcknowledge.self) { try lookout.acknowledge(in: vault, shown: shown) }
            #expect(try vault.wasOnline() && vault.logCount() == shown + 1)
        }
        try lookout.acknowledge(in: vault, shown: lookout.beginAcknowledgement(in: vault))
        #expect(try !vault.wasOnline())
    }

    @Test("a vault that may be used on a connected machine says so on the shield, and is used")
    func allowed() throws {
        let test = try TestFolder(allowing: NetworkAllowance(allowsNetwork: true))
        test.network.set(isUp: true)
        let living = try test.core()
        try living.unlock()
        try living.act(.newSeed)
        #expect(try living.act(.goForward, "savings").position.modal == .newSeedBackup)
        #expect(living.host.detector().state == .connected)
    }

    // MARK: Beginning anew

    private func wipe(_ living: LivingCore) throws -> ActionResult {
        try living.act(.navbarSettings)
        try living.act(.wipeAll)
        return try living.act(.goForward, "WIPE")
    }

    @Test("wiped it is as new, opened by the same PIN, and what was copied before opens no more")
    func wiped() throws {
        let test = try TestFolder()
        let living = try test.core()
        let new = try TestFolder()
        try living.recoverAlice()
        let sealed = try Data(contentsOf: test.folder.appending(path: "seeds.sealed"))
        #expect(try wipe(living).position == Position(.seedSelector, modal: .newSeedMenu))
        living.core.close()
        do {
            let (wiped, fresh) = (try test.vault(), try new.vault())
            #expect(try wiped.seedSummaries().isEmpty && wiped.keys().isEmpty)
            #expect(try wiped.contentDigest() == fresh.contentDigest())
            #expect(try wiped.verifyLog().count == 1)
        }
        func epochs(_ test: TestFolder) throws -> [UInt32] {
            try Vault.openingStatus(of: test.folder, opening: OpenOptions()).epochs.map(\.number)
        }
        // The key under which the seeds were sealed is not among those that are left.
        #expect(try Set(epochs(test)).isDisjoint(with: epochs(new)))
        let file = test.folder.appending(path: "seeds.sealed")
        try FileManager.default.removeItem(at: file)
        #expect(
            FileManager.default.createFile(atPath: file.path, contents: sealed, attributes: [.posixPermissions: 0o600]))
        #expect(throws: SignerError.databaseDamaged(.olderSeeds)) { try test.vault() }
    }

    @Test("with the general verifier forgotten, none is followed")
    func forgotten() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        try living.act(.navbarSettings)
        guard case .verifier(let verifier) = try living.act(.viewGeneralVerifier).screen else {
            Issue.record("no verifier")
            return
        }
        try living.act(.forgetGeneralVerifier)
        let page = try living.act(.goForward, String(try #require(verifier.publicKey).suffix(8)))
        #expect(page.position.screen == .seedSelector)
        #expect(try test.vault(.read).generalVerifier() == .none)
    }

    @Test(
        "killed in a wipe it is what it was, or is wiped when it is opened next, whatever it is opened for",
        arguments: [
            ("database.noted", false), ("database.written", true), ("wipe.begun", true), ("seeds.written", true),
            ("wipe.seeds", true), ("database.written@2", true), ("wipe.database", true), ("rotate.rows", true),
        ])
    func killedInWipe(at step: String, isWiped: Bool) async throws {
        let test = try TestFolder()
        do {
            let living = try test.core()
            try living.recoverAlice()
            living.core.close()
        }
        await #expect(processExitsWith: .signal(SIGKILL), "\(step) was not reached") {
            [path = test.folder.path as String, step = step as String] in
            let living = LivingCore(
                FolderHost(
                    URL(filePath: path), try TestFolder.settings(), lookout: NetworkLookout(.success(FakeNetwork()))))
            try living.unlock()
            try living.act(.navbarSettings)
            try living.act(.wipeAll)
            _ = CrashPoint.take(from: [CrashPoint.argument(step)])
            try living.act(.goForward, "WIPE")
        }
        for access in [Vault.Access.read, .write] {
            let vault = try test.vault(access)
            #expect(try vault.seedNames() == (isWiped ? [] : ["Alice"]))
            #expect(try vault.keys().isEmpty == isWiped)
            _ = try vault.verifyLog()
        }
    }
}

/// Random bytes of the system, before which something else happens.
private final class LockingRandom: RandomSource {
    let name = "A source that locks"
    let lock = Mutex<(@Sendable () -> Void)?>(nil)

    func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        lock.withLock { $0 }?()
        try MixedRandom.standard.fill(memory)
    }
}

/// A validator that vouches as long as the test says so.
private final class FakeValidator: VerdictSource {
    let vouches = Mutex(true)

    func verdict() throws(VigilRefusal) -> Verdict? {
        guard vouches.withLock({ $0 }) else { throw .noVerdict(reason: "no validator is running") }
        return Verdict(
            Verdict.Account(
                product: "casemate", validatorKeyID: String(repeating: "ab", count: 32), levels: ["L0"],
                validatorLevels: ["L0"], isUserShared: false, isFirsthand: true, latency: .milliseconds(3)),
            grant: nil, vouching: nil)
    }
}
