/// The reader of this room, in Swift alone.
///
/// It reads every version, mirrored, inverted and turned, up to sixteen codes in a picture. Time and memory are bounded
/// by the number of pixels, whatever they show.
///
/// Source: ISO 18004, `raptorq-qr` section 14.
public struct SwiftQRReader: QRReader {
    /// Pixels of the shorter side at the least: a module each of the smallest symbol.
    static let shortestSide = 21

    /// Makes a reader.
    public init() {}

    /// All codes that could be read. Where none is found the picture is split into dark and light in another way, and
    /// only then taken for inverted.
    public func read(_ image: LumaImage) -> [QRReading] {
        search(image).located.map(QRReading.init)
    }

    /// Reads modules that were taken elsewhere.
    ///
    /// - Parameters:
    ///   - modules: row by row, true where dark, without anything around.
    /// - Returns: what they say, without corners.
    public func read(modules: [Bool]) throws(QRDecodingError) -> QRReading {
        guard let version = QRVersion.all.first(where: { $0.size * $0.size == modules.count }) else {
            throw .size(modules: modules.count)
        }
        let symbol = try SymbolDecoder(version).decode(ModuleGrid(size: version.size, cells: modules))
        return QRReading(symbol, corners: [], isMirrored: false, isInverted: false)
    }

    /// A symbol with the way in which it is seen.
    struct Located: Sendable {
        let found: SymbolSearch.Found
        let isInverted: Bool
    }

    /// What a search of a picture has found.
    struct Outcome {
        var located: [Located] = []
        /// Whether there were more finder patterns than are looked at.
        var isCrowded = false
    }

    func search(_ image: LumaImage) -> Outcome {
        var outcome = Outcome()
        guard min(image.width, image.height) >= Self.shortestSide else { return outcome }
        var binarizer = Binarizer(image)
        for isInverted in [false, true] {
            lazy var image = isInverted ? image.inverted : image
            var hasDamaged = false
            for threshold in Binarizer.Threshold.allCases {
                let binary = binarizer.split(at: threshold, isInverted: isInverted)
                let finders = FinderSearch.run(binary)
                // Fewer are no symbol's.
                guard finders.count >= 3 else { continue }
                outcome.isCrowded = outcome.isCrowded || finders.count >= FinderSearch.limit
                var search = SymbolSearch(image, binary)
                let found = search.run(finders)
                if !found.isEmpty {
                    outcome.located = found.map { Located(found: $0, isInverted: isInverted) }
                    return outcome
                }
                hasDamaged = hasDamaged || search.hasDamaged
            }
            // What is a symbol in one is none when inverted.
            if hasDamaged { break }
        }
        return outcome
    }
}

extension QRReading {
    init(_ located: SwiftQRReader.Located) {
        let found = located.found
        var corners = found.geometry.corners.map { Corner(x: Int($0.x.rounded()), y: Int($0.y.rounded())) }
        // Seen from behind, rows are columns.
        if found.isMirrored { corners.swapAt(1, 3) }
        self.init(found.symbol, corners: corners, isMirrored: found.isMirrored, isInverted: located.isInverted)
    }

    fileprivate init(_ symbol: DecodedSymbol, corners: [Corner], isMirrored: Bool, isInverted: Bool) {
        let content = symbol.content
        self.init(
            bytes: content.bytes, corners: corners,
            symbol: Symbol(
                version: symbol.version, level: symbol.format.level, mask: symbol.format.mask, isMirrored: isMirrored,
                isInverted: isInverted, extendedChannels: content.extendedChannels,
                structuredAppend: content.structuredAppend, functionOne: content.functionOne))
    }
}
