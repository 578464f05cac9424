import Cryptography
import TestSupport
import Testing
import TextForms

@testable import RaptorQ

@Suite("Encoding")
struct EncoderTests {
    static let smallBlocks = Fixture.json("small-blocks").array
    static let objects = Fixture.json("objects").array

    @Test("small blocks have the known intermediate and repair symbols", arguments: smallBlocks.indices)
    func smallBlock(index: Int) throws {
        let entry = Self.smallBlocks[index]
        let (count, size) = (entry["K"].number, entry["T"].number)
        let source = try #require(entry["source_hex"].hex)
        #expect(source == stream(seed: entry["seed"].number, count: count * size))
        let object = try ObjectParameters(objectSize: count * size, symbolSize: size)
        let block = try object.block(0)
        #expect(block.extendedSymbolCount == entry["Kprime"].number)

        let plan = EncodingPlanCache.shared.plan(block)
        let known = entry["intermediate_hex"].array.compactMap(\.hex)
        #expect(try plan.intermediateSymbols(block, source, symbolSize: size) == known)

        let rfc = try RaptorQEncoder(source, parameters: object)
        let vault = try RaptorQEncoder(source, parameters: object, numbering: .vault)
        #expect(try rfc.symbols(block: 0, ids: 0..<UInt32(count)) == source)
        #expect(entry["repair"].array.count == 14)
        for repair in entry["repair"].array {
            let (esi, isi) = (UInt32(repair["esi"].number), UInt32(repair["isi"].number))
            #expect(try rfc.symbol(PayloadID(block: 0, symbol: esi)) == repair["hex"].hex)
            guard isi <= PayloadID.maximumSymbol else { continue }
            #expect(try vault.symbol(PayloadID(block: 0, symbol: isi)) == repair["hex"].hex)
        }
    }

    @Test("whole objects give the known packets", arguments: objects.indices)
    func object(index: Int) throws {
        let entry = Self.objects[index]
        let parameters = try ObjectParameters(serialized: try #require(entry["oti_hex"].hex))
        #expect(parameters.symbolCount == entry["Kt"].number)
        let bytes = stream(seed: entry["seed"].number, count: entry["F"].number)
        #expect(Hex.encode(SHA256Hash.of(bytes)) == entry["object_sha256"].string)
        let encoder = try RaptorQEncoder(bytes, parameters: parameters)

        var packets: [UInt8] = []
        for block in 0..<parameters.sourceBlockCount {
            let count = UInt32(try parameters.block(block).sourceSymbolCount)
            let symbols = try encoder.symbols(block: block, ids: 0..<count)
            for id in 0..<count {
                packets += try PayloadID(block: UInt8(block), symbol: id).serialized
                packets += symbols[Int(id) * parameters.symbolSize..<Int(id + 1) * parameters.symbolSize]
            }
        }
        #expect(Hex.encode(SHA256Hash.of(packets)) == entry["source_packets_sha256"].string)

        var all: [UInt8] = []
        for repair in entry["repair"].array {
            let id = try PayloadID(block: UInt8(repair["sbn"].number), symbol: UInt32(repair["esi"].number))
            let packet = id.serialized + (try encoder.symbol(id))
            #expect(Hex.encode(SHA256Hash.of(packet)) == repair["packet_sha256"].string)
            all += packet
        }
        if !entry["all_repair_packets_sha256"].isNull {
            let known = Set(entry["repair"].array.compactMap { $0["sbn"].int }).count == parameters.sourceBlockCount
            if known { #expect(Hex.encode(SHA256Hash.of(all)) == entry["all_repair_packets_sha256"].string) }
        }
    }
}

extension EliminationPlan {
    /// Runs the plan of an encoder on one block, as its user would see it.
    func intermediateSymbols(
        _ parameters: BlockParameters, _ source: [UInt8], symbolSize: Int, kernels: GaloisKernels = .selected
    ) throws -> [[UInt8]] {
        let layout = StripLayout(symbolSize: symbolSize)
        let padded = ScratchBuffer<UInt8>(repeating: 0, count: parameters.sourceSymbolCount * layout.stride)
        for (index, byte) in source.enumerated() {
            padded[index / symbolSize * layout.stride + index % symbolSize] = byte
        }
        var result = [[UInt8]](
            repeating: [UInt8](repeating: 0, count: symbolSize), count: parameters.intermediateSymbolCount)
        let data = DataRows(self, parameters)
        for index in 0..<parameters.sourceSymbolCount { data.set(index, padded.base + index * layout.stride) }
        let slab = ScratchBuffer<UInt8>(uninitialized: rows.end * layout.width)
        for strip in 0..<layout.stripCount {
            let offset = layout.offset(strip)
            StripExecutor(plan: self, kernels: kernels, width: layout.width)
                .solve(data.pointers.base, offset: offset, slab: slab.base)
            for symbol in result.indices {
                for index in 0..<min(layout.width, symbolSize - offset) {
                    result[symbol][offset + index] = slab[symbol * layout.width + index]
                }
            }
        }
        return result
    }
}
