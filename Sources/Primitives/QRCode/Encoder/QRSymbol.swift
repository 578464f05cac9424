/// A QR code: its modules and what they were made from.
///
///     let symbol = try QRSymbol.encode(bytes: payload)
///     let picture = QRPicture.png(symbol)
///
/// Source: ISO 18004 model 2, `raptorq-qr` section 13.
public struct QRSymbol: Equatable, Sendable {
    /// The version, 1 to 40, which gives 17 + 4 × version modules a side.
    public let version: QRVersion
    /// How much damage it survives.
    public let level: QRLevel
    /// The number of the mask, 0 to 7.
    public let mask: Int
    private let modules: ModuleGrid

    /// Modules of a side.
    public var size: Int { version.size }

    /// Whether the module is dark; outside of the symbol everything is light.
    public subscript(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[x, y]
    }

    /// Encodes bytes in one segment, in the smallest version that holds them.
    ///
    /// - Parameters:
    ///   - level: at least this; raised as far as the version allows.
    public static func encode(bytes: [UInt8], level: QRLevel = .low) throws(QREncodingError) -> QRSymbol {
        try encode(.bytes(bytes), level: level)
    }

    /// - Parameters:
    ///   - boost: raise the level while the data still fit the same version.
    ///   - mask: 0 to 7; nil chooses the one with the lowest penalty.
    ///   - versions: the versions to choose from, smallest first.
    public static func encode(
        _ segment: QRSegment, level: QRLevel = .low, boost: Bool = true, mask: Int? = nil,
        versions: ClosedRange<Int> = 1...40
    ) throws(QREncodingError) -> QRSymbol {
        if let mask, !(0...7).contains(mask) { throw .maskOutOfRange(mask) }
        let allowed = QRVersion.all.filter { versions.contains($0.number) }
        func fits(_ version: QRVersion, _ level: QRLevel) -> Bool {
            segment.totalBits(version).map { $0 <= version.dataCodeWords(level) * 8 } ?? false
        }
        guard let version = allowed.first(where: { fits($0, level) }) else {
            let capacity = allowed.last?.byteCapacity(level) ?? 0
            throw .tooLong(count: segment.count, capacity: capacity)
        }
        var level = level
        if boost {
            for better in QRLevel.allCases where better > level && fits(version, better) { level = better }
        }
        let words = codeWords(of: segment, version: version, level: level)
        var grid = FunctionPatterns.grid(version)
        let free = FunctionPatterns.free(version)
        grid.place(words, in: free)
        return masked(grid, free: free, version: version, level: level, mask: mask)
    }

    /// Data with terminator and padding, split into blocks, each with its error correction, interleaved.
    private static func codeWords(of segment: QRSegment, version: QRVersion, level: QRLevel) -> [UInt8] {
        var bits = BitBuffer()
        bits.append(segment.mode.indicator, count: 4)
        bits.append(segment.count, count: segment.mode.countBits(version))
        bits.append(segment.bits)
        let capacity = version.dataCodeWords(level)
        bits.append(0, count: min(4, capacity * 8 - bits.count))
        bits.append(0, count: (8 - bits.count % 8) % 8)
        var data = bits.bytes
        for index in 0..<capacity - data.count { data.append(index % 2 == 0 ? 0xec : 0x11) }
        return interleaved(data, version: version, level: level)
    }

    private static func interleaved(_ data: [UInt8], version: QRVersion, level: QRLevel) -> [UInt8] {
        let layout = BlockLayout(version, level)
        let generator = ReedSolomon.generator(degree: layout.eccCount)
        var words = [UInt8](repeating: 0, count: version.rawModules / 8)
        var start = 0
        for block in 0..<layout.count {
            let content = data[start..<start + layout.dataLength(block)]
            start += content.count
            let whole = content + ReedSolomon.remainder(content, generator: generator)
            for (index, word) in whole.enumerated() { words[layout.place(block: block, word: index)] = word }
        }
        return words
    }

    /// Applies the mask asked for, or the first with the lowest penalty.
    private static func masked(
        _ grid: ModuleGrid, free: ModuleGrid, version: QRVersion, level: QRLevel, mask: Int?
    ) -> QRSymbol {
        var best: (penalty: Int, mask: Int, grid: ModuleGrid)?
        for candidate in mask.map({ [$0] }) ?? Array(0...7) {
            var grid = grid
            grid.invert(QRMask(number: candidate), in: free)
            FunctionPatterns.drawFormat(&grid, level: level, mask: candidate)
            let penalty = mask == nil ? QRPenalty.of(grid) : 0
            if best == nil || penalty < best!.penalty { best = (penalty, candidate, grid) }
        }
        // The list of candidates is not empty.
        let chosen = best!
        return QRSymbol(version: version, level: level, mask: chosen.mask, modules: chosen.grid)
    }
}

/// Why data do not become a QR code.
public enum QREncodingError: Error, Equatable, Sendable {
    /// More characters than the largest allowed version holds; `capacity` is its bytes.
    case tooLong(count: Int, capacity: Int)
    /// There is no mask of that number.
    case maskOutOfRange(Int)
}

extension QREncodingError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .tooLong(let count, let capacity):
            "\(count) characters do not fit one QR code; it holds at most \(capacity) bytes at this level. Use a lower "
                + "level, or several codes."
        case .maskOutOfRange(let mask): "A QR code has masks 0 to 7, not \(mask)."
        }
    }
}
