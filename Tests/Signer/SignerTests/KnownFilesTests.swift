import Foundation
import MainKey
import SecretMemory
import Testing

@testable import Signer

@Suite("Files of a vault that somebody put back")
struct KnownFilesTests {
    private func put(_ files: [String: Data], _ name: String, in test: TestVault) throws {
        try #require(files[name]).write(to: test.folder.appending(path: name))
    }

    private func damage(_ test: TestVault, _ access: Vault.Access = .read) -> SignerError.Damage? {
        let error = #expect(throws: SignerError.self) { _ = try test.open(access) }
        guard case .databaseDamaged(let damage)? = error else { return nil }
        return damage
    }

    @Test("an older file of seeds is refused beside a newer database, and a newer one beside an older database")
    func seeds() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let old = try test.files()
        _ = try test.open().createSeed(named: "new", wordCount: 12) { _ in }
        let new = try test.files()
        try put(old, "seeds.sealed", in: test)
        #expect(damage(test) == .olderSeeds && damage(test, .write) == .olderSeeds)
        try put(new, "seeds.sealed", in: test)
        try put(old, "vault.sqlite", in: test)
        #expect(damage(test) == .olderDatabase)
        // Both together are as old as each other, and older than the note of them.
        try put(old, "seeds.sealed", in: test)
        #expect(damage(test) == .olderDatabase)
        for name in ["seeds.sealed", "vault.sqlite"] { try put(new, name, in: test) }
        #expect(try test.open(.read).seedNames() == ["demo", "new"])
    }

    @Test("a file of seeds that is missing or of another vault is damage as the vault opens")
    func otherSeeds() throws {
        let (test, other) = (try TestVault(), try TestVault())
        _ = try test.withSeed()
        _ = try other.withSeed()
        try put(try other.files(), "seeds.sealed", in: test)
        #expect(damage(test) == .olderSeeds)
        try FileManager.default.removeItem(at: test.folder.appending(path: "seeds.sealed"))
        #expect(damage(test) != nil)
    }

    @Test("the note itself is missed, and is not made anew", arguments: [true, false])
    func note(_ isRemoved: Bool) throws {
        let test = try TestVault()
        let key = try #require(try test.withSeed().key)
        if isRemoved {
            try key.engine.removeItem("files")
        } else {
            try key.engine.setItem("files", try TestVault.secret("something else"))
        }
        #expect(damage(test) == .knownFiles && damage(test, .write) == .knownFiles)
    }

    @Test("killed between note and file, or between file and note, the vault opens with what is there")
    func killed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let key = try #require(vault.key)
        let (known, inventory) = (try key.knownFiles(), try #require(try vault.database.read { try $0.inventory() }))
        let next = [UInt8](repeating: 7, count: 32)
        // Noted, and not written.
        try key.changeKnownFiles {
            $0.expectDatabase(next, behind: inventory.digest)
            $0.seeds.append(KnownFiles.SeedFile(digest: next, names: ["demo", "lost"]))
        }
        #expect(try test.open(.read).seedNames() == ["demo"])
        // Written, and noted as what comes.
        try key.changeKnownFiles {
            $0.database = [next, inventory.digest]
            $0.seeds = [KnownFiles.SeedFile(digest: next, names: [])] + known.seeds
        }
        #expect(try test.open(.read).seedNames() == ["demo"])
        // The next change settles it, as opening it for changes does.
        _ = try vault.createSeed(named: "more", wordCount: 12) { _ in }
        let settled = try key.knownFiles()
        #expect(settled.database.count == 1 && settled.seeds.count == 1 && settled.seeds[0].names == ["demo", "more"])
    }

    @Test("seeds are those of the sealed file: one without keys is listed and taken, keys without one are told")
    func names() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.database.write { _ = try $0.removeKeys(ofSeed: "demo") }
        #expect(try vault.seedNames() == ["demo"])
        #expect(try vault.seedSummaries() == [Vault.SeedSummary(name: "demo", keyCount: 0, isStored: true)])
        #expect(throws: SignerError.seedNameTaken(name: "demo")) {
            try vault.createSeed(named: "demo", wordCount: 12) { _ in }
        }
        try vault.finishSeeds()
        try vault.seeds.remove("demo")
        #expect(try vault.seedNames() == [])
        #expect(try vault.seedSummaries() == [Vault.SeedSummary(name: "demo", keyCount: 5, isStored: false)])
        try vault.removeSeed(named: "demo")
        #expect(try vault.seedSummaries() == [])
    }

    @Test("names are listed within a session, which opens no seed")
    func session() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        #expect(try test.open(.read).seedNames() == ["demo"])
        #expect(test.person.reasons == [])
    }
}
