import Foundation
import MainKey
import SecretMemory
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("A vault bound to a validator")
struct BindingTests {
    let test: TestVault
    let validator: FakeValidator
    let code: RecoveryCode

    init() throws {
        code = try RecoveryCode.generate()
        test = try TestVault(nil, [.recovery(code)], hasPIN: true)
        validator = try FakeValidator()
    }

    private var unlocking: Unlocking { test.unlocking(with: validator) }
    private var key: VaultKey { get throws { try VaultKey(of: test.folder, unlocking) } }

    private func open(_ access: Vault.Access = .write) throws -> Vault {
        try Vault.open(test.folder, for: access, unlocking: unlocking, now: { TestVault.time })
    }

    private func bind() throws {
        try key.bind { throw SignerError.nothingPending }
        test.person.reasons = []
    }

    private func refusal(_ body: () throws -> Void) -> VigilRefusal? {
        guard case .vigil(let refusal)? = #expect(throws: SignerError.self, performing: body) else { return nil }
        return refusal
    }

    private func typeRecoveryCode() throws { test.person.takeOut(try code.grouped()) }

    private var record: URL { test.folder.appending(path: "key/vigil.json") }

    // MARK: Shares

    @Test("the PIN is joined with the grant as HMAC-SHA-256, in hexadecimal digits")
    func pinShare() throws {
        // printf 'casemate/vigil/pin/v1\0passphrase' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…
        let joined = try GrantShare.pin(try TestVault.secret("passphrase"), grant: FakeValidator.grant(7))
        let text = joined.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "4de8b8228800d7f66ca7f56b12b1b7cc6686054f200e5248397851b9ae535527")
        let session = try GrantShare.session(FakeValidator.grant(7))
        #expect(
            session.withUnsafeBytes { Hex.encode(Array($0)) }
                == "d5b3ce0132449376f014ccc6b1121541de235281dcb7236530fad1b07bef5933")
    }

    // MARK: Opening

    @Test("it opens with the PIN and the grant, and with neither alone")
    func both() throws {
        _ = try test.withSeed()
        try bind()
        #expect(try key.binding()?.validatorKeyID == String(repeating: "ab", count: 32))
        #expect(try open(.read).seedNames() == ["demo"])
        // A program that leaves the validator out, or that knows none.
        #expect(refusal { _ = try test.open(.read) } == .noValidator(bound: String(repeating: "ab", count: 32)))
        validator.unpin()
        #expect(refusal { _ = try open(.read) } == .noValidator(bound: String(repeating: "ab", count: 32)))
    }

    @Test("even a program that takes no notice of the record opens nothing with the right PIN alone")
    func patched() throws {
        try bind()
        try FileManager.default.removeItem(at: record)
        let error = #expect(throws: SignerError.self) { try test.open(.read) }
        #expect(error == .vaultKey(.wrongCredential(attemptsLeft: 9)))
    }

    @Test("another grant is a wrong PIN; where another validator answers, that is said")
    func otherGrant() throws {
        try bind()
        validator.give(try FakeValidator.grant(8))
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try open(.read) }
        let other = String(repeating: "cd", count: 32)
        validator.change(keyID: other)
        let refused = refusal { _ = try open(.read) }
        #expect(
            refused
                == .wrongPIN(
                    attemptsLeft: 8, .otherValidator(bound: String(repeating: "ab", count: 32), answering: other)))
        #expect(refused?.code == "WrongCredential")
    }

    @Test("a validator that says no, or nothing, opens nothing and costs no attempt")
    func silence() throws {
        try bind()
        validator.refuse()
        for _ in 0..<12 { #expect(refusal { _ = try open(.read) } == FakeValidator.silence) }
        #expect(try key.status().failedAttempts == 0)
        validator.give(try FakeValidator.grant(7))
        _ = try open(.read)
    }

    @Test("a validator without a secret, or with a short one, binds nothing and opens nothing", arguments: [nil, 31])
    func noGrant(_ count: Int?) throws {
        let grant = try count.map { try FakeValidator.grant(7, count: $0) }
        validator.give(grant)
        #expect(refusal { try key.bind { test.pin } } == .noGrant)
        #expect(try key.binding() == nil)
        validator.give(try FakeValidator.grant(7))
        try bind()
        validator.give(grant)
        #expect(refusal { _ = try open(.read) } == .noGrant)
    }

    @Test("the recovery code opens it without the validator, seeds and all")
    func recovery() throws {
        _ = try test.withSeed()
        try bind()
        validator.refuse()
        try typeRecoveryCode()
        let vault = try open()
        #expect(try vault.revealSeed(named: "demo").entropy.count > 0)
        #expect(try vault.key?.verdict() == nil)
        _ = try test.sign(TestVault.transfer(), in: vault)
    }

    @Test("removing the record helps nobody, and that it may be missing is said; it is put back with PIN and grant")
    func recordMissing() throws {
        try bind()
        try FileManager.default.removeItem(at: record)
        let refused = refusal { _ = try open(.read) }
        #expect(refused == .wrongPIN(attemptsLeft: 9, .recordMissing))
        #expect("\(try #require(refused))".contains("put it back"))
        try key.restoreBinding()
        _ = try open(.read)
    }

    @Test("a record that cannot be read opens nothing", arguments: ["", "{}", "{\"version\":1}"])
    func damaged(_ content: String) throws {
        try bind()
        try Data(content.utf8).write(to: record)
        #expect(refusal { _ = try open(.read) } == .recordDamaged(path: record.path))
    }

    @Test("a vault that was not bound is not restored to be", arguments: [true, false])
    func falselyRestored(_ isRight: Bool) throws {
        if !isRight { test.person.pin = try TestVault.secret("another one") }
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) {
            try key.restoreBinding()
        }
        #expect(try key.binding() == nil)
    }

    // MARK: Session

    @Test("a session of it opens nothing without the validator's word, nor with another grant")
    func session() throws {
        _ = try test.withSeed()
        try bind()
        try key.beginSession(minutes: nil)
        test.person.reasons = []
        #expect(try open(.read).seedNames() == ["demo"] && test.person.reasons == [])
        validator.refuse()
        #expect(refusal { _ = try open(.read) } == FakeValidator.silence)
        #expect(test.person.reasons == [.opening])
        // A program that leaves the validator out has the kernel's key and the ticket, and no MainKey.
        let engine = try MainKeyVault.open(at: test.folder.appending(path: "key").path, unlocking.options)
        #expect(try engine.unlockBySession() == false)
    }

    @Test("a session begun without the grant is none")
    func sessionNeedsGrant() throws {
        try bind()
        try typeRecoveryCode()
        validator.refuse()
        #expect(refusal { try key.beginSession(minutes: nil) } == FakeValidator.silence)
        #expect(try key.session() == .none)
    }

    // MARK: Binding

    @Test("binding needs a PIN", arguments: [true, false])
    func needsPIN(_ isNew: Bool) throws {
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        if isNew {
            #expect(
                refusal {
                    try Vault.create(
                        in: place, protections: [.none], options: VaultOptions(), bundle: .shipped(),
                        binding: NewBinding(to: validator))
                } == .needsPIN)
            #expect(!FileManager.default.fileExists(atPath: place.path))
        } else {
            try Vault.create(in: place, protections: [.none], options: VaultOptions(), bundle: .shipped())
            let key = try VaultKey(of: place, unlocking)
            #expect(refusal { try key.bind { test.pin } } == .needsPIN)
        }
    }

    @Test("a vault is bound as it is made, and the PIN is judged as it was typed")
    func bornBound() throws {
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        var options = VaultOptions()
        options.cost = TestVault.cost
        let binding = NewBinding(to: validator)
        #expect(throws: SignerError.vaultKey(.weakPIN(.tooShort))) {
            try Vault.create(
                in: place, protections: [.pin(TestVault.secret("12345"))], options: options, bundle: .shipped(),
                binding: binding)
        }
        try Vault.create(
            in: place, protections: [.pin(test.pin)], options: options, bundle: .shipped(), binding: binding)
        let vault = try Vault.open(place, for: .read, unlocking: unlocking)
        #expect(try vault.key?.binding()?.label == "casemate")
        #expect(throws: SignerError.self) { try Vault.open(place, for: .read, unlocking: test.unlocking) }
    }

    @Test("without a pinned validator there is nothing to bind to")
    func notProvisioned() throws {
        validator.unpin()
        #expect(refusal { try key.bind { test.pin } } == .notProvisioned)
    }

    @Test("a bound vault is not bound again, nor one unbound that is not")
    func twice() throws {
        #expect(refusal { try key.unbind { test.pin } } == .notBound)
        try bind()
        #expect(refusal { try key.bind { test.pin } } == .alreadyBound)
        #expect(refusal { try key.restoreBinding() } == .alreadyBound)
    }

    @Test("unbound, the PIN opens it alone again")
    func unbind() throws {
        _ = try test.withSeed()
        try bind()
        try key.unbind { throw SignerError.nothingPending }
        #expect(try key.binding() == nil && !FileManager.default.fileExists(atPath: record.path))
        #expect(try test.open(.read).seedNames() == ["demo"])
    }

    @Test("where the validator is lost, the recovery code unbinds it with a new PIN")
    func unbindByRecovery() throws {
        try bind()
        validator.refuse()
        try typeRecoveryCode()
        let new = try TestVault.secret("a newer passphrase")
        try key.unbind { new }
        test.person.pin = new
        _ = try test.open(.read)
    }

    @Test("another PIN stays bound; one that breaks the rules is refused as it was typed; no PIN at all is refused")
    func changes() throws {
        try bind()
        #expect(throws: SignerError.vaultKey(.weakPIN(.tooShort))) {
            try key.changePIN { try TestVault.secret("12345") }
        }
        let new = try TestVault.secret("a newer passphrase")
        try key.changePIN { new }
        test.person.pin = new
        _ = try open(.read)
        #expect(refusal { _ = try test.open(.read) } != nil)
        var options = VaultOptions()
        options.allowsNoRecovery = true
        #expect(refusal { try key.setProtections(options) { [.none] } } == .unbindFirst)
        _ = try open(.read)
    }

    @Test("a new MainKey leaves it bound")
    func rekey() throws {
        _ = try test.withSeed()
        try bind()
        let new = try TestVault.secret("a newer passphrase")
        _ = try Vault.rotate(
            test.folder, unlocking: unlocking,
            renewal: KeyRenewal(newPIN: { new }, takeRecoveryCode: { _, commit in try commit() }))
        test.person.pin = new
        #expect(try open(.read).seedNames() == ["demo"])
        #expect(refusal { _ = try test.open(.read) } != nil)
    }

    // MARK: Killed

    /// What the vault says under its key while a change is under way.
    private func write(_ mark: SealedMark, becomingBound isBound: Bool) throws {
        var mark = mark
        mark.becomesBound = isBound
        try withRecoveryCode { key in try key.write(mark) }
    }

    private func withRecoveryCode(_ body: (VaultKey) throws -> Void) throws {
        let key = try key
        try typeRecoveryCode()
        try key.confirm()
        try body(key)
        test.person.pin = test.pin
    }

    @Test("what cannot be noted behind a change is no failure of it, and known all the same", arguments: [true, false])
    func unwrittenMark(isReleased: Bool) throws {
        let changing = try key
        let new = try TestVault.secret("a newer passphrase")
        let outcome = SealedMark.Outcome(
            validatorKeyID: isReleased ? nil : String(repeating: "ab", count: 32), isReleased: isReleased)
        // What has the name of the next file, and cannot be removed.
        let obstacle = test.folder.appending(path: "key/keyring.mk.new/obstacle")
        try changing.changing {
            _ = try changing.reopened()
            try changing.marking(changing.checkedMark(), becomingBound: false, outcome: outcome) {
                var options = VaultOptions()
                options.cost = TestVault.cost
                try changing.engine.changePIN(from: test.pin, to: new, options)
                try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
            }
        }
        try FileManager.default.removeItem(at: obstacle.deletingLastPathComponent())
        test.person.pin = new
        let opened = try key
        try opened.confirm()
        #expect(try opened.mark().outcome == outcome)
        let mark = try opened.checkedMark()
        #expect(mark.isReleased == isReleased && mark.validatorKeyID == outcome.validatorKeyID && mark.outcome == nil)
    }

    /// What is on disk if the process ends between the steps of a change.
    @Test("killed while it is bound or unbound, it opens in the old way or the new one", arguments: [true, false])
    func killed(_ isBinding: Bool) throws {
        _ = try test.withSeed()
        if !isBinding { try bind() }
        let keyFile = test.folder.appending(path: "key/keyring.mk")
        let before = try Data(contentsOf: keyFile)
        let slot = try #require(try key.pinWay()?.id)
        if isBinding { try bind() } else { try key.unbind { test.pin } }
        let after = try Data(contentsOf: keyFile)
        let mark = VaultBinding(
            label: "casemate", validatorKeyID: String(repeating: "ab", count: 32),
            state: isBinding ? .binding : .unbinding, slot: slot)
        for (content, isBound) in [(before, !isBinding), (after, isBinding)] {
            try content.write(to: keyFile)
            // The key file names the items that are there.
            try withRecoveryCode { key in _ = try key.engine.acceptItems() }
            try write(
                // Released, so that being bound alone decides.
                SealedMark(isReleased: true, isBound: !isBinding, slot: slot), becomingBound: isBinding)
            try BindingRecord(in: test.folder.appending(path: "key").path).write(mark)
            #expect((try key.binding() != nil) == isBound)
            if isBound {
                #expect(try open(.read).seedNames() == ["demo"])
                #expect(refusal { _ = try test.open(.read) } != nil)
            } else {
                #expect(try test.open(.read).seedNames() == ["demo"])
            }
            // The next change ends it before it begins its own.
            try key.setAutolock(.minutes(7))
            let record = try BindingRecord(in: test.folder.appending(path: "key").path).read()
            #expect(record?.isChanging != true && (record != nil) == isBound)
        }
    }
}
