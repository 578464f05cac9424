import Foundation
import GRDB
import MainKey
import MainKeyGRDB
import Measuring

enum Email: BlindIndexedColumn {
    static let table = "sealedUser"
    static let column = "email"
    static let indexColumn = "emailIndex"
}

enum Name: SealedColumn {
    static let table = "sealedUser"
    static let column = "name"
}

enum Note: SealedColumn {
    static let table = "sealedUser"
    static let column = "note"
}

/// Rows of three texts, found by one of them: the same in the clear and sealed.
struct Database {
    let vault: MainKeyVault
    let folder: URL

    private let rowCount: Int64 = 100_000
    private let lookupCount = 10_000

    private func email(_ id: Int64) -> String { "user\(id)@example.org" }
    private func name(_ id: Int64) -> String { "Anna Maria Nr. \(id)" }
    private func note(_ id: Int64) -> String { "A note of some forty bytes about row \(id)" }

    func run() async throws {
        let queue = try DatabaseQueue(path: folder.appending(path: "bench.sqlite").path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE plainUser(id INTEGER PRIMARY KEY, email TEXT, name TEXT, note TEXT);
                    CREATE INDEX plainEmail ON plainUser(email);
                    CREATE TABLE sealedUser(id INTEGER PRIMARY KEY, email BLOB, name BLOB, note BLOB, emailIndex BLOB);
                    CREATE INDEX sealedEmail ON sealedUser(emailIndex)
                    """)
        }
        try measureLookups(queue)
        try rotate(queue)
    }

    private func measureLookups(_ queue: DatabaseQueue) throws {
        try vault.withUnlocked { vault in
            try fill(queue, vault)
            let wanted = (0..<lookupCount).map { _ in Int64.random(in: 0..<rowCount) }
            var plain = try lookUpPlain(queue, wanted)
            var sealed = try lookUpSealed(queue, wanted, vault)
            // In turns, so that neither has the quieter machine.
            for _ in 0..<6 {
                plain.microseconds = min(plain.microseconds, try lookUpPlain(queue, wanted).microseconds)
                sealed.microseconds = min(sealed.microseconds, try lookUpSealed(queue, wanted, vault).microseconds)
            }
            report("lookup_plain", plain)
            report("lookup_protected", sealed)
            report(
                "lookup_protection_costs",
                Cost(microseconds: sealed.microseconds - plain.microseconds, bytes: max(0, sealed.bytes - plain.bytes)))
        }
    }

    private func fill(_ queue: DatabaseQueue, _ vault: borrowing UnlockedVault) throws {
        try queue.write { db in
            let plain = try db.makeStatement(sql: "INSERT INTO plainUser VALUES (?, ?, ?, ?)")
            let sealed = try db.makeStatement(sql: "INSERT INTO sealedUser VALUES (?, ?, ?, ?, ?)")
            for id in 0..<rowCount {
                try plain.execute(arguments: [id, email(id), name(id), note(id)])
                try sealed.execute(
                    arguments: [
                        id, try Sealed<String, Email>(email(id), in: vault),
                        try Sealed<String, Name>(name(id), in: vault),
                        try Sealed<String, Note>(note(id), in: vault, row: .rowID(id)),
                        try BlindIndex<Email>(email(id), in: vault),
                    ])
            }
        }
    }

    private func lookUpPlain(_ queue: DatabaseQueue, _ wanted: [Int64]) throws -> Cost {
        try queue.read { db in
            let statement = try db.makeStatement(sql: "SELECT note FROM plainUser WHERE email = ?")
            return try each(of: wanted.count) {
                for id in wanted {
                    let found = try String.fetchOne(statement, arguments: [email(id)])
                    precondition(found == note(id))
                }
            }
        }
    }

    private func lookUpSealed(
        _ queue: DatabaseQueue, _ wanted: [Int64], _ vault: borrowing UnlockedVault
    ) throws -> Cost {
        try queue.read { db in
            let statement = try db.makeStatement(sql: "SELECT note FROM sealedUser WHERE emailIndex = ?")
            return try each(of: wanted.count) {
                for id in wanted {
                    let code = try BlindIndex<Email>(email(id), in: vault)
                    let found = try Sealed<String, Note>.fetchOne(statement, arguments: [code])
                    let opened = try found?.open(in: vault, row: .rowID(id))
                    precondition(opened == note(id))
                }
            }
        }
    }

    /// What one of so many look-ups costs.
    private func each(of count: Int, _ lookUps: () throws -> Void) rethrows -> Cost {
        var cost = try best(rounds: 1, lookUps)
        cost.microseconds /= Double(count)
        return cost
    }

    /// Three values a row, one of them with its blind index.
    private func rotate(_ queue: DatabaseQueue) throws {
        let rotator = SealedColumnRotator(
            queue,
            columns: [
                RegisteredColumn(Email.self), RegisteredColumn(Name.self), RegisteredColumn(Note.self, tiedTo: .rowID),
            ])
        let cost = try each(of: Int(rowCount) * 3) { try vault.rotate([rotator]) }
        report("rotate_value", cost)
        print("note: rotation: \(Int(1e6 / cost.microseconds)) values/s")
    }
}
