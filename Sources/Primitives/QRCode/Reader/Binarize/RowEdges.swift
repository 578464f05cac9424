/// Finds where the colour changes along the rows of a picture, 64 pixels at a time.
struct RowEdges {
    private let pixels: BinaryPixels
    /// The row of cells whose limits are spread.
    private var cellRow = -1
    /// Limits of that row, one for each pixel.
    private var limits: [UInt8]
    /// Where the last row changes colour, with room for more than it can: a batch, and what ``FinderWindows`` read.
    private(set) var places: [Int32]

    /// Changes that are written at once, be there as many or not: most words have no more, so that the processor
    /// foresees what comes next.
    private static let batch = 4

    init(_ pixels: BinaryPixels) {
        self.pixels = pixels
        limits = [UInt8](repeating: 0, count: pixels.columns * BinaryImage.cell)
        // A row changes at every pixel at the most, and behind the last.
        places = [Int32](repeating: 0, count: pixels.width + 1 + max(Self.batch, FinderWindows.slack))
    }

    /// Looks for all changes of a row, beginning with its first dark pixel; outside of the picture all is light.
    ///
    /// - Returns: how many of ``places`` hold one.
    mutating func find(row: Int) -> Int {
        spreadLimits(row / BinaryImage.cell)
        let (width, flip) = (pixels.width, pixels.flip)
        let pixels = UnsafeRawBufferPointer(rebasing: pixels.pixels[row * width..<(row + 1) * width])
        return limits.withUnsafeBytes { limits in
            let row = BinaryRow(pixels: pixels, limits: limits, flip: flip)
            return places.withUnsafeMutableBufferPointer { places in
                var (count, before): (Int, UInt64) = (0, 0)
                for start in stride(from: 0, to: width, by: BinaryRow.word) {
                    let bits = row.darkBits(from: start)
                    Self.write(bits ^ (bits << 1 | before), from: start, to: places, count: &count)
                    before = bits >> 63
                }
                // A last word that is full ends with the row; behind others the next bit was light.
                if before == 1 { Self.write(1, from: width, to: places, count: &count) }
                return count
            }
        }
    }

    private mutating func spreadLimits(_ row: Int) {
        guard row != cellRow else { return }
        cellRow = row
        let cells = pixels.limits(row: row)
        limits.withUnsafeMutableBytes { limits in
            for column in cells.indices {
                let spread = UInt64(cells[column]) &* 0x0101_0101_0101_0101
                limits.storeBytes(of: spread, toByteOffset: column &* BinaryImage.cell, as: UInt64.self)
            }
        }
    }

    /// Appends the places of bits that are set. There is room for all of them, and a batch.
    @inline(__always)
    private static func write(
        _ bits: UInt64, from start: Int, to places: UnsafeMutableBufferPointer<Int32>, count: inout Int
    ) {
        var (bits, next) = (bits, count)
        count &+= bits.nonzeroBitCount
        while next < count {
            for index in next..<next &+ batch {
                places[index] = Int32(truncatingIfNeeded: start &+ bits.trailingZeroBitCount)
                bits &= bits &- 1
            }
            next &+= batch
        }
    }
}

/// A row of pixels, which become bits.
private struct BinaryRow {
    let pixels: UnsafeRawBufferPointer
    /// At least one for each pixel.
    let limits: UnsafeRawBufferPointer
    let flip: UInt8

    /// Pixels that become one word.
    static let word = 64

    /// The next 64 pixels from `start` on, the first the lowest bit and dark ones 1; zero behind the row's end.
    @inline(__always)
    func darkBits(from start: Int) -> UInt64 {
        if start &+ Self.word <= pixels.count { return wholeBits(from: start) }
        if pixels.count >= Self.word {
            let first = pixels.count &- Self.word
            return wholeBits(from: first) >> UInt64(truncatingIfNeeded: start &- first)
        }
        return pixels.indices.reduce(0) { $0 | (pixels[$1] ^ flip < limits[$1] ? 1 : 0) << UInt64($1) }
    }

    /// 64 pixels, all of which must be in the row.
    @inline(__always)
    private func wholeBits(from start: Int) -> UInt64 {
        // Bits 0, 2, 4 and 6 of a byte are from pixels 16 apart, the first of the byte's place.
        var bytes = SIMD16<UInt8>.zero
        for part in 0..<4 {
            let offset = start &+ 16 &* part
            let pixel = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self) ^ flip
            let limit = limits.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            bytes.replace(with: bytes | 1 &<< UInt8(truncatingIfNeeded: 2 &* part), where: pixel .< limit)
        }
        // The upper eight bytes fill the other bits: byte and bit are then exchanged.
        let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        return Self.transposed(halves[0] | halves[1] << 1)
    }

    /// A square of eight by eight bits with rows and columns exchanged; Warren, "Hacker's Delight", section 7-3.
    @inline(__always)
    private static func transposed(_ square: UInt64) -> UInt64 {
        @inline(__always)
        func exchanged(_ square: UInt64, by shift: UInt64, where mask: UInt64) -> UInt64 {
            let changed = (square ^ square >> shift) & mask
            return square ^ changed ^ changed << shift
        }
        let pairs = exchanged(square, by: 7, where: 0x00aa_00aa_00aa_00aa)
        let fours = exchanged(pairs, by: 14, where: 0x0000_cccc_0000_cccc)
        return exchanged(fours, by: 28, where: 0x0000_0000_f0f0_f0f0)
    }
}
