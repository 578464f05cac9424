import Foundation
import GRDB
import MainKey
import Synchronization
import TestSupport
import Testing

@testable import MainKeyGRDB

/// A process of its own does the work and is killed at a random moment after a random transaction.
@Suite("Processes that are killed", .serialized)
struct KilledProcessTests {
    /// Where the process dies.
    struct Moment: Codable, Sendable, CustomTestStringConvertible {
        /// After at least so many values.
        var done: Int
        /// And so long after that.
        var microseconds: UInt32
        var testDescription: String { "\(done) values and \(microseconds) µs" }

        /// Ends the process a little after `progress` says that the time has come. It does not come back.
        func kill(at progress: SealingProgress) {
            // On a busy machine the thread may come late: it does not get to the end.
            if progress.done >= done + Self.most { Foundation.kill(getpid(), SIGKILL) }
            guard progress.done >= done, !Self.isComing.exchange(true, ordering: .relaxed) else { return }
            Thread {
                usleep(microseconds)
                Foundation.kill(getpid(), SIGKILL)
            }.start()
        }

        private static let isComing = Atomic(false)
        /// Values that are worked on at most when the time has come.
        private static let most = 1_000

        /// Spread over the work; some fall into a transaction, some between two.
        static func random(_ count: Int, of total: Int, seed: UInt64) -> [Moment] {
            var generator = SplitMix64(state: seed)
            return (0..<count).map { _ in
                Moment(
                    done: .random(in: 0...(total * 3 / 4), using: &generator),
                    microseconds: .random(in: 0...6000, using: &generator))
            }
        }
    }

    @Test("a rotation that is killed again and again loses no row, and ends complete", arguments: ["DELETE", "WAL"])
    func rotation(mode: String) async throws {
        let count = 12_000
        let folder = try Folder()
        try Self.prepare(folder, mode) { queue in
            try queue.fillUsers(count, in: try Fixture.vault(holding: [1], active: 1))
        }
        var left = [count * 2 - count / 10]
        for moment in Moment.random(6, of: 1500, seed: UInt64(mode.utf8.count)) {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, moment = moment as Moment] in
                let rotator = try SealedColumnRotator(path: path, columns: User.columns)
                try rotator.rotate(in: try Fixture.vault()) { moment.kill(at: $0) }
                while true { pause() }
            }
            left.append(try Self.remaining(folder, count, epochs: [1, 2]))
        }
        // The processes got on, and none to the end.
        #expect(left.sorted(by: >) == left)
        #expect(Set(left).count >= 4, "\(left)")
        #expect(try #require(left.last) > 0, "\(left)")

        try SealedColumnRotator(path: folder.path, columns: User.columns).rotate(in: try Fixture.vault())
        #expect(try Self.remaining(folder, count, epochs: [2]) == 0)
    }

    @Test(
        "a migration that is killed again and again loses no row, and leaves no cleartext",
        arguments: ["DELETE", "WAL"])
    func migration(mode: String) async throws {
        let count = 4000
        let folder = try Folder()
        try Self.prepare(folder, mode) { queue in try SealedRecordMigratorTests.fillCleartext(queue, count) }
        let total = count * 2 - count / 10
        var sealed: [Int] = []
        // The last dies while the file is written anew.
        let moments =
            Moment.random(5, of: total, seed: UInt64(mode.utf8.count)) + [Moment(done: total, microseconds: 2000)]
        for moment in moments {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, moment = moment as Moment] in
                try SealedRecordMigrator(try DatabaseQueue(path: path), columns: SealedRecordMigratorTests.columns)
                    .migrate(in: try Fixture.vault()) { moment.kill(at: $0) }
                while true { pause() }
            }
            let (rows, values) = try Self.sealedCount(folder)
            #expect(rows == count)
            sealed.append(values)
        }
        // The processes died half-way, and what was sealed stayed so.
        #expect(sealed.sorted() == sealed)
        #expect(sealed.contains { 0 < $0 && $0 < total }, "\(sealed)")
        try Self.finishMigration(folder)
        #expect(try SealedRecordMigratorTests.found(in: folder).isEmpty)
        #expect(try Self.remaining(folder, count, epochs: [2]) == 0)
    }

    // MARK: What looks at the database between two processes

    private static func prepare(_ folder: Folder, _ mode: String, _ fill: (DatabaseQueue) throws -> Void) throws {
        let queue = try DatabaseQueue(path: folder.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
        try fill(queue)
    }

    private static func sealedCount(_ folder: Folder) throws -> (rows: Int, values: Int) {
        try DatabaseQueue(path: folder.path).read { db in
            let counts = try Row.fetchOne(
                db, sql: "SELECT count(*), sum(typeof(email) = 'blob') + total(typeof(note) = 'blob') FROM user")
            return (counts?[0] ?? 0, counts?[1] ?? 0)
        }
    }

    /// Opens every row with the keys of `epochs` alone.
    ///
    /// - Returns: the number of values that are not of the active epoch.
    private static func remaining(_ folder: Folder, _ count: Int, epochs: [UInt32]) throws -> Int {
        let queue = try DatabaseQueue(path: folder.path)
        let vault = try Fixture.vault(holding: epochs, active: 2)
        try queue.read { db in
            try expectUsers(count, epochs: Set(epochs), in: vault, db)
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
        }
        return try SealedColumnRotator(queue, columns: User.columns).remaining(in: vault)
    }

    /// The files are looked at afterwards while the database is still as it was left.
    private static func finishMigration(_ folder: Folder) throws {
        try SealedRecordMigrator(
            try DatabaseQueue(path: folder.path), columns: SealedRecordMigratorTests.columns
        ).migrate(in: try Fixture.vault())
    }
}
