import TestSupport
import Testing

@testable import RaptorQ

@Suite("Parameters of objects")
struct ParameterTests {
    static let defaults = Fixture.json("oti-defaults").array

    @Test("derived parameters are the known ones")
    func derived() throws {
        #expect(Self.defaults.count == 211)
        for entry in Self.defaults {
            let parameters = try ObjectParameters.defaults(
                objectSize: entry["F"].number, maximumPayloadSize: entry["max_packet"].number,
                workingMemory: entry["WS"].number)
            #expect(parameters.symbolSize == entry["T"].number)
            #expect(parameters.sourceBlockCount == entry["Z"].number)
            #expect(parameters.subBlockCount == entry["N"].number)
            #expect(parameters.alignment == entry["Al"].number)
            let serialized = try #require(entry["oti_hex"].hex)
            #expect(parameters.serialized == serialized)
            #expect(try ObjectParameters(serialized: serialized) == parameters)
        }
    }

    @Test("what cannot be derived is refused")
    func underivable() {
        for size in [0, -1, 65536] {
            #expect(throws: RaptorQError.payloadSize(found: size, workingMemory: 10 << 20)) {
                try ObjectParameters.defaults(objectSize: 1, maximumPayloadSize: size)
            }
        }
        #expect(throws: RaptorQError.payloadSize(found: 65535, workingMemory: 100)) {
            try ObjectParameters.defaults(objectSize: 1, maximumPayloadSize: 65535, workingMemory: 100)
        }
        #expect(throws: RaptorQError.sourceBlockCount(found: 256, maximum: 255)) {
            try ObjectParameters.defaults(objectSize: 56403 * 255 * 8 + 1, maximumPayloadSize: 8)
        }
        #expect(throws: RaptorQError.objectSize(found: 0, maximum: 942_574_504_275)) {
            try ObjectParameters.defaults(objectSize: 0, maximumPayloadSize: 64)
        }
    }

    @Test("each field out of range is refused by its name")
    func ranges() throws {
        func parameters(f: Int, t: Int, z: Int, n: Int, al: Int) throws(RaptorQError) -> ObjectParameters {
            try ObjectParameters(objectSize: f, symbolSize: t, sourceBlockCount: z, subBlockCount: n, alignment: al)
        }
        let most = 942_574_504_275
        for f in [0, -1, most + 1, .max] {
            #expect(throws: RaptorQError.objectSize(found: f, maximum: most)) {
                try parameters(f: f, t: 8, z: 1, n: 1, al: 8)
            }
        }
        for (t, al) in [(0, 1), (65536, 1), (12, 8), (8, 0), (8, 256)] {
            #expect(throws: RaptorQError.symbolSize(found: t, alignment: al)) {
                try parameters(f: 1000, t: t, z: 1, n: 1, al: al)
            }
        }
        for z in [0, 256] {
            #expect(throws: RaptorQError.sourceBlockCount(found: z, maximum: 255)) {
                try parameters(f: 9000, t: 8, z: z, n: 1, al: 8)
            }
        }
        #expect(throws: RaptorQError.sourceBlockCount(found: 3, maximum: 2)) {
            try parameters(f: 16, t: 8, z: 3, n: 1, al: 8)
        }
        for n in [0, 3] {
            #expect(throws: RaptorQError.subBlockCount(found: n, maximum: 2)) {
                try parameters(f: 1000, t: 16, z: 1, n: n, al: 8)
            }
        }
        #expect(throws: RaptorQError.sourceSymbolCount(found: 56404, maximum: 56403)) {
            try parameters(f: 56403 * 255 * 8 + 1, t: 8, z: 255, n: 1, al: 8)
        }
        #expect(try parameters(f: most, t: 65535, z: 255, n: 1, al: 1).block(254).sourceSymbolCount == 56403)
    }

    @Test("random transmission information is read or refused, never trapped on")
    func random() throws {
        var generator = SplitMix64(state: 1)
        for count in [0, 11, 13] {
            #expect(throws: RaptorQError.informationLength(found: count)) {
                try ObjectParameters(serialized: [UInt8](repeating: 1, count: count))
            }
        }
        for _ in 0..<20000 {
            var bytes = (0..<12).map { _ in generator.byte() & generator.byte() & generator.byte() }
            bytes[5] = 0
            guard let parameters = try? ObjectParameters(serialized: bytes) else { continue }
            #expect(parameters.serialized == bytes)
            let last = parameters.sourceBlockCount - 1
            #expect(try parameters.block(last).sourceSymbolCount >= 1)
            #expect(parameters.byteRange(ofBlock: last).upperBound == parameters.objectSize)
        }
    }

    @Test(
        "source symbols are counted through block by block, each once, and none is behind the last",
        arguments: [(1, 1), (7, 1), (7, 7), (100, 3), (255, 255), (1000, 255), (60_000, 2)])
    func sourceIDs(symbolCount: Int, blockCount: Int) throws {
        let parameters = try ObjectParameters(
            objectSize: symbolCount * 4, symbolSize: 4, sourceBlockCount: blockCount)
        let walked = try (0..<blockCount).flatMap { block in
            try (0..<parameters.block(block).sourceSymbolCount).map { symbol in
                try PayloadID(block: UInt8(block), symbol: UInt32(symbol))
            }
        }
        #expect(try (0..<symbolCount).map { try parameters.sourceID($0) } == walked)
        #expect(try parameters.sourceID(symbolCount) == nil)
    }

    @Test("payload ids have 8 and 24 bits")
    func payloadID() throws {
        let id = try PayloadID(block: 7, symbol: 0x01_02_03)
        #expect(id.serialized == [7, 1, 2, 3])
        #expect(try PayloadID(serialized: id.serialized) == id)
        #expect(throws: RaptorQError.symbolIDOutOfRange(found: 1 << 24)) { try PayloadID(block: 0, symbol: 1 << 24) }
        for count in [0, 3, 5, 100] {
            #expect(throws: RaptorQError.payloadIDLength(found: count)) {
                try PayloadID(serialized: [UInt8](repeating: 0, count: count))
            }
        }
    }
}
