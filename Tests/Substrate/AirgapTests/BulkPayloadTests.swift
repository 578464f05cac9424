import Airgap
import SCALE
import Substrate
import TestSupport
import Testing

@Suite("Bulk payloads")
struct BulkPayloadTests {
    private static let message: [UInt8] = [0x53, 1, 8] + Fixtures.alice + Array("<Bytes>a</Bytes>".utf8)
    private static let mortal: [UInt8] = [0x53, 1, 0] + Fixtures.bob + Fixtures.body
    private static let dynamic: [UInt8] = [0x53, 1, 5] + Fixtures.derivedAuthor("//polkadot") + Fixtures.body

    /// - Parameter members: complete payloads, of which a bulk leaves out the first byte.
    private static func bulk(_ members: [[UInt8]]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 4, 0])
        encoder.sequence(members) { $0.byteSequence(Array($1.dropFirst())) }
        return encoder.bytes
    }

    private static func members(_ bytes: [UInt8]) throws -> [TransactionPayload] {
        guard case .bulk(let bulk) = try Payload(bytes) else {
            Issue.record("not a bulk")
            return []
        }
        return bulk.members
    }

    @Test("a bulk gives its transactions in their order, each as if it had come alone")
    func several() throws {
        let payloads = [
            Fixtures.transaction, Self.mortal, Self.dynamic, Fixtures.payload(.remark),
            [0x53, 1, 7] + Fixtures.derivedAuthor("") + Fixtures.payload(.transfer).dropFirst(35),
        ]
        let members = try Self.members(Self.bulk(payloads))
        #expect(members.map(\.bytes) == payloads)
        for (member, payload) in zip(members, payloads) {
            #expect(try Payload(payload) == .transaction(member))
        }
    }

    @Test("a bulk may hold one transaction")
    func one() throws {
        #expect(try Self.members(Self.bulk([Fixtures.transaction])).map(\.bytes) == [Fixtures.transaction])
    }

    @Test("the byte in front of a bulk's code says nothing", arguments: [0x00, 0x01, 0x7f] as [UInt8])
    func secondByte(_ byte: UInt8) throws {
        var bytes = Self.bulk([Fixtures.transaction])
        bytes[1] = byte
        #expect(try Self.members(bytes).map(\.bytes) == [Fixtures.transaction])
    }

    @Test("an empty bulk is refused")
    func empty() {
        let error = #expect(throws: PayloadError.emptyBulk) { try Payload(Self.bulk([])) }
        #expect(error?.code == "Codec")
    }

    @Test(
        "what is no transaction is refused by its kind, whatever stands in it",
        arguments: [
            (bulk([Fixtures.transaction]), PayloadKind.bulk), ([0x53, 0xff, 4], .bulk), (message, .messageAnyChain),
            ([0x53, 1, 8], .messageAnyChain), ([0x53, 1, 3] + Fixtures.alice + Fixtures.genesis, .message),
            ([0x53, 0xff, 0xde], .derivations), ([0x53, 0xff, 0xdf], .dynamicDerivations),
            ([0x53, 0xff, 0xc1], .addSpecs), ([0x53, 1, 1] + Fixtures.alice, .transactionHash),
        ])
    func otherKinds(member: [UInt8], kind: PayloadKind) {
        let error = #expect(throws: PayloadError.bulkMember(position: 1, .kindNotSupported(kind))) {
            try Payload(Self.bulk([Fixtures.transaction, member]))
        }
        #expect(error?.code == "PayloadNotSupported")
        #expect(error?.description.contains("Part 2 of the bulk is \(kind.title)") == true)
    }

    @Test("a member that is refused is told with its position")
    func badMembers() {
        let cases: [([UInt8], PayloadError)] = [
            ([0x53], .tooShort(found: 1, needed: 3)), ([0x53, 1], .tooShort(found: 2, needed: 3)),
            ([0x53, 1, 0xf0], .unknownKind(0xf0)), ([0x53, 4, 2], .encryptionNotSupported(4)),
            (Array(Fixtures.transaction.dropLast(10)), .tooShort(found: 63, needed: 67)),
        ]
        for (member, error) in cases {
            #expect(throws: PayloadError.bulkMember(position: 2, error)) {
                try Payload(Self.bulk([Fixtures.transaction, Self.mortal, member, Self.message]))
            }
        }
    }

    @Test("a bulk that is cut, or goes on behind its end, is refused")
    func cuts() {
        let bulk = Self.bulk([Fixtures.transaction, Self.mortal])
        for end in 3..<bulk.count {
            let error = #expect(throws: PayloadError.self) { try Payload(Array(bulk[..<end])) }
            #expect(error?.code == "Codec")
        }
        #expect(throws: PayloadError.malformedRecord(.trailingBytes(offset: bulk.count, count: 1))) {
            try Payload(bulk + [0])
        }
    }

    @Test("another version of the record is refused")
    func version() {
        var bulk = Self.bulk([Fixtures.transaction])
        bulk[3] = 1
        #expect(throws: PayloadError.malformedRecord(.invalidEnumIndex(offset: 3, found: 1, type: "bulk"))) {
            try Payload(bulk)
        }
    }

    @Test("as many members as are read, and one more")
    func limit() throws {
        let limit = BulkPayload.memberLimit
        let most = Array(repeating: Fixtures.transaction, count: limit)
        #expect(try Self.members(Self.bulk(most)).count == 512)
        #expect(
            throws: PayloadError.malformedRecord(
                .lengthExceedsInput(offset: 4, claimed: limit + 1, available: limit))
        ) {
            try Payload(Self.bulk(most + [Fixtures.transaction]))
        }
    }
}
