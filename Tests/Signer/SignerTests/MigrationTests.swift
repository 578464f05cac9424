import Foundation
import SecretMemory
import Substrate
import Testing

@testable import Signer

@Suite("Vaults of the first kind")
struct MigrationTests {
    private func unlocking(_ person: Typist) -> Unlocking {
        Unlocking(cost: TestVault.cost) { try person.type($0) }
    }

    /// The state of all trees but for the version of the file, which is another one afterwards.
    private func content(_ trees: Trees) throws -> [UInt8] {
        try StateDigest.state { tree in
            try trees.pairs(tree).filter { tree != .settings || $0.key != Setting.schemaVersion.key }
        }
    }

    @Test("opened for changes, one is sealed under the PIN that it had, and nothing of it is lost")
    func migrated() throws {
        let pin = try TestVault.secret("a passphrase")
        let comment = "paid to the gardener in June"
        let old = try FirstKindVault(passphrase: pin, comment: comment)
        defer { withExtendedLifetime(old) {} }
        let clear = try ColdDatabase(opening: old.folder.appending(path: "vault.sqlite").path, readOnly: true)
        let (state, addresses) = try clear.read { (try content($0), try $0.pairs(.addresses)) }
        let person = Typist(pin)
        let vault = try Vault.open(old.folder, unlocking: unlocking(person))
        #expect(vault.migration == Vault.Migration(weakness: nil))
        #expect(person.reasons == [.migration])
        #expect(try vault.database.read { try content($0) } == state)
        let mnemonic = try vault.revealSeed(named: "demo")
        #expect(mnemonic.entropy == (try Mnemonic(phrase: TestVault.secret(TestVault.phrase))).entropy)
        // Nothing of what was in the clear is in any file.
        for (name, data) in try TestVault.files(in: old.folder) {
            for text in [comment, "CMSEEDS1"] {
                #expect(data.range(of: Data(text.utf8)) == nil, "\(text) in \(name)")
            }
            for (key, _) in addresses { #expect(data.range(of: Data(key.dropFirst())) == nil, "\(name)") }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: old.folder.path).sorted() == [
                "key", "lock", "seeds.sealed", "vault.sqlite",
            ])
    }

