import Foundation
import MainKey
import SecretMemory
import Substrate
import Testing

@testable import Signer

@Suite("The key of a vault")
struct VaultKeyTests {
    @Test("the person is asked once for a command, and not at all for what is public")
    func askedOnce() throws {
        let test = try TestVault(hasPIN: true)
        let open = try test.open(.publicData)
        #expect(try open.networks().count == 4 && test.person.reasons == [])
        let vault = try test.withSeed()
        _ = try test.sign(TestVault.transfer(), in: vault)
        #expect(test.person.reasons == [.opening])
    }

    @Test("a wrong PIN says how many are left, and soon how long to wait")
    func wrong() throws {
        let test = try TestVault(hasPIN: true)
        test.person.pin = try TestVault.secret("wrong one")
        var left: [Int] = []
        while case .vaultKey(.wrongCredential(let attemptsLeft?))? =
            (#expect(throws: SignerError.self) { try test.open(.read) })
        {
            left.append(attemptsLeft)
        }
        #expect(left.first == 9 && left == Array((0...9).reversed().prefix(left.count)) && left.count < 9)
        test.person.pin = test.pin
        test.person.reasons = []
        let error = #expect(throws: SignerError.self) { try test.open(.read) }
        #expect(error?.code == "Throttled" && "\(error!)".contains("Try again in"))
        // Nobody types a PIN in vain.
        #expect(test.person.reasons == [])
    }

    @Test("without protection nobody is asked, also for seeds")
    func none() throws {
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        let nobody = Unlocking { _ in throw SignerError.vaultKey(.locked) }
        try Vault.create(in: place, protections: [.none], options: VaultOptions(), bundle: .shipped())
        let vault = try Vault.open(place, unlocking: nobody)
        try vault.recoverSeed(named: "demo", phrase: TestVault.secret(TestVault.phrase))
        #expect(try vault.seedNames() == ["demo"])
    }

    @Test("a vault that is not made leaves nothing behind")
    func refusedCreation() throws {
        let folder = try Folder()
        #expect(throws: SignerError.vaultKey(.weakPIN(.tooShort))) {
            try Vault.create(
                in: folder.url.appending(path: "vault"), protections: [.pin(TestVault.secret("12345"))],
                options: VaultOptions(),
                bundle: .shipped())
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    // MARK: Session

    @Test("within a session reading asks nobody; locking it asks again")
    func session() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        #expect(try test.open(.read).seedNames() == ["demo"])
        #expect(test.person.reasons == [])
        let key = try VaultKey(of: test.folder, test.unlocking)
        guard case .open(let seconds?) = try key.session() else { return #expect(Bool(false), "no session") }
        #expect((290...300).contains(seconds))
        try key.lock()
        #expect(try key.session() == .none)
        #expect(try test.files()["key/session.mk"] == nil && test.sessionKeys.labels() == [])
        #expect(try test.open(.read).seedNames() == ["demo"])
        #expect(test.person.reasons == [.opening])
    }

    @Test(
        "a ticket that does not hold is removed, and the PIN is asked for", arguments: ["bit", "cut", "other"])
    func badTicket(_ damage: String) throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession()
        let path = test.folder.appending(path: "key/session.mk")
        var ticket = try Data(contentsOf: path)
        switch damage {
        // Of the deadline: it is authenticated.
        case "bit": ticket[58] ^= 1
        case "cut": ticket.removeLast()
        default:
            let other = try TestVault(hasPIN: true)
            try other.beginSession()
            ticket = try Data(contentsOf: other.folder.appending(path: "key/session.mk"))
        }
        try ticket.write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
        _ = try test.open(.read)
        #expect(test.person.reasons == [.opening])
        #expect(try test.files()["key/session.mk"] == nil)
    }

    @Test("another login of the same user has no part in a session, and does not end it")
    func otherLogin() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession()
        let key = test.sessionKeys.read("session")
        test.sessionKeys.delete("session")
        _ = try test.open(.read)
        #expect(test.person.reasons == [.opening])
        test.sessionKeys.write("session", try #require(key), access: .afterFirstUnlockThisDeviceOnly)
        _ = try test.open(.read)
        #expect(test.person.reasons == [.opening])
    }

    @Test("a session is no longer than autolock, and there is none where each wait locks")
    func sessionLimits() throws {
        let test = try TestVault(hasPIN: true)
        let key = try VaultKey(of: test.folder, test.unlocking)
        let error = try #require(throws: SignerError.self) { try key.beginSession(minutes: 6) }
        guard case .noSession(let reason, isForAutolock: true) = error else { throw error }
        #expect(reason.contains("5 minutes at the most"))
        try key.setAutolock(.always)
        #expect(throws: SignerError.self) { try key.beginSession(minutes: nil) }
        #expect(try test.files()["key/session.mk"] == nil)
    }

    // MARK: Locking

    @Test("a vault that locked while it waited asks again before anything is shown or signed")
    func autolock() throws {
        let test = try TestVault(hasPIN: true, autolock: .always)
        let vault = try test.withSeed()
        var proposal = try vault.propose(TestVault.transfer())
        #expect(test.person.reasons == [.opening])
        vault.whileWaiting {}
        #expect(vault.key?.engine.state == .locked)
        _ = try vault.sign(&proposal, comment: "")
        #expect(test.person.reasons == [.opening, .lockedMeanwhile])
        vault.whileWaiting {}
        test.person.pin = try TestVault.secret("wrong one")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try vault.keys() }
        // What is pending goes also while it is locked.
        try vault.dropPending()
    }

