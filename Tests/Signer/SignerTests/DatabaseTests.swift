import Foundation
import SCALE
import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Database", .enabled(if: SharedData.has("signer-product/database.json")))
struct DatabaseKnownAnswers {
    private func trees() throws -> [Tree: [(key: [UInt8], value: [UInt8])]] {
        let json = try SharedData.json("signer-product/database.json")["database"]
        var trees: [Tree: [(key: [UInt8], value: [UInt8])]] = [:]
        for (name, pairs) in json["trees"].object {
            let tree = try #require(Tree(rawValue: name))
            trees[tree] = try pairs.array.map { (try #require($0[0].hex), try #require($0[1].hex)) }
        }
        return trees
    }

    @Test("the digest of a whole database is the known one, without the pending row")
    func stateDigest() throws {
        let json = try SharedData.json("signer-product/database.json")["database"]["withTransactionRow"]
        let trees = try trees()
        let digest = StateDigest.state { trees[$0] ?? [] }
        #expect(Hex.encode(digest) == json["stateDigestExcludingTransaction"].string)
    }

    @Test("every row decodes and encodes to itself")
    func rows() throws {
        let trees = try trees()
        for (_, value) in try #require(trees[.chainspecs]) {
            #expect(try OrderedNetworkSpecs(scaleEncoded: value).scaleEncoded == value)
        }
        for (key, value) in try #require(trees[.addresses]) {
            #expect(try MultiSigner(scaleEncoded: key).scaleEncoded == key)
            #expect(try AddressDetails(scaleEncoded: value).scaleEncoded == value)
        }
        for (_, value) in try #require(trees[.verifiers]) {
            #expect(try CurrentVerifier(scaleEncoded: value).scaleEncoded == value)
        }
        for (_, value) in try #require(trees[.history]) {
            #expect(try HistoryEntry(scaleEncoded: value).scaleEncoded == value)
        }
    }

    @Test("keys and verifiers have their known encodings")
    func keys() throws {
        let json = try SharedData.json("signer-product/database.json")["keys"]
        for row in json["metaKey"].array {
            let key = MetadataKey(
                name: try #require(row["name"].string), version: UInt32(try #require(row["version"].int)))
            #expect(key.scaleEncoded == row["hex"].hex)
        }
        for row in json["order"].array {
            #expect(HistoryLog.key(order: UInt32(try #require(row["n"].int))) == row["hex"].hex)
        }
        for row in json["currentVerifier"].array {
            let bytes = try #require(row["hex"].hex)
            #expect(try CurrentVerifier(scaleEncoded: bytes).scaleEncoded == bytes)
        }
        for row in json["badNetworkSpecsKey"].array {
            let bytes = try #require(row.hex)
            #expect(throws: ScaleError.self) { try NetworkKey(scaleEncoded: bytes) }
        }
    }
}

@Suite("Log", .enabled(if: SharedData.has("signer-product/history.json")))
struct HistoryKnownAnswers {
    @Test("every event decodes, encodes to itself, and has its index")
    func events() throws {
        for row in try SharedData.json("signer-product/history.json")["events"].array {
            let bytes = try #require(row["scale"].hex)
            let event = try Event(scaleEncoded: bytes)
            #expect(event.scaleEncoded == bytes)
            #expect(Int(event.index) == row["index"].int)
            #expect(event.name == row["event"]["kind"].string)
            if row["danger"].bool == true { #expect(event.isDangerous) }
        }
    }

    @Test("checksum and chain digest of known logs")
    func logs() throws {
        for log in try SharedData.json("signer-product/history.json")["logs"].array {
            let entries = try log["entryScale"].array.map { try #require($0.hex) }
            guard entries.count == log["count"].int else { continue }
            var digest = HistoryLog.emptyDigest
            for (order, entry) in entries.enumerated() {
                digest = HistoryLog.extend(digest, order: UInt32(order), entry: entry)
            }
            #expect(Hex.encode(digest) == log["chainDigest"].string)
            let pairs = entries.enumerated().map { (key: HistoryLog.key(order: UInt32($0.offset)), value: $0.element) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            #expect(HistoryLog.shownChecksum(pairs: pairs) == log["shown"].string)
        }
    }
}

@Suite("Timestamps")
struct TimestampTests {
    @Test("the fraction has no trailing zeros and one digit at the least")
    func format() {
        #expect(Timestamp.text(Date(timeIntervalSince1970: 1_763_683_200.5)) == "2025-11-21 00:00:00.5")
        #expect(Timestamp.text(Date(timeIntervalSince1970: 1_763_683_201)) == "2025-11-21 00:00:01.0")
    }
}
