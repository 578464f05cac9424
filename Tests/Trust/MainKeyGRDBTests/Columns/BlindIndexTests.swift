import Foundation
import GRDB
import MainKey
import Testing

@testable import MainKeyGRDB

@Suite("Blind indexes")
struct BlindIndexTests {
    enum Folded: BlindIndexedColumn {
        static let table = "user"
        static let column = "email"
        static let indexColumn = "email_bi"
        static let normalisation = TextNormalisation.compatibilityCaseFold
    }

    enum Short: BlindIndexedColumn {
        static let table = "user"
        static let column = "email"
        static let indexColumn = "email_bi"
        static let indexByteCount = 4
        static let normalisation = TextNormalisation.asciiLowercase
    }

    enum Flag: BlindIndexedColumn {
        static let table = "user"
        static let column = "flag"
        static let indexColumn = "flag_bi"
    }

    enum AllowedFlag: BlindIndexedColumn {
        static let table = "user"
        static let column = "flag"
        static let indexColumn = "flag_bi"
        static let allowLowEntropy = true
    }

    @Test("length and normalisation are those that the column declares")
    func declared() throws {
        let vault = try Fixture.vault()
        #expect(try BlindIndex<Folded>("ﬁn@Example.org", in: vault) == BlindIndex("FIN@example.ORG", in: vault))
        #expect(try BlindIndex<UserEmail>("Anna", in: vault) != BlindIndex("anna", in: vault))
        #expect(try Data.fromDatabaseValue(BlindIndex<UserEmail>("anna", in: vault).databaseValue)?.count == 16)
        #expect(try Data.fromDatabaseValue(BlindIndex<Short>("anna", in: vault).databaseValue)?.count == 4)
        let absent: String? = nil
        #expect(try BlindIndex<UserEmail>(absent, in: vault) == nil)
    }

    @Test("truth values are indexed only where the column allows it")
    func lowEntropy() throws {
        let vault = try Fixture.vault()
        #expect(code { _ = try BlindIndex<Flag>(true, in: vault) } == "configError")
        #expect(try BlindIndex<AllowedFlag>(true, in: vault) != BlindIndex(false, in: vault))
    }

    @Test("rows are found in every epoch that is held, and by the index")
    func query() throws {
        let queue = try DatabaseQueue()
        try queue.fillUsers(20, in: try Fixture.vault(active: 1))
        let vault = try Fixture.vault(active: 2)
        try queue.write { db in
            try User(100, email: email(7), note: nil, in: vault).insert(db)
            let request = try User.filter(blindIndex: UserEmail.self, equals: email(7), in: vault)
            #expect(try Set(request.fetchAll(db).map(\.id)) == [7, 100])
            #expect(try User.filter(blindIndex: UserEmail.self, equals: "nobody", in: vault).fetchCount(db) == 0)
            let sql = try request.makePreparedRequest(db).statement
            let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql.sql)", arguments: sql.arguments)
            #expect(plan.contains { "\($0)".contains("user_email_bi") }, "\(plan)")
        }
    }

    @Test("a second look leaves out what a short index, or a moved one, found besides")
    func secondLook() throws {
        let vault = try Fixture.vault()
        let queue = try DatabaseQueue()
        try queue.createUsers()
        try queue.write { db in
            for (id, email) in [(1, "Anna@example.org"), (2, "bert@example.org"), (3, "ANNA@example.org")] {
                // As if the four bytes were equal by chance.
                try db.execute(
                    sql: "INSERT INTO user VALUES (?, ?, ?, NULL, NULL)",
                    arguments: [
                        id, Sealed<String, Short>(email, in: vault), BlindIndex<Short>("anna@example.org", in: vault),
                    ])
            }
            try db.execute(
                sql: "INSERT INTO user VALUES (4, NULL, ?, NULL, NULL)",
                arguments: [BlindIndex<Short>("anna@example.org", in: vault)])
            #expect(
                try ShortUser.filter(blindIndex: Short.self, equals: "anna@example.org", in: vault).fetchCount(db) == 4)
            let found = try ShortUser.all().fetchAll(db, where: \.email, equals: "anna@EXAMPLE.org", in: vault)
            #expect(found.map(\.id) == [1, 3])
        }
    }

    struct ShortUser: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "user"
        var id: Int64
        var email: Sealed<String, Short>?
    }
}