    @Test("'lock' in one process locks the others", .timeLimit(.minutes(30)))
    func lockedFromOutside() async throws {
        let test = try TestVault(hasPIN: true)
        let vault = try test.withSeed()
        let engine = try #require(vault.key?.engine)
        #expect(engine.state == .unlocked)
        let events = engine.events
        try VaultKey(of: test.folder, test.unlocking).lock()
        for await event in events {
            if event == .removedMainKeyFromMemory(.explicit) { break }
        }
        #expect(engine.state == .locked)
        #expect(try vault.seedNames() == ["demo"])
        #expect(test.person.reasons == [.opening, .lockedMeanwhile])
    }

    // MARK: Protections

    @Test("another PIN takes the place of the old one, and ends the session")
    func changePIN() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        let key = try VaultKey(of: test.folder, test.unlocking)
        let new = try TestVault.secret("another one")
        try key.changePIN { new }
        #expect(test.person.reasons == [.protections])
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try test.open() }
        test.person.pin = new
        #expect(try test.open().revealSeed(named: "demo").entropy.count == 16)
        #expect(throws: SignerError.vaultKey(.weakPIN(.sequence))) {
            try key.changePIN { try TestVault.secret("123456") }
        }
        #expect(try test.open().seedNames() == ["demo"])
    }

    @Test("the recovery code opens what a forgotten PIN does not, and sets a new one")
    func recovery() throws {
        let code = try RecoveryCode.generate()
        let test = try TestVault(nil, [.recovery(code)], hasPIN: true)
        _ = try test.withSeed()
        test.person.takeOut(try code.grouped())
        #expect(try test.open().revealSeed(named: "demo").entropy.count == 16)
        let new = try TestVault.secret("another one")
        try VaultKey(of: test.folder, test.unlocking).changePIN { new }
        test.person.pin = new
        #expect(try test.open(.read).seedNames() == ["demo"])
        #expect(
            try VaultKey(of: test.folder, test.unlocking).status().ways.map(\.kind).sorted() == ["pin", "recovery"])
    }

    @Test("protection may be dropped and taken up again; all that was sealed still opens")
    func protections() throws {
        let test = try TestVault(hasPIN: true)
        _ = try test.withSeed()
        let key = try VaultKey(of: test.folder, test.unlocking)
        try key.setProtections { [.none] }
        test.person.reasons = []
        #expect(try test.open().revealSeed(named: "demo").entropy.count == 16)
        #expect(test.person.reasons == [])
        var options = VaultOptions()
        options.cost = TestVault.cost
        try VaultKey(of: test.folder, test.unlocking).setProtections(options) { [.pin(test.pin)] }
        #expect(try test.open().seedNames() == ["demo"])
        #expect(test.person.reasons == [.opening])
        // The key that opened it without a PIN is gone; what is left is sealed: about validators, and about the files.
        #expect(try test.files().keys.filter { $0.hasSuffix(".item") }.count == 2)
    }
}
