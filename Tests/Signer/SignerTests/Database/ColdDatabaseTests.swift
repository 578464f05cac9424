import Foundation
import GRDB
import TestSupport
import Testing

@testable import Signer

@Suite("The file of the database")
struct ColdDatabaseTests {
    struct Interrupted: Error {}

    static func filled(_ path: String) throws -> ColdDatabase {
        let database = try ColdDatabase.create(at: path)
        try database.write { trees in
            try trees.put(.addresses, key: [1], value: [2])
            try trees.putSchemaVersion()
            try HistoryLog.append([.databaseInitiated], at: TestVault.time, to: trees)
        }
        return database
    }

    @Test("keys come in the order of their bytes, and any bytes are kept as they are")
    func order() throws {
        let database = try ColdDatabase.inMemory()
        let keys: [[UInt8]] = [[], [0], [0, 0], [0x27, 0x22], [0x7f], [0x80], [0xff], [0xff, 0]]
        try database.write { trees in for key in keys.reversed() { try trees.put(.metadata, key: key, value: key) } }
        let pairs = try database.read { try $0.pairs(.metadata) }
        #expect(pairs.map(\.key) == keys && pairs.map(\.value) == keys)
        #expect(try database.read { try $0.pairs(.metadata, prefix: [0]).map(\.key) } == [[0], [0, 0]])
        #expect(try database.read { try $0.value(.metadata, [0x80, 0]) } == nil)
        #expect(try database.read { try $0.value(.metadata, []) } == [])
    }

    @Test("an action that fails half-way leaves nothing behind")
    func interrupted() throws {
        let folder = try Folder()
        let database = try Self.filled(folder.path("vault.sqlite"))
        let before = try database.read { try StateDigest.state($0) }
        #expect(throws: Interrupted.self) {
            try database.write { trees in
                try trees.put(.addresses, key: [9], value: [9])
                try trees.removeAll(.history)
                try HistoryLog.append([.historyCleared], at: TestVault.time, to: trees)
                throw Interrupted()
            }
        }
        let again = try ColdDatabase(opening: folder.path("vault.sqlite"), readOnly: true)
        #expect(try again.read { try StateDigest.state($0) } == before)
        #expect(try again.read { try HistoryLog.stored($0).verified().count } == 1)
    }

    @Test("only its owner may read it, and it is never made over another")
    func creation() throws {
        let folder = try Folder()
        let path = folder.path("vault.sqlite")
        _ = try Self.filled(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let error = #expect(throws: SignerError.self) { try ColdDatabase.create(at: path) }
        #expect(error?.code == "StorageUnavailable")
    }

    @Test("opened to look, it cannot be written")
    func readOnly() throws {
        let folder = try Folder()
        let path = folder.path("vault.sqlite")
        _ = try Self.filled(path)
        let database = try ColdDatabase(opening: path, readOnly: true)
        #expect(throws: SignerError.self) { try database.write { try $0.put(.addresses, key: [1], value: [3]) } }
        #expect(try database.read { try $0.value(.addresses, [1]) } == [2])
    }

    @Test(
        "a row that does not hold bytes is damage, not a crash",
        arguments: [
            "UPDATE addresses SET value = 7", "UPDATE addresses SET value = 'text'", "UPDATE addresses SET value = 1.5",
            "UPDATE addresses SET key = 7", "UPDATE history SET value = 7", "UPDATE history SET key = 'text'",
            "UPDATE inventory SET content = 7", "DELETE FROM inventory", "DROP TABLE inventory", "DROP TABLE history",
            "DROP TABLE addresses; CREATE TABLE addresses (key, value); INSERT INTO addresses VALUES (NULL, NULL)",
        ])
    func foreignRows(_ sql: String) throws {
        let folder = try Folder()
        let path = folder.path("vault.sqlite")
        _ = try Self.filled(path)
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        let error = #expect(throws: SignerError.self) {
            let database = try ColdDatabase(opening: path, readOnly: true)
            try database.read { trees in
                _ = try trees.value(.addresses, [1])
                _ = try StateDigest.state(trees)
                try HistoryLog.stored(trees).verified()
            }
        }
        #expect(error?.code == "DatabaseDamaged")
    }

    @Test("a mauled file is refused or read, and never stops the program")
    func mauled() throws {
        let folder = try Folder()
        let path = folder.path("vault.sqlite")
        _ = try Self.filled(path)
        let whole = Array(try Data(contentsOf: folder.url.appending(path: "vault.sqlite")))
        var random = SplitMix64(state: 9)
        for round in 0..<150 {
            var bytes = whole
            if round % 5 == 0 {
                bytes.removeLast(Int.random(in: 1...whole.count, using: &random))
            } else {
                for _ in 0..<(1 << (round % 5)) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let mauled = folder.path("mauled.sqlite")
            try Data(bytes).write(to: URL(filePath: mauled))
            do {
                try ColdDatabase(opening: mauled, readOnly: true).read { trees in
                    _ = try StateDigest.state(trees)
                    try HistoryLog.stored(trees).verified()
                }
            } catch {
                #expect(error is SignerError, "\(error)")
            }
        }
    }

    @Test("a vault that is open for changes is not opened for changes again, but may be looked at")
    func lock() throws {
        let place = try TestVault()
        let vault = try place.open()
        for _ in 0..<2 {
            #expect(throws: SignerError.vaultBusy(path: place.folder.path)) { try place.open() }
        }
        #expect(try place.open(.read).verifyLog().count == 1)
        #expect(try vault.verifyLog().count == 1)
    }

}
