import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("The digest of the database")
struct StateDigestTests {
    static func database(_ trees: JSON) throws -> ColdDatabase {
        let database = try ColdDatabase.inMemory()
        try database.write { writer in
            for (name, pairs) in trees.object {
                let tree = try #require(Tree(rawValue: name))
                for pair in pairs.array {
                    try writer.put(tree, key: #require(pair[0].hex), value: #require(pair[1].hex))
                }
            }
        }
        return database
    }

    @Test("the published database has its digest, with and without a pending row")
    func knownAnswer() throws {
        let known = try KnownRecords.json("database.json")["database"]
        let database = try Self.database(known["trees"])
        let expected = try #require(known["withTransactionRow"]["stateDigestExcludingTransaction"].hex)
        #expect(try database.read { try StateDigest.state($0) } == expected)
        let row = known["withTransactionRow"]["row"]
        try database.write { try $0.put(.transaction, key: #require(row[0].hex), value: #require(row[1].hex)) }
        #expect(try database.read { try StateDigest.state($0) } == expected)
    }

    @Test("the published database has its checksum, with and without a pending row")
    func checksum() throws {
        let known = try KnownRecords.json("database.json")["database"]
        let pending = known["withTransactionRow"]
        func checksum(_ row: JSON?) throws -> UInt32 {
            CRC32.of(
                try known["trees"].object.sorted { $0.key < $1.key }.flatMap { name, pairs in
                    let rows = pairs.array + (name == "transaction" ? [row].compactMap { $0 } : [])
                    return [Array(name.utf8)]
                        + (try rows.flatMap { [try #require($0[0].hex), try #require($0[1].hex)] })
                })
        }
        #expect(Int(try checksum(nil)) == known["crc32"].int)
        #expect(Int(try checksum(pending["row"])) == pending["crc32"].int)
    }

    @Test("CRC-32 of the nine digits is the one that everybody has")
    func crc() {
        #expect(CRC32.of([Array("1234".utf8), [], Array("56789".utf8)]) == 0xcbf4_3926)
        #expect(CRC32.of([]) == 0)
    }

    @Test("an empty database has the digest of its trees' names")
    func empty() throws {
        let names = ["addresses", "chainspecs", "history", "metadata", "settings", "verifiers"]
        let written = names.reduce(Array("cold-vault/state/v1".utf8)) {
            $0 + [UInt8($1.utf8.count << 2)] + $1.utf8 + [0]
        }
        #expect(try ColdDatabase.inMemory().read { try StateDigest.state($0) } == Blake2b.hash(written, size: 32))
    }

    @Test("any row of any tree but the pending one changes the digest", arguments: Tree.allCases)
    func everyRowCounts(_ tree: Tree) throws {
        let database = try ColdDatabase.inMemory()
        var digests = [try database.read { try StateDigest.state($0) }]
        for (key, value) in [([1], [2]), ([1], [3]), ([1, 3], []), ([], [0])] as [([UInt8], [UInt8])] {
            try database.write { try $0.put(tree, key: key, value: value) }
            digests.append(try database.read { try StateDigest.state($0) })
        }
        #expect(Set(digests).count == (tree == .transaction ? 1 : 5))
    }

    @Test("bytes that move between key and value, or from tree to tree, give another digest")
    func boundaries() throws {
        let states: [[(Tree, [UInt8], [UInt8])]] = [
            [(.addresses, [1, 2], [3])], [(.addresses, [1], [2, 3])], [(.chainspecs, [1, 2], [3])],
            [(.addresses, [1, 2, 3], [])], [(.addresses, [1], []), (.addresses, [2], [3])],
        ]
        let digests = try states.map { rows in
            let database = try ColdDatabase.inMemory()
            try database.write { trees in for row in rows { try trees.put(row.0, key: row.1, value: row.2) } }
            return try database.read { try StateDigest.state($0) }
        }
        #expect(Set(digests).count == states.count)
    }

    @Test("a pending item is bound to the state and to the payload")
    func item() throws {
        let database = try ColdDatabase.inMemory()
        let first = try database.write { try $0.setPending([1, 2, 3]) }
        #expect(
            try database.read { try $0.pendingItem() } == PendingItem(itemID: first, payload: [1, 2, 3], attempts: 0))
        #expect(try database.write { try $0.setPending([1, 2, 3]) } == first)
        #expect(try database.write { try $0.setPending([1, 2, 4]) } != first)
        #expect(try database.read { try $0.count(.transaction) } == 1)
        try database.write { try HistoryLog.append([.deviceWasOnline], at: TestVault.time, to: $0) }
        #expect(try database.write { try $0.setPending([1, 2, 3]) } != first)
    }
}
