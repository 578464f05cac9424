/// Modules of one version to what they say (`raptorq-qr` section 14, steps 5 to 7).
struct SymbolDecoder: Sendable {
    let version: QRVersion
    /// Where the bits of the code words stand: indices into the modules.
    private let placement: [Int]

    init(_ version: QRVersion) {
        self.version = version
        placement = Array(FunctionPatterns.free(version).placement.prefix(version.rawModules / 8 * 8))
    }

    /// Blocks of which one can be repaired if the picture is only a little too poor: damage is spread over all of them.
    private static let blocksOfHope = 4

    /// - Parameters:
    ///   - grid: modules of ``version``'s size.
    ///   - margins: how sure each module is, row by row, more being surer. The code words of the least sure ones are
    ///     taken as doubtful where a block cannot be repaired otherwise; nil does without.
    func decode(_ grid: ModuleGrid, margins: [UInt8]? = nil) throws(QRDecodingError) -> DecodedSymbol {
        precondition(grid.size == version.size && margins?.count ?? grid.cells.count == grid.cells.count)
        var failure = QRDecodingError.format
        for (format, _) in FormatInformation.candidates(grid) {
            do throws(QRDecodingError) {
                return try decode(grid, format: format, margins: margins)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func decode(
        _ grid: ModuleGrid, format: FormatInformation, margins: [UInt8]?
    ) throws(QRDecodingError) -> DecodedSymbol {
        var words = codeWords(grid.inverted(QRMask(number: format.mask)))
        let doubts = margins.map(wordMargins)
        let layout = BlockLayout(version, format.level)
        let correction = BlockCorrection(eccCount: layout.eccCount)
        func places(_ block: Int) -> [Int] {
            (0..<layout.dataLength(block) + layout.eccCount).map { layout.place(block: block, word: $0) }
        }
        func repaired(_ block: Int) -> [UInt8]? {
            let places = places(block)
            var content = places.map { words[$0] }
            let margins = doubts.map { doubts in places.map { doubts[$0] } }
            return correction.correct(&content, margins: margins) ? content : nil
        }
        var data: [UInt8] = []
        data.reserveCapacity(layout.dataCount)
        for block in 0..<layout.count {
            guard let content = repaired(block) else {
                let others = 1..<Self.blocksOfHope
                if block == 0, layout.count >= others.upperBound, others.allSatisfy({ repaired($0) == nil }) {
                    throw .hopeless
                }
                throw .uncorrectable(block: block)
            }
            for (place, word) in zip(places(block), content) { words[place] = word }
            data += content.prefix(layout.dataLength(block))
        }
        return DecodedSymbol(version: version, format: format, content: try SymbolContent(data, version), words: words)
    }

    /// Where a bit of a code word stands, bit 0 the most significant.
    func place(word: Int, bit: Int) -> (x: Int, y: Int) {
        let module = placement[word * 8 + bit]
        return (module % version.size, module / version.size)
    }

    private func codeWords(_ modules: [Bool]) -> [UInt8] {
        (0..<placement.count / 8).map { word in
            placement[word * 8..<word * 8 + 8].reduce(0) { $0 << 1 | (modules[$1] ? 1 : 0) }
        }
    }

    /// How sure each code word is: as its least sure module.
    private func wordMargins(_ margins: [UInt8]) -> [UInt8] {
        (0..<placement.count / 8).map { word in
            placement[word * 8..<word * 8 + 8].reduce(.max) { min($0, margins[$1]) }
        }
    }
}

/// A symbol that was read.
struct DecodedSymbol: Equatable, Sendable {
    let version: QRVersion
    let format: FormatInformation
    let content: SymbolContent
    /// All code words, corrected, in the symbol's order.
    let words: [UInt8]
}

extension BlockCorrection {
    /// Wrong code words that are still repaired besides the doubtful ones. Fewer, and a block of noise would often be
    /// near to some valid one.
    private static let repairsBesideErasures = 6

    /// Repairs a block, if need be with its least sure code words as doubtful.
    fileprivate func correct(_ block: inout [UInt8], margins: [UInt8]?) -> Bool {
        if correct(&block) != nil { return true }
        let most = min(eccCount / 2, eccCount - 2 * Self.repairsBesideErasures)
        guard let margins, most > 0 else { return false }
        let doubtful = block.indices.sorted { margins[$0] < margins[$1] }
        return [most / 2, most].contains { correct(&block, erasures: Array(doubtful.prefix($0))) != nil }
    }
}