    @Test("opened to look, it stays as it was; seeds are not opened, and the next step is said")
    func looked() throws {
        let old = try FirstKindVault(passphrase: TestVault.secret("a passphrase"))
        defer { withExtendedLifetime(old) {} }
        let before = try TestVault.files(in: old.folder)
        let person = Typist(try TestVault.secret("none"))
        let vault = try Vault.open(old.folder, for: .read, unlocking: unlocking(person))
        #expect(try vault.seedNames() == ["demo"])
        #expect(throws: SignerError.firstKind(folder: old.folder.path)) {
            try vault.preview(ofSeed: "demo", password: nil)
        }
        #expect(throws: SignerError.firstKind(folder: old.folder.path)) {
            try VaultKey(of: old.folder, unlocking(person))
        }
        #expect(person.reasons == [])
        #expect(try TestVault.files(in: old.folder) == before)
    }

    @Test("where a validator is pinned it is asked first, and what is made is bound to it")
    func validator() throws {
        let pin = try TestVault.secret("a passphrase")
        let old = try FirstKindVault(passphrase: pin)
        defer { withExtendedLifetime(old) {} }
        let before = try TestVault.files(in: old.folder)
        let (person, validator) = (Typist(pin), try FakeValidator())
        var asking = unlocking(person)
        asking.vigil = validator
        validator.refuse()
        #expect(throws: SignerError.vigil(FakeValidator.silence)) { try Vault.open(old.folder, unlocking: asking) }
        #expect(person.reasons == [])
        #expect(try TestVault.files(in: old.folder).filter { $0.key != "lock" } == before)
        validator.give(try FakeValidator.grant(7))
        let vault = try Vault.open(old.folder, unlocking: asking)
        #expect(vault.migration?.boundTo?.validatorKeyID == String(repeating: "ab", count: 32))
        #expect(try vault.key?.binding()?.label == "casemate")
        // The key that the migration handed out knows it as well.
        try vault.key?.changePIN { try TestVault.secret("a newer passphrase") }
        person.pin = try TestVault.secret("a newer passphrase")
        #expect(try Vault.open(old.folder, for: .read, unlocking: asking).seedNames() == ["demo"])
        #expect(throws: SignerError.vigil(.noValidator(bound: String(repeating: "ab", count: 32)))) {
            try Vault.open(old.folder, for: .read, unlocking: unlocking(person))
        }
    }

    @Test("a wrong passphrase changes nothing")
    func wrong() throws {
        let old = try FirstKindVault(passphrase: TestVault.secret("a passphrase"))
        defer { withExtendedLifetime(old) {} }
        let before = try TestVault.files(in: old.folder)
        let person = Typist(try TestVault.secret("another one"))
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: nil))) {
            try Vault.open(old.folder, unlocking: unlocking(person))
        }
        #expect(try TestVault.files(in: old.folder).filter { $0.key != "lock" } == before)
    }

    @Test("a PIN that would be refused today opens the sealed vault all the same, and is called weak")
    func weak() throws {
        let pin = try TestVault.secret("1234")
        let old = try FirstKindVault(passphrase: pin)
        defer { withExtendedLifetime(old) {} }
        let vault = try Vault.open(old.folder, unlocking: unlocking(Typist(pin)))
        #expect(vault.migration?.weakness == .tooShort)
        try vault.key?.lock()
        #expect(try vault.revealSeed(named: "demo").entropy.count == 16)
    }

    @Test(
        "a mauled file of seeds is told from a wrong passphrase, and one of unreasonable cost is refused before any work"
    )
    func mauled() throws {
        let pin = try TestVault.secret("a passphrase")
        let old = try FirstKindVault(passphrase: pin)
        defer { withExtendedLifetime(old) {} }
        let url = old.folder.appending(path: "seeds.sealed")
        let file = PassphraseSeedFile(path: url.path)
        let whole = Array(try Data(contentsOf: url))
        for index in whole.indices where index >= 20 || index < 8 {
            var bytes = whole
            bytes[index] ^= 1
            try Data(bytes).write(to: url)
            #expect(throws: SignerError.self) { try file.read(credential: pin) }
        }
        var bytes = whole
        for index in 12..<20 { bytes[index] = 0xff }
        try Data(bytes).write(to: url)
        let error = #expect(throws: SignerError.self) { try file.read(credential: pin) }
        #expect(error?.code == "DatabaseDamaged")
        try Data(whole).write(to: url)
        #expect(try file.read(credential: pin).entries.map(\.name) == ["demo"])
    }

    @Test("what a kill behind the switch left is put in its place by the next opening", arguments: [0, 1, 2, 3])
    func unfinished(_ step: Int) throws {
        let pin = try TestVault.secret("a passphrase")
        let old = try FirstKindVault(passphrase: pin)
        defer { withExtendedLifetime(old) {} }
        let clear = try Data(contentsOf: old.folder.appending(path: "vault.sqlite"))
        _ = try Vault.open(old.folder, unlocking: unlocking(Typist(pin)))
        // As if it had been killed: new files still in the folder of the key, old ones whole or gone.
        for (index, name) in ["vault.sqlite", "seeds.sealed"].enumerated() where index >= step / 2 {
            let place = old.folder.appending(path: name)
            try FileManager.default.moveItem(at: place, to: old.folder.appending(path: "key/\(name)"))
            if step % 2 == 0 { try clear.write(to: place) }
            if step % 2 == 0 {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
            }
        }
        let vault = try Vault.open(old.folder, for: .read, unlocking: unlocking(Typist(pin)))
        #expect(
            try vault.seedNames() == ["demo"]
                && vault.preview(ofSeed: "demo", password: nil).rows(paths: [], accounts: 1, prefix: nil).count > 0)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: old.folder.path + "/key").contains("vault.sqlite"))
    }
}
