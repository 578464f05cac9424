import Foundation
import MainKey
import Synchronization
import Testing

@testable import Signer

@Suite("A vault that was once opened with a validator's word")
struct RequiredValidatorTests {
    let vault: BoundVault

    init() throws { vault = try BoundVault(isBound: false) }

    private var needed: VigilRefusal { .noValidator(bound: BoundVault.keyID) }

    @Test(
        "does not open without it, for looking neither, where the configuration was taken away; the PIN is no wrong one"
    )
    func withoutConfiguration() throws {
        _ = try vault.open()
        for access in [Vault.Access.read, .write] {
            #expect(vault.refusal { _ = try vault.test.open(access) } == needed)
        }
        vault.validator.unpin()
        #expect(vault.refusal { _ = try vault.open(.read) } == needed)
        #expect(try vault.key.status().failedAttempts == 0)
        // What it kept in memory for a moment is gone.
        let key = try VaultKey(of: vault.test.folder, vault.test.unlocking)
        #expect(vault.refusal { try key.confirm() } == needed)
        #expect(key.engine.state == .locked)
    }

    @Test("does not open with the word of another validator, which somebody set up beside it")
    func otherValidator() throws {
        _ = try vault.open()
        let other = String(repeating: "cd", count: 32)
        vault.validator.change(keyID: other)
        #expect(
            vault.refusal { _ = try vault.open(.read) } == .otherValidator(bound: BoundVault.keyID, answering: other))
    }

    @Test("is not opened by a session of the login either")
    func session() throws {
        try vault.key.beginSession(minutes: nil)
        vault.test.person.reasons = []
        #expect(try vault.open(.read).seedNames() == ["demo"])
        #expect(vault.refusal { _ = try vault.test.open(.read) } == needed)
        #expect(vault.test.person.reasons == [])
    }

    @Test("opens by its recovery code, which says nothing else than before")
    func recovery() throws {
        _ = try vault.open()
        try vault.typeRecoveryCode()
        #expect(try vault.test.open().revealSeed(named: "demo").entropy.count == 16)
        vault.typePIN()
        #expect(vault.refusal { _ = try vault.test.open(.read) } == needed)
    }

    @Test("says so once, when it begins")
    func told() throws {
        let told = Mutex<[Verdict.Account]>([])
        var unlocking = vault.unlocking
        unlocking.validatorRequired = { account in told.withLock { $0.append(account) } }
        for _ in 0..<2 { _ = try Vault.open(vault.test.folder, for: .read, unlocking: unlocking) }
        #expect(told.withLock { $0.map(\.validatorKeyID) } == [BoundVault.keyID])
    }

    @Test("needs it no more when that was taken back with the word, however often it is opened with one then")
    func takenBack() throws {
        _ = try vault.open()
        try vault.key.unbind { throw SignerError.nothingPending }
        _ = try vault.test.open(.read)
        _ = try vault.open()
        _ = try vault.test.open(.read)
        #expect(vault.refusal { try vault.key.unbind { vault.test.pin } } == .notBound)
        // Bound anew, it needs one again.
        try vault.key.bind { throw SignerError.nothingPending }
        #expect(vault.refusal { _ = try vault.test.open(.read) } == needed)
    }

    @Test("is released by the recovery code where the validator is lost, and by nothing else; the PIN stays")
    func released() throws {
        _ = try vault.open()
        vault.validator.refuse()
        #expect(vault.refusal { try vault.key.unbind { vault.test.pin } } == FakeValidator.silence)
        try vault.typeRecoveryCode()
        try vault.key.unbind { throw SignerError.nothingPending }
        vault.typePIN()
        _ = try vault.test.open(.read)
    }

    @Test("is none where it was made to need none")
    func bornReleased() throws {
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        var options = VaultOptions()
        options.cost = TestVault.cost
        try Vault.create(
            in: place, protections: [.pin(vault.test.pin)], options: options, bundle: .shipped(), isReleased: true)
        _ = try Vault.open(place, for: .read, unlocking: vault.unlocking)
        _ = try Vault.open(place, for: .read, unlocking: vault.test.unlocking)
    }

    @Test("one without protection needs it too")
    func withoutProtection() throws {
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        try Vault.create(in: place, protections: [.none], options: VaultOptions(), bundle: .shipped())
        _ = try Vault.open(place, for: .read, unlocking: vault.unlocking)
        #expect(vault.refusal { _ = try Vault.open(place, for: .read, unlocking: vault.test.unlocking) } == needed)
    }
}
