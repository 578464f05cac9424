import Foundation
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("The log")
struct HistoryLogTests {
    static let midnight = Date(timeIntervalSince1970: 1_763_683_200)

    /// A log of `count` notes, a second apart.
    static func log(of count: Int) throws -> ColdDatabase {
        let database = try ColdDatabase.inMemory()
        try database.write { trees in
            for number in 0..<count {
                try HistoryLog.append(
                    [.userEntry("note \(number)")], at: midnight + TimeInterval(number), to: trees)
            }
        }
        return database
    }

    static func verified(_ database: ColdDatabase) throws -> [(entry: HistoryEntry, digest: [UInt8])] {
        try database.read { try HistoryLog.stored($0) }.verified()
    }

    @Test("each published log has its keys, checksum and digest")
    func knownAnswers() throws {
        let logs = try KnownRecords.json("history.json")["logs"].array
        #expect(logs.count == 4)
        for known in logs {
            let database = try ColdDatabase.inMemory()
            try database.write { trees in
                var digest = HistoryLog.emptyDigest
                for (place, json) in known["entries"].array.enumerated() {
                    let order = UInt32(try #require(json["order"].int))
                    let bytes = try KnownRecords.entry(json).scaleEncoded
                    #expect(bytes == known["entryScale"][place].hex)
                    try trees.put(.history, key: HistoryLog.key(order: order), value: bytes)
                    digest = HistoryLog.extend(digest, order: order, entry: bytes)
                }
                try trees.changeInventory { $0.log = digest }
                for (place, key) in known["firstKeys"].array.enumerated() {
                    #expect(HistoryLog.key(order: UInt32(place)) == key.hex)
                }
                #expect(try HistoryLog.stored(trees).shownChecksum == known["shown"].string)
                let crc = CRC32.of(try trees.pairs(.history).flatMap { [$0.key, $0.value] })
                #expect(Int(crc) == known["crc32"].int)
            }
            let entries = try Self.verified(database)
            #expect(entries.count == known["count"].int)
            #expect(entries.last?.digest == known["chainDigest"].hex)
        }
    }

    @Test("appending writes the entries, checksum and digest of the published log of five")
    func appended() throws {
        let verifier = try #require(
            Hex.decode("c46a22b9da19540a77cbde23197e5fd90485c72b4ecf3c599ecca6998f39bd57"))
        let entries: [([Event], TimeInterval)] = [
            ([.databaseInitiated, .generalVerifierSet(Verifier(.sr25519(verifier)))], 0.1),
            ([.userEntry("note 1")], 1.92),
            ([.deviceWasOnline], 2.839), ([.resetDangerRecord], 3.758), ([.seedCreated(name: "Alice")], 4.677),
        ]
        let database = try ColdDatabase.inMemory()
        try database.write { trees in
            for (events, seconds) in entries {
                try HistoryLog.append(events, at: Self.midnight + seconds, to: trees)
            }
        }
        let times = try Self.verified(database).map(\.entry.timestamp)
        #expect(times == ["00.1", "01.92", "02.839", "03.758", "04.677"].map { "2025-11-21 00:00:" + $0 })
        // The published log writes the second time with a zero at its end, so only the first entry has its digest.
        #expect(
            Hex.encode(try Self.verified(database)[0].digest)
                == "e8fe0ecd730243610f8255818e005041b950b5602c4d70146f3760cf7f1334de")
        #expect(
            try database.read { StoredLog(pairs: [try #require($0.pairs(.history).first)], digest: []).shownChecksum }
                == "CDAE52B9")
    }

    @Test("three hundred entries come in the order of writing, not of their keys' bytes")
    func order() throws {
        let database = try Self.log(of: 300)
        let entries = try Self.verified(database).map(\.entry)
        #expect(entries.map(\.events) == (0..<300).map { [.userEntry("note \($0)")] })
        let keys = try database.read { try $0.pairs(.history).map(\.key) }
        #expect(keys[1] == [0, 1, 0, 0])
    }

    @Test("nothing is written where nothing happened")
    func noEvents() throws {
        let database = try Self.log(of: 0)
        try database.write { try HistoryLog.append([], at: Self.midnight, to: $0) }
        #expect(try database.read { try $0.count(.history) } == 0)
        #expect(try database.read { try HistoryLog.stored($0).shownChecksum } == "00000000")
    }

    @Test("a clock that went back is written as the last time, and noted")
    func clockWentBack() throws {
        let database = try Self.log(of: 2)
        try database.write { try HistoryLog.append([.deviceWasOnline], at: Self.midnight - 1, to: $0) }
        let last = try #require(try Self.verified(database).last).entry
        #expect(last.timestamp == "2025-11-21 00:00:01.0")
        #expect(last.events == [.deviceWasOnline, .systemEntry("clock went back: 2025-11-20 23:59:59.0")])
    }

    /// What is done to a log of five to make it another one.
    enum Change: CaseIterable {
        case lastRemoved, middleRemoved, firstRemoved, allRemoved, swapped, rewritten, appended, cut, digestChanged

        func apply(to trees: MutableTrees) throws {
            func key(_ order: UInt32) -> [UInt8] { HistoryLog.key(order: order) }
            func entry(_ order: UInt32) throws -> [UInt8] { try #require(try HistoryLog.entryBytes(order, trees)) }
            switch self {
            case .lastRemoved: try trees.remove(.history, key(4))
            case .middleRemoved: try trees.remove(.history, key(2))
            case .firstRemoved: try trees.remove(.history, key(0))
            case .allRemoved: try trees.removeAll(.history)
            case .swapped:
                let (one, two) = (try entry(1), try entry(2))
                try trees.put(.history, key: key(1), value: two)
                try trees.put(.history, key: key(2), value: one)
            case .rewritten:
                var changed = try HistoryEntry(scaleEncoded: entry(3))
                changed.events = [.userEntry("another note")]
                try trees.put(.history, key: key(3), value: changed.scaleEncoded)
            case .appended: try trees.put(.history, key: key(5), value: try entry(4))
            case .cut: try trees.put(.history, key: key(4), value: try entry(4).dropLast())
            case .digestChanged: try trees.changeInventory { $0.log = HistoryLog.emptyDigest }
            }
        }
    }

    @Test("a log that is not the one that was written is refused", arguments: Change.allCases)
    func changed(_ change: Change) throws {
        let database = try Self.log(of: 5)
        try database.write { try change.apply(to: $0) }
        let error = #expect(throws: SignerError.self) { try Self.verified(database) }
        #expect(error?.code == "DatabaseDamaged")
    }
}
