import CGaloisKernels

/// All intermediate symbols of a block, from which every encoding symbol is a sum of a few.
///
/// They are kept strip by strip, each strip a slab of L rows, so that nothing is moved after it has been computed.
// @unchecked: the memory is written before `init` returns and not after, so that any number of threads may read it.
final class IntermediateSymbols: @unchecked Sendable {
    private let code: LTCode
    let layout: StripLayout
    private let kernels: GaloisKernels
    private let symbolCount: Int
    private let slabs: UnsafeMutablePointer<UInt8>

    /// Symbols whose sums are listed at once.
    private static let batch = 1024

    /// Computes them from the source symbols.
    ///
    /// - Parameter symbol: where source symbol k is, of ``StripLayout/stride`` bytes; nil for one of zeros. The
    ///   pointers are used before the initialiser returns.
    init(
        _ parameters: BlockParameters, layout: StripLayout, kernels: GaloisKernels,
        symbol: (Int) -> UnsafePointer<UInt8>?
    ) {
        let plan = EncodingPlanCache.shared.plan(parameters)
        code = LTCode(parameters)
        self.layout = layout
        self.kernels = kernels
        symbolCount = parameters.intermediateSymbolCount
        // What a strip needs beyond its L rows lies where the next strip comes, which is computed after it.
        let rows = (layout.stripCount - 1) * symbolCount + plan.rows.end
        slabs = UnsafeMutableRawPointer.allocate(byteCount: rows * layout.width, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: rows * layout.width)
        let data = DataRows(plan, parameters)
        for index in 0..<parameters.sourceSymbolCount { data.set(index, symbol(index)) }
        let executor = StripExecutor(plan: plan, kernels: kernels, width: layout.width)
        for strip in 0..<layout.stripCount {
            executor.solve(data.pointers.base, offset: layout.offset(strip), slab: slab(strip))
        }
    }

    deinit { slabs.deallocate() }

    /// Each intermediate symbol, T bytes.
    var all: [[UInt8]] {
        (0..<symbolCount).map { symbol in
            var bytes = [UInt8](repeating: 0, count: layout.symbolSize)
            for strip in 0..<layout.stripCount {
                let row = slab(strip) + symbol * layout.width
                let offset = layout.offset(strip)
                for index in 0..<min(layout.width, layout.symbolSize - offset) { bytes[offset + index] = row[index] }
            }
            return bytes
        }
    }

    private func slab(_ strip: Int) -> UnsafeMutablePointer<UInt8> { slabs + strip * symbolCount * layout.width }

    /// Writes encoding symbols.
    ///
    /// - Parameters:
    ///   - internalIDs: their ISIs.
    ///   - out: room for as many times ``StripLayout/stride`` bytes.
    func write(_ internalIDs: some RandomAccessCollection<UInt32>, to out: UnsafeMutablePointer<UInt8>) {
        var rest = internalIDs[...]
        var out = out
        while !rest.isEmpty {
            var program = GatherProgram()
            for (index, id) in rest.prefix(Self.batch).enumerated() {
                program.append(target: index, encodingSymbol: id, of: code)
            }
            for strip in 0..<layout.stripCount {
                program.run(
                    kernels, slab: slab(strip), width: layout.width, out: out + layout.offset(strip),
                    stride: layout.stride)
            }
            out += program.count * layout.stride
            rest = rest.dropFirst(program.count)
        }
    }
}

extension GatherProgram {
    /// Adds rows of a slab up, with no data beside them.
    func run(
        _ kernels: GaloisKernels, slab: UnsafePointer<UInt8>, width: Int, out: UnsafeMutablePointer<UInt8>, stride: Int
    ) {
        var nothing: UnsafePointer<UInt8>?
        gk_gather(kernels.level, words, count, GK_WHOLE, &nothing, 0, slab, width, out, stride)
    }
}

extension IntermediateSymbols {
    /// Writes encoding symbols without the padding that the layout may need.
    ///
    /// - Parameter out: room for as many times T bytes.
    func write(_ internalIDs: Range<UInt32>, unpaddedTo out: UnsafeMutablePointer<UInt8>) {
        guard layout.isPadded else { return write(internalIDs, to: out) }
        let padded = ScratchBuffer<UInt8>(uninitialized: internalIDs.count * layout.stride)
        write(internalIDs, to: padded.base)
        for index in 0..<internalIDs.count {
            (out + index * layout.symbolSize).update(
                from: padded.base + index * layout.stride, count: layout.symbolSize)
        }
    }
}
