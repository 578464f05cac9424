/// What of a symbol is looked at to see whether the next picture shows it again: both copies of the format, and of each
/// block the first code words and some of the last. A block that differs anywhere differs in about half the bits of its
/// last code words, which are error correction.
struct SymbolSignature: Sendable {
    /// Modules by group: the format, then each block.
    private let groups: [[Module]]

    private struct Module: Sendable {
        let place: SIMD2<Int>
        let isDark: Bool
    }

    private static let firstWords = 4
    private static let lastWords = 8
    /// One bit in so many may be wrong: that many are in a poor picture of the same symbol, and never in that of
    /// another.
    private static let tolerance = 8

    /// - Parameter decoder: of the symbol's version.
    init(_ symbol: DecodedSymbol, _ decoder: SymbolDecoder, isMirrored: Bool) {
        let (size, format) = (symbol.version.size, symbol.format)
        func module(x: Int, y: Int, isDark: Bool) -> Module {
            Module(place: isMirrored ? SIMD2(y, x) : SIMD2(x, y), isDark: isDark)
        }
        let bits = FunctionPatterns.formatBits(format.level, format.mask)
        let formatModules = (0..<15).flatMap { bit in
            FunctionPatterns.formatPlaces(bit, size: size).map {
                module(x: $0.x, y: $0.y, isDark: bits >> bit & 1 == 1)
            }
        }
        let layout = BlockLayout(symbol.version, format.level)
        let mask = QRMask(number: format.mask)
        let blocks = (0..<layout.count).map { block in
            let count = layout.dataLength(block) + layout.eccCount
            let last = max(count - Self.lastWords, layout.dataLength(block))
            return (Array(0..<min(Self.firstWords, last)) + Array(last..<count)).flatMap { index in
                let word = layout.place(block: block, word: index)
                return (0..<8).map { bit in
                    let place = decoder.place(word: word, bit: bit)
                    let value = symbol.words[word] >> UInt8(7 - bit) & 1 == 1
                    return module(x: place.x, y: place.y, isDark: value != mask.inverts(x: place.x, y: place.y))
                }
            }
        }
        groups = [formatModules] + blocks
    }

    /// Whether a picture shows the same symbol.
    func matches(_ image: LumaImage, _ geometry: SymbolGeometry) -> Bool {
        groups.allSatisfy { modules in
            let values = image.values(at: modules.map { geometry.place($0.place) }, isFine: geometry.isFine)
            // Dark and light are told by the mean of each other's expected values, near enough for so few errors.
            let dark = zip(modules, values).filter(\.0.isDark).map(\.1)
            let light = zip(modules, values).filter { !$0.0.isDark }.map(\.1)
            guard !dark.isEmpty, !light.isEmpty else { return false }
            let threshold =
                (dark.reduce(0, +) / Float(dark.count) + light.reduce(0, +) / Float(light.count)) / 2
            let wrong = zip(modules, values).count { ($1 < threshold) != $0.isDark }
            return wrong * Self.tolerance <= modules.count
        }
    }
}
