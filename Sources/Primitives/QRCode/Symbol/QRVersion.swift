/// The facts of ISO 18004 about each version and level that follow from no formula.
enum QRTables {
    /// Error-correction code words of one block, by level (L, M, Q, H) and version.
    static let eccPerBlock: [[Int]] = [
        [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28,
            28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    /// Number of blocks, by level and version.
    static let blocks: [[Int]] = [
        [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17,
            18, 19, 19, 20, 21, 22, 24, 25,
        ],
        [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
            31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
            40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
            48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]
}

/// How much of a symbol may be lost and still be read.
public enum QRLevel: Int, CaseIterable, Comparable, Sendable {
    /// Repairs about 7 %.
    case low = 0
    /// Repairs about 15 %.
    case medium
    /// Repairs about 25 %.
    case quartile
    /// Repairs about 30 %.
    case high

    /// Whether the left one is smaller.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The two bits of the format information.
    var formatBits: Int { [1, 0, 3, 2][rawValue] }
}

/// What follows from a version: sizes and places.
public struct QRVersion: Hashable, Sendable {
    /// The number of the version, 1 to 40.
    public let number: Int

    /// - Returns: nil unless `number` is 1 to 40.
    public init?(_ number: Int) {
        guard (1...40).contains(number) else { return nil }
        self.number = number
    }

    /// Smallest first.
    public static let all = (1...40).compactMap(QRVersion.init)

    /// Modules of a side.
    public var size: Int { 17 + 4 * number }

    /// Modules that carry code words or remainder bits: all but finders with separators, timing, format and the dark
    /// module, alignment (less what lies in the timing), and version.
    package var rawModules: Int {
        let finders = 3 * 8 * 8
        let timing = 2 * (size - 16)
        let format = 2 * 15 + 1
        let centres = alignmentCentres.count
        let alignment = centres == 0 ? 0 : (centres * centres - 3) * 25 - 2 * (centres - 2) * 5
        return size * size - finders - timing - format - alignment - (number < 7 ? 0 : 2 * 18)
    }

    /// Bytes that a symbol holds in one segment.
    public func byteCapacity(_ level: QRLevel) -> Int { dataCodeWords(level) - (number < 10 ? 2 : 3) }

    /// Code words of data.
    package func dataCodeWords(_ level: QRLevel) -> Int {
        rawModules / 8 - eccPerBlock(level) * blocks(level)
    }

    /// Code words of error correction in a block.
    package func eccPerBlock(_ level: QRLevel) -> Int { QRTables.eccPerBlock[level.rawValue][number - 1] }

    /// How many blocks there are.
    package func blocks(_ level: QRLevel) -> Int { QRTables.blocks[level.rawValue][number - 1] }

    /// Coordinates of the alignment patterns' centres, in both directions: 6, then up to seven modules before the edge
    /// at an even distance, so that only the first gap differs.
    package var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let gaps = number / 7 + 1
        let last = size - 7
        // The least even distance that spans the gaps; version 32 alone has a smaller one in the standard's table.
        let distance = number == 32 ? 26 : ((last - 6 + gaps - 1) / gaps + 1) / 2 * 2
        return [6] + (0..<gaps).reversed().map { last - $0 * distance }
    }
}
