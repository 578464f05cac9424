import TestSupport
import Testing

@testable import RaptorQ

@Suite("Decoding")
struct DecoderTests {
    static let cases = Fixture.json("decode-cases").array

    @Test("decoding succeeds after exactly the known number of packets", arguments: cases.indices)
    func known(index: Int) throws {
        let entry = Self.cases[index]
        let (count, size) = (entry["K"].number, entry["T"].number)
        let source = stream(seed: entry["seed"].number, count: count * size)
        let parameters = try ObjectParameters(objectSize: source.count, symbolSize: size)
        let encoder = try RaptorQEncoder(source, parameters: parameters)
        let decoder = RaptorQDecoder(parameters: parameters)
        var completed: Int?
        for (fed, esi) in entry["esis_in_order"].numbers.enumerated() {
            let id = try PayloadID(block: 0, symbol: UInt32(esi))
            try decoder.receive(try encoder.symbol(id), id: id)
            if decoder.isComplete && completed == nil { completed = fed + 1 }
        }
        #expect(completed == entry["completes_after"].int)
        if completed != nil { #expect(try decoder.object() == source) }
    }

    @Test("random losses are repaired", arguments: 0..<200)
    func random(seed: Int) throws {
        var generator = SplitMix64(state: UInt64(seed))
        let count = Int.random(in: 1...300, using: &generator)
        let size = Int.random(in: 1...300, using: &generator)
        let loss = Double.random(in: 0...1, using: &generator)
        let tail = Int.random(in: 0..<size, using: &generator)
        let object = stream(seed: seed + 1000, count: count * size - tail)
        let parameters = try ObjectParameters(objectSize: object.count, symbolSize: size)
        let numbering = SymbolNumbering.allCases[seed % 2]
        try expectRoundTrip(object, parameters: parameters, numbering: numbering, loss: loss, generator: &generator)
    }

    @Test(
        "odd symbol sizes, sub-blocks and many blocks",
        arguments: [
            (1, 1, 1, 1), (7, 1, 7, 1), (63, 3, 1, 1), (65, 1, 5, 1), (1071, 2, 3, 1), (257, 1, 1, 1), (511, 1, 1, 1),
            (1072, 3, 7, 8), (16, 255, 2, 8), (576, 1, 1, 1),
        ])
    func shapes(size: Int, blocks: Int, subBlocks: Int, alignment: Int) throws {
        var generator = SplitMix64(state: UInt64(size))
        let object = stream(seed: size, count: size * max(40, 3 * blocks) - size / 2)
        let parameters = try ObjectParameters(
            objectSize: object.count, symbolSize: size, sourceBlockCount: blocks, subBlockCount: subBlocks,
            alignment: alignment)
        for kernels in GaloisKernels.available {
            for loss in [0, 0.3, 1] {
                try expectRoundTrip(object, parameters: parameters, loss: loss, kernels: kernels, generator: &generator)
            }
        }
    }

    @Test("the largest block", arguments: [0.01, 0.5])
    func largest(loss: Double) throws {
        var generator = SplitMix64(state: 1)
        let object = stream(seed: 5, count: 56403 * 8)
        let parameters = try ObjectParameters(objectSize: object.count, symbolSize: 8)
        try expectRoundTrip(object, parameters: parameters, loss: loss, generator: &generator)
    }

    /// Encodes, drops source symbols, feeds the rest with repair symbols in random order, and compares.
    func expectRoundTrip(
        _ object: [UInt8], parameters: ObjectParameters, numbering: SymbolNumbering = .rfc6330, loss: Double,
        kernels: GaloisKernels = .selected, generator: inout SplitMix64
    ) throws {
        let encoder = try RaptorQEncoder(object, parameters: parameters, numbering: numbering, kernels: kernels)
        let decoder = RaptorQDecoder(parameters: parameters, numbering: numbering, kernels: kernels)
        let size = parameters.symbolSize
        for block in 0..<parameters.sourceBlockCount {
            let count = try parameters.block(block).sourceSymbolCount
            let repairIDs = try encoder.repairIDs(block: block, count: count + 8)
            let source = try encoder.symbols(block: block, ids: 0..<UInt32(count))
            let repair = try encoder.symbols(block: block, ids: repairIDs)
            var packets: [(UInt32, ArraySlice<UInt8>)] = []
            for index in 0..<count where Double.random(in: 0..<1, using: &generator) >= loss {
                packets.append((UInt32(index), source[index * size..<(index + 1) * size]))
            }
            for index in 0..<count - packets.count + 8 {
                packets.append((repairIDs.lowerBound + UInt32(index), repair[index * size..<(index + 1) * size]))
            }
            for (symbol, bytes) in packets.shuffled(using: &generator) {
                try decoder.receive(bytes, id: PayloadID(block: UInt8(block), symbol: symbol))
            }
            let progress = try decoder.progress(block: block)
            #expect(progress.isRecovered)
            if loss == 1 { #expect(progress.isChecked) }
        }
        #expect(try decoder.object() == object)
    }
}
