import TestSupport
import Testing

@testable import RaptorQ

@Suite("Hostile and mixed symbols")
struct RefusalTests {
    /// K = 19, K' = 20, as in a Vault animation of 20000 bytes.
    static let object = stream(seed: 5003, count: 20000)
    let parameters: ObjectParameters
    let vault: RaptorQEncoder

    init() throws {
        parameters = try ObjectParameters.defaults(objectSize: Self.object.count, maximumPayloadSize: 1072)
        vault = try RaptorQEncoder(Self.object, parameters: parameters, numbering: .vault)
    }

    func feed(_ decoder: RaptorQDecoder, _ ids: [UInt32]) throws {
        for id in ids {
            let id = try PayloadID(block: 0, symbol: id)
            try decoder.receive(try vault.symbol(id), id: id)
        }
    }

    @Test("the encoder refuses what it cannot give")
    func encoder() throws {
        #expect(throws: RaptorQError.objectLength(found: 19999, expected: 20000)) {
            try RaptorQEncoder(Array(Self.object.dropLast()), parameters: parameters)
        }
        #expect(throws: RaptorQError.blockOutOfRange(found: 1, count: 1)) { try vault.symbols(block: 1, ids: 0..<1) }
        #expect(throws: RaptorQError.blockOutOfRange(found: -1, count: 1)) { try vault.repairIDs(block: -1, count: 1) }
        #expect(throws: RaptorQError.paddingID(found: 19, padding: 19..<20)) {
            try vault.symbol(PayloadID(block: 0, symbol: 19))
        }
        #expect(throws: RaptorQError.symbolIDOutOfRange(found: 1 << 24)) {
            try vault.symbols(block: 0, ids: (1 << 24) - 1..<1 << 24 + 1)
        }
        #expect(try vault.symbols(block: 0, ids: (1 << 24) - 2..<1 << 24).count == 2 * 1072)
        #expect(try vault.symbols(block: 0, ids: 3..<3).isEmpty)
        #expect(try vault.repairIDs(block: 0, count: .max) == 20..<1 << 24)
        #expect(try vault.repairIDs(block: 0, count: -5).isEmpty)
    }

    @Test("the decoder refuses wrong sizes and blocks, and keeps what it has")
    func sizes() throws {
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .vault)
        try feed(decoder, Array(0..<10))
        let id = try PayloadID(block: 0, symbol: 10)
        for count in [0, 1071, 1073] {
            #expect(throws: RaptorQError.symbolLength(found: count, expected: 1072)) {
                try decoder.receive([UInt8](repeating: 0, count: count), id: id)
            }
        }
        #expect(throws: RaptorQError.blockOutOfRange(found: 1, count: 1)) {
            try decoder.receive([UInt8](repeating: 0, count: 1072), id: PayloadID(block: 1, symbol: 0))
        }
        #expect(throws: RaptorQError.blockOutOfRange(found: 1, count: 1)) { try decoder.progress(block: 1) }
        #expect(throws: RaptorQError.incomplete(block: 0, distinct: 10, sourceSymbols: 19)) { try decoder.object() }
        try feed(decoder, Array(10..<19))
        #expect(try decoder.object() == Self.object)
    }

    @Test("repetitions, padding and surplus are told apart")
    func reception() throws {
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .vault)
        func receive(_ id: UInt32, _ bytes: [UInt8]? = nil) throws -> RaptorQDecoder.Reception {
            let id = try PayloadID(block: 0, symbol: id)
            return try decoder.receive(try bytes ?? vault.symbol(id), id: id)
        }
        #expect(try receive(0) == .stored)
        #expect(try receive(0) == .duplicate)
        #expect(try receive(19, [UInt8](repeating: 0, count: 1072)) == .padding)
        #expect(try decoder.progress(block: 0).paddingIDs == 1)
        for id in 1..<18 { #expect(try receive(UInt32(id)) == .stored) }
        #expect(try receive(25) == .recovered)
        #expect(decoder.isComplete && decoder.recoveredBlockCount == 1)
        #expect(try !decoder.progress(block: 0).isChecked)
        #expect(try receive(26) == .surplus)
        #expect(try decoder.progress(block: 0).isChecked)
        #expect(try receive(27) == .surplus)
        #expect(try decoder.object() == Self.object)
    }

    @Test(
        "symbols in the other numbering are noticed, and solved again without being received again",
        arguments: [0, 3, 19])
    func otherNumbering(lost: Int) throws {
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .rfc6330)
        let sources = Array(UInt32(lost)..<19)
        var failure: RaptorQError?
        do { try feed(decoder, Array(20..<UInt32(23 + lost)) + sources) } catch let error as RaptorQError {
            failure = error
        }
        #expect(failure == .conflictingSymbols(block: 0))
        #expect(try decoder.progress(block: 0).isConflicting)
        #expect(throws: RaptorQError.conflictingSymbols(block: 0)) { try decoder.object() }
        try feed(decoder, sources)
        try decoder.renumber(.vault)
        #expect(decoder.isComplete && decoder.numbering == .vault)
        #expect(try decoder.object() == Self.object)
        #expect(try decoder.progress(block: 0).isChecked)
        #expect(throws: RaptorQError.conflictingSymbols(block: 0)) { try decoder.renumber(.rfc6330) }
    }

    @Test("a wrong result without spares is noticed by the next symbol", arguments: [0, 24] as [UInt32])
    func late(next: UInt32) throws {
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .rfc6330)
        try feed(decoder, Array(3..<19) + [20, 21, 22])
        #expect(decoder.isComplete)
        #expect(try decoder.object() != Self.object)
        #expect(throws: RaptorQError.conflictingSymbols(block: 0)) { try feed(decoder, [next]) }
        #expect(!decoder.isComplete)
        try decoder.renumber(.vault)
        #expect(try decoder.object() == Self.object)
        #expect(try decoder.progress(block: 0).isChecked)
    }

    @Test("symbols of a padding id that were kept count in the other numbering")
    func paddingKept() throws {
        let rfc = try RaptorQEncoder(Self.object, parameters: parameters, numbering: .rfc6330)
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .vault)
        for id in 1..<20 as Range<UInt32> {
            let id = try PayloadID(block: 0, symbol: id)
            try decoder.receive(try rfc.symbol(id), id: id)
        }
        #expect(!decoder.isComplete)
        try decoder.renumber(.rfc6330)
        #expect(try decoder.object() == Self.object)
    }

    @Test("a checked result stands against a symbol of another object")
    func stray() throws {
        let decoder = RaptorQDecoder(parameters: parameters, numbering: .vault)
        try feed(decoder, Array(1..<19) + [30, 31])
        let stray = [UInt8](repeating: 9, count: 1072)
        #expect(throws: RaptorQError.conflictingSymbols(block: 0)) {
            try decoder.receive(stray, id: PayloadID(block: 0, symbol: 0))
        }
        #expect(try decoder.object() == Self.object)
    }

    @Test("noise is kept within bounds and never taken for an object", arguments: [10, 100, 1000])
    func noise(count: Int) throws {
        var generator = SplitMix64(state: 7)
        let parameters = try ObjectParameters(objectSize: count * 16, symbolSize: 16)
        let decoder = RaptorQDecoder(parameters: parameters)
        var errors = 0
        for _ in 0..<3 * count {
            let bytes = (0..<16).map { _ in generator.byte() }
            let id = try PayloadID(block: 0, symbol: UInt32.random(in: 0..<1 << 24, using: &generator))
            do { try decoder.receive(bytes, id: id) } catch { errors += 1 }
        }
        #expect(errors > 0)
        #expect(try decoder.progress(block: 0).distinct <= count + 64)
        #expect(!decoder.isComplete)
    }

    /// A decoder that was given so many symbols of zeros, those of the ids from `first` on that are chosen.
    private func decoder(
        _ count: Int, from first: UInt32, fed wanted: Int, _ isChosen: (BlockParameters, UInt32) -> Bool
    ) throws -> RaptorQDecoder {
        let block = try BlockParameters(sourceSymbolCount: count)
        let decoder = RaptorQDecoder(parameters: try ObjectParameters(objectSize: count * 8, symbolSize: 8))
        var (id, fed) = (first, 0)
        while fed < wanted {
            if isChosen(block, try #require(SymbolNumbering.rfc6330.internalID(id, block))) {
                try decoder.receive([UInt8](repeating: 0, count: 8), id: PayloadID(block: 0, symbol: id))
                fed += 1
            }
            id += 1
        }
        return decoder
    }

    @Test("symbols chosen so that they never determine the block cost bounded work", arguments: [200, 2000])
    func deficient(count: Int) throws {
        // Symbols that avoid S + H + 1 intermediate symbols; the S + H rows of the code itself cannot make up for them.
        let decoder = try decoder(count, from: 0, fed: count + 100) { block, id in
            Set(0...block.ldpcSymbolCount + block.hdpcSymbolCount).isDisjoint(with: ReferenceCode.columns(block, id))
        }
        #expect(!decoder.isComplete)
        #expect(try decoder.progress(block: 0).distinct == count + 64)
    }

    @Test("symbols whose rows share few columns make the sparse part useless, and are given up")
    func crowded() throws {
        // Rows of high degree only: nothing peels.
        let decoder = try decoder(3000, from: 3000, fed: 3000 + 64) { block, id in
            LTTuple(LTCode(block), internalID: id).degree >= 12
        }
        #expect(!decoder.isComplete)
    }

    @Test("errors say what to do")
    func texts() {
        let text = "\(RaptorQError.sourceSymbolCount(found: 60000, maximum: 56403))"
        #expect(text.contains("56403") && text.contains("60000") && text.contains("larger symbols"))
        #expect("\(RaptorQError.conflictingSymbols(block: 3))".contains("other numbering"))
    }
}
