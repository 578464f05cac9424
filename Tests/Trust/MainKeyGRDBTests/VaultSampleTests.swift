import Foundation
import GRDB
import MainKey
import TestSupport
import Testing

@testable import MainKeyGRDB

@Suite("The sample vault's database, written by another implementation")
struct VaultSampleTests {
    @Test("every value of both epochs opens, and is found by its blind index")
    func opens() throws {
        let folder = try Folder.withSample()
        let vault = try Fixture.vault()
        try DatabaseQueue(path: folder.path).read { db in
            try Self.expectRows(in: vault, db) { $0["epoch"].int.map(UInt32.init) }
        }
    }

    @Test("after a rotation every value is of the new epoch, and the old keys are not needed")
    func rotates() throws {
        let folder = try Folder.withSample()
        let all = try Fixture.vault(holding: [1, 2, 3], active: 3)
        let rotator = try SealedColumnRotator(path: folder.path, columns: User.namedColumns)
        var reports: [SealingProgress] = []
        try rotator.rotate(in: all) { reports.append($0) }
        let count = 60 + Fixture.sample["rows"].array.count { !$0["note"].isNull }
        #expect(reports.first == SealingProgress(done: 0, total: count))
        #expect(reports.last == SealingProgress(done: count, total: count))
        let new = try Fixture.vault(holding: [3], active: 3)
        #expect(try rotator.remaining(in: new) == 0)
        try DatabaseQueue(path: folder.path).read { db in try Self.expectRows(in: new, db) { _ in 3 } }
    }

    private static func expectRows(
        in vault: borrowing UnlockedVault, _ db: Database, epoch: (JSON) -> UInt32?
    ) throws {
        let rows = Fixture.sample["rows"].array
        #expect(try User.fetchCount(db) == 60)
        #expect(rows.count == 60)
        for known in rows {
            let address = try #require(known["email"].string)
            let found = try User.filter(blindIndex: UserEmail.self, equals: address, in: vault).fetchAll(db)
            let user = try #require(found.first)
            #expect(found.count == 1)
            #expect(user.id == known["id"].int.map(Int64.init))
            #expect(user.email.epoch == epoch(known))
            #expect(try user.email.open(in: vault) == address)
            #expect(try user.note.open(in: vault, row: .rowID(user.id)) == known["note"].string)
            #expect(user.plain == "row \(user.id)")
        }
    }
}
