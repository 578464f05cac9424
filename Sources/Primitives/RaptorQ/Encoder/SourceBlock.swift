/// A source block inside the bytes of its object.
struct SourceBlock: Sendable {
    let parameters: BlockParameters
    let range: Range<Int>
    private let subBlocks: SubBlocks
    private let layout: StripLayout

    init(_ object: ObjectParameters, block: Int, _ layout: StripLayout) throws(RaptorQError) {
        parameters = try object.block(block)
        range = object.byteRange(ofBlock: block)
        subBlocks = SubBlocks(object, block: block)
        self.layout = layout
    }

    /// Writes source symbol k, T bytes.
    func write(_ symbol: Int, of object: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) {
        subBlocks.read(symbol, of: UnsafeRawBufferPointer(rebasing: object[range]), to: target)
    }

    /// Solves the block. Symbols are read where they stand; what does not stand there in one piece is copied first.
    func intermediateSymbols(of object: UnsafeRawBufferPointer, _ kernels: GaloisKernels) -> IntermediateSymbols {
        let count = parameters.sourceSymbolCount
        let inPlace = subBlocks.isTrivial && !layout.isPadded ? range.count / layout.symbolSize : 0
        let copies = ScratchBuffer<UInt8>(repeating: 0, count: (count - inPlace) * layout.stride)
        for symbol in inPlace..<count {
            write(symbol, of: object, to: copies.base + (symbol - inPlace) * layout.stride)
        }
        let start = object.baseAddress.map { ($0 + range.lowerBound).assumingMemoryBound(to: UInt8.self) }
        return IntermediateSymbols(parameters, layout: layout, kernels: kernels) { [base = copies.base] symbol in
            symbol < inPlace
                ? start.map { $0 + symbol * layout.symbolSize }
                : UnsafePointer(base + (symbol - inPlace) * layout.stride)
        }
    }
}
