import TestSupport
import Testing

@testable import RaptorQ

@Suite("Solvers")
struct SolverTests {
    @Test("a plan gives what plain Gauss elimination gives", arguments: 0..<24)
    func dense(seed: Int) throws {
        var generator = SplitMix64(state: UInt64(seed))
        let parameters = try BlockParameters(sourceSymbolCount: Int.random(in: 1...60, using: &generator))
        let reference = ReferenceCode(parameters: parameters)
        let zeros = [UInt8](repeating: 0, count: 4)
        let source = (0..<parameters.extendedSymbolCount).map {
            $0 < parameters.sourceSymbolCount ? stream(seed: $0, count: 4) : zeros
        }
        let known = source.enumerated().map { (internalID: UInt32($0.offset), symbol: $0.element) }
        let expected = try #require(reference.solve(known))
        let plan = EncodingPlanCache.shared.plan(parameters)
        let content = Array(source[..<parameters.sourceSymbolCount].joined())
        #expect(try plan.intermediateSymbols(parameters, content, symbolSize: 4) == expected)

        // Any other set of symbols gives the same, or neither way gives anything.
        let spare = Int.random(in: 0...3, using: &generator)
        var ids: Set<UInt32> = []
        while ids.count < parameters.extendedSymbolCount + spare {
            ids.insert(UInt32.random(in: 0..<UInt32(3 * parameters.extendedSymbolCount), using: &generator))
        }
        let order = ids.shuffled(using: &generator)
        let symbols = order.map { (internalID: $0, symbol: reference.encode(expected, $0)) }
        let other = EliminationPlan(
            parameters, internalIDs: order, inactiveLimit: EliminationPlan.inactiveLimit(parameters))
        let solved = reference.solve(symbols)
        #expect((other == nil) == (solved == nil))
        if let solved, let other {
            #expect(solved == expected)
            #expect(try other.solve(parameters, symbols.map(\.symbol)) == expected)
        }
    }

    @Test("both solvers recover the same, at every loss and with every kernel", arguments: [1, 9, 27, 101, 257])
    func patchAndFull(count: Int) throws {
        var generator = SplitMix64(state: UInt64(count))
        for (lost, spare) in [(0, 2), (1, 0), (1, 3), (count / 3, 1), (count / 2, 0), (count, 2), (count, 0)] {
            let sample = try Sample(count: count, size: 70, lost: lost, spare: spare, &generator)
            for kernels in GaloisKernels.available {
                try sample.withKnown { known in
                    let patch = PatchSolver(known: known, kernels: kernels).solve()
                    let full = FullSolver(known: known, kernels: kernels).solve()
                    switch (patch, full) {
                    case (.solved(let a), .solved(let b)):
                        for (index, symbol) in known.missing.enumerated() {
                            let expected = Array(sample.source[symbol * 70..<(symbol + 1) * 70])
                            #expect(Array(UnsafeBufferPointer(start: a.symbol(index), count: 70)) == expected)
                            #expect(Array(UnsafeBufferPointer(start: b.symbol(index), count: 70)) == expected)
                        }
                    case (.undetermined, .undetermined): break
                    default: Issue.record("one solver succeeds where the other does not")
                    }
                }
            }
        }
    }

    @Test("a spare symbol that does not fit is noticed by both solvers", arguments: [10, 50, 101, 300], 1...20)
    func contradiction(count: Int, spare: Int) throws {
        var generator = SplitMix64(state: UInt64(count * 100 + spare))
        var sample = try Sample(count: count, size: 64, lost: count / 2, spare: spare, &generator)
        let damaged = Int.random(in: 0..<sample.symbols.count, using: &generator)
        sample.symbols[damaged].bytes[Int.random(in: 0..<64, using: &generator)] ^= 1
        try sample.withKnown { known in
            if case .solved = PatchSolver(known: known, kernels: .selected).solve() { Issue.record("patched") }
            if case .solved = FullSolver(known: known, kernels: .selected).solve() { Issue.record("solved") }
        }
    }

