import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Rows of the database")
struct RecordTests {
    static let signer = MultiSigner.sr25519([UInt8](repeating: 0xc4, count: 32))
    static let general =
        Hex.decode("c46a22b9da19540a77cbde23197e5fd90485c72b4ecf3c599ecca6998f39bd57") ?? []

    @Test("each published key and value is read and written")
    func knownAnswers() throws {
        let known = try KnownRecords.json("database.json")["keys"]
        for row in known["networkSpecsKey"].array {
            let key = NetworkKey(
                scheme: try KnownRecords.scheme(row["encryption"]), genesisHash: try KnownRecords.hash(row["genesis"]))
            try check(key, row)
        }
        for row in known["addressKey"].array { try check(try KnownRecords.signer(row["multisigner"]), row) }
        for row in known["metaKey"].array {
            let key = MetadataName(
                name: try #require(row["name"].string), version: UInt32(try #require(row["version"].int)))
            try check(key, row)
        }
        for row in known["metaPrefix"].array {
            #expect(MetadataName.prefix(name: try #require(row["name"].string)) == row["hex"].hex)
        }
        for row in known["order"].array {
            #expect(HistoryLog.key(order: UInt32(try #require(row["n"].int))) == row["hex"].hex)
        }
        for row in known["generalVerifier"].array { try check(try KnownRecords.verifier(row["v"]), row) }
        let custom = try KnownRecords.verifier(.string("sr25519:" + Hex.encode(Self.general)))
        let verifiers: [CurrentVerifier] = [.valid(.general), .valid(.custom(.none)), .valid(.custom(custom)), .dead]
        #expect(known["currentVerifier"].array.count == verifiers.count)
        for (verifier, row) in zip(verifiers, known["currentVerifier"].array) { try check(verifier, row) }
        for row in known["danger"].array {
            // What it tells is whether the vault was online.
            #expect(row["hex"].hex == [try #require(row["safe"].bool as Bool?) ? 0 : 1])
        }
        for row in known["addressDetails"].array { try check(try KnownRecords.addressDetails(row), row) }
        for row in known["orderedSpecs"].array { try check(try KnownRecords.orderedSpecs(row), row) }
        for bad in known["badNetworkSpecsKey"].array {
            let bytes = try #require(bad.hex)
            #expect(throws: ScaleError.self) { try NetworkKey(scaleEncoded: bytes) }
        }
    }

    private func check<T: ScaleCodable & Equatable>(_ value: T, _ row: JSON) throws {
        let bytes = try #require(row["hex"].hex)
        #expect(value.scaleEncoded == bytes)
        #expect(try T(scaleEncoded: bytes) == value)
    }

    @Test("each row of the published database reads, and is written back")
    func rows() throws {
        func check<T: ScaleCodable>(_: T.Type, _ json: JSON) throws {
            let bytes = try #require(json.hex)
            #expect(try T(scaleEncoded: bytes).scaleEncoded == bytes)
        }
        let trees = try KnownRecords.json("database.json")["database"]["trees"]
        for pair in trees["chainspecs"].array {
            try check(NetworkKey.self, pair[0])
            try check(OrderedNetworkSpecs.self, pair[1])
        }
        for pair in trees["addresses"].array {
            try check(MultiSigner.self, pair[0])
            try check(AddressDetails.self, pair[1])
        }
        for pair in trees["verifiers"].array { try check(CurrentVerifier.self, pair[1]) }
        for pair in trees["history"].array { try check(HistoryEntry.self, pair[1]) }
    }

    @Test("a network's verifier has the published bytes")
    func currentVerifier() throws {
        let key = String(repeating: "c4", count: 32)
        let known: [(CurrentVerifier, String)] = [
            (.valid(.general), "0000"), (.valid(.custom(.none)), "000100"),
            (.valid(.custom(Verifier(Self.signer))), "0001010001" + key), (.dead, "01"),
        ]
        for (verifier, hex) in known {
            let bytes = try #require(Hex.decode(hex))
            #expect(verifier.scaleEncoded == bytes)
            #expect(try CurrentVerifier(scaleEncoded: bytes) == verifier)
            for end in bytes.indices {
                #expect(throws: ScaleError.self) { try CurrentVerifier(scaleEncoded: Array(bytes[..<end])) }
            }
            #expect(throws: ScaleError.self) { try CurrentVerifier(scaleEncoded: bytes + [0]) }
        }
        for bad in [[2], [0, 2], [0, 1, 2], [0, 1, 1, 1]] as [[UInt8]] {
            #expect(throws: ScaleError.self) { try CurrentVerifier(scaleEncoded: bad) }
        }
    }

    @Test("an address keeps its networks as 33 bytes each, and refuses any other number")
    func addressDetails() throws {
        let network = NetworkKey(scheme: .sr25519, genesisHash: try #require(Hash256([UInt8](repeating: 7, count: 32))))
        let details = AddressDetails(
            seedName: "Alice", path: "//Alice", hasPassword: false, networks: [network], scheme: .sr25519,
            secretExposed: true)
        let bytes = details.scaleEncoded
        #expect(
            Hex.encode(bytes)
                == "14416c6963651c2f2f416c6963650004" + "8401" + String(repeating: "07", count: 32) + "0101")
        #expect(try AddressDetails(scaleEncoded: bytes) == details)
        for end in bytes.indices {
            #expect(throws: ScaleError.self) { try AddressDetails(scaleEncoded: Array(bytes[..<end])) }
        }
        var longer = bytes
        longer[16] = 34 << 2
        longer.insert(0, at: 17 + 33)
        #expect(throws: ScaleError.self) { try AddressDetails(scaleEncoded: longer) }
    }
}