    @Test("a system that would cost too much is given up")
    func inactiveLimit() throws {
        let parameters = try BlockParameters(sourceSymbolCount: 1000)
        let ids = Array(0..<UInt32(parameters.extendedSymbolCount))
        #expect(EliminationPlan(parameters, internalIDs: ids, inactiveLimit: parameters.piSymbolCount) == nil)
        let limit = EliminationPlan.inactiveLimit(parameters)
        #expect(EliminationPlan(parameters, internalIDs: ids, inactiveLimit: limit) != nil)
    }

    @Test("the cache keeps as many plans as it may, the last used ones")
    func cache() throws {
        let cache = EncodingPlanCache(capacity: 2)
        func plan(_ count: Int) throws -> EliminationPlan { cache.plan(try BlockParameters(sourceSymbolCount: count)) }
        let (ten, twelve) = (try plan(10), try plan(12))
        #expect(try plan(9) === ten)
        _ = try plan(18)
        #expect(cache.count == 2)
        #expect(try plan(10) === ten)
        #expect(try plan(12) !== twelve)
    }

    @Test("table values have plans whose inactive part stays small")
    func inactiveCount() throws {
        for row in Array(stride(from: 0, to: SystematicIndices.count, by: 17)) + [SystematicIndices.count - 1] {
            let parameters = try BlockParameters(sourceSymbolCount: SystematicIndices.extendedCount(row))
            let plan = EncodingPlanCache.shared.plan(parameters)
            #expect(plan.inactive.count < parameters.piSymbolCount + 200)
            #expect(!plan.hasSpareEquations)
        }
    }
}

/// Symbols of a block as they may arrive.
private struct Sample {
    let parameters: BlockParameters
    let source: [UInt8]
    var symbols: [(id: UInt32, bytes: [UInt8])] = []

    init(count: Int, size: Int, lost: Int, spare: Int, _ generator: inout SplitMix64) throws {
        parameters = try BlockParameters(sourceSymbolCount: count)
        source = stream(seed: count, count: count * size)
        let object = try ObjectParameters(objectSize: source.count, symbolSize: size)
        let encoder = try RaptorQEncoder(source, parameters: object)
        var ids = Array((0..<UInt32(count)).shuffled(using: &generator).dropFirst(lost))
        while ids.count < count + spare {
            let id = UInt32.random(in: UInt32(count)..<UInt32(4 * count + 10), using: &generator)
            if !ids.contains(id) { ids.append(id) }
        }
        for id in ids.shuffled(using: &generator) {
            symbols.append((id, try encoder.symbol(PayloadID(block: 0, symbol: id))))
        }
    }

    func withKnown(_ body: (KnownSymbols) throws -> Void) throws {
        let layout = StripLayout(symbolSize: symbols.first?.bytes.count ?? 1)
        var store = SymbolStore(layout, sourceSymbolCount: parameters.sourceSymbolCount)
        for (id, bytes) in symbols { bytes.withUnsafeBytes { store.append(id, $0) } }
        try body(KnownSymbols(parameters, layout: layout, store: store, numbering: .rfc6330))
        #expect(store.count == symbols.count)
    }
}

extension EliminationPlan {
    /// Runs a plan on the symbols that it was made for.
    func solve(_ parameters: BlockParameters, _ symbols: [[UInt8]]) throws -> [[UInt8]] {
        let size = symbols.first?.count ?? 1
        let padded = ScratchBuffer<UInt8>(repeating: 0, count: symbols.count * 64)
        let data = DataRows(self, parameters)
        for (row, symbol) in symbols.enumerated() {
            for (index, byte) in symbol.enumerated() { padded[row * 64 + index] = byte }
            data.set(row, padded.base + row * 64)
        }
        let slab = ScratchBuffer<UInt8>(uninitialized: rows.end * 64)
        let executor = StripExecutor(plan: self, kernels: .selected, width: 64)
        executor.solve(data.pointers.base, offset: 0, slab: slab.base)
        let result = (0..<intermediateSymbolCount).map { row in (0..<size).map { slab[row * 64 + $0] } }
        #expect(executor.fulfilsSpareEquations(data.pointers.base, offset: 0, slab: slab.base))
        return result
    }
}
