/// The parts of a symbol that carry no data: finders, timing, alignment, version and format.
enum FunctionPatterns {
    /// A symbol of `version` with everything but data and format.
    static func grid(_ version: QRVersion) -> ModuleGrid {
        var grid = ModuleGrid(size: version.size)
        draw(version) { x, y, isDark in grid[x, y] = isDark }
        return grid
    }

    /// The modules that carry code words.
    static func free(_ version: QRVersion) -> ModuleGrid {
        let size = version.size
        var free = ModuleGrid(size: size)
        for y in 0..<size { for x in 0..<size { free[x, y] = true } }
        draw(version) { x, y, _ in free[x, y] = false }
        for index in 0..<9 {
            free[index, 8] = false
            free[8, index] = false
        }
        for index in 0..<8 {
            free[size - 1 - index, 8] = false
            free[8, size - 1 - index] = false
        }
        return free
    }

    private static func draw(_ version: QRVersion, _ set: (Int, Int, Bool) -> Void) {
        let size = version.size
        for index in 0..<size {
            set(index, 6, index % 2 == 0)
            set(6, index, index % 2 == 0)
        }
        for (centreX, centreY) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for y in max(0, centreY - 4)...min(size - 1, centreY + 4) {
                for x in max(0, centreX - 4)...min(size - 1, centreX + 4) {
                    let distance = max(abs(x - centreX), abs(y - centreY))
                    set(x, y, distance != 2 && distance != 4)
                }
            }
        }
        drawAlignment(version, set)
        set(8, size - 8, true)
        if version.number >= 7 { drawVersion(version, set) }
    }

    private static func drawAlignment(_ version: QRVersion, _ set: (Int, Int, Bool) -> Void) {
        let centres = version.alignmentCentres
        for (row, centreY) in centres.enumerated() {
            for (column, centreX) in centres.enumerated() {
                let last = centres.count - 1
                if (row, column) == (0, 0) || (row, column) == (0, last) || (row, column) == (last, 0) { continue }
                for y in -2...2 {
                    for x in -2...2 { set(centreX + x, centreY + y, max(abs(x), abs(y)) != 1) }
                }
            }
        }
    }

    private static func drawVersion(_ version: QRVersion, _ set: (Int, Int, Bool) -> Void) {
        let bits = versionBits(version)
        for bit in 0..<18 {
            let (long, short) = versionPlace(bit, size: version.size)
            set(long, short, bits >> bit & 1 == 1)
            set(short, long, bits >> bit & 1 == 1)
        }
    }

    /// The version information of versions 7 and up: 18 bits.
    static func versionBits(_ version: QRVersion) -> Int {
        version.number << 12 | remainder(version.number, bits: 12, polynomial: 0x1f25)
    }

    /// Where a bit of the version information stands, bit 0 the least significant; a second copy stands in the
    /// transposed place.
    static func versionPlace(_ bit: Int, size: Int) -> (x: Int, y: Int) { (size - 11 + bit % 3, bit / 3) }

    /// Writes both copies of level and mask.
    static func drawFormat(_ grid: inout ModuleGrid, level: QRLevel, mask: Int) {
        let bits = formatBits(level, mask)
        for bit in 0..<15 {
            for place in formatPlaces(bit, size: grid.size) { grid[place.x, place.y] = bits >> bit & 1 == 1 }
        }
    }

    /// Level and mask with their check: 15 bits.
    static func formatBits(_ level: QRLevel, _ mask: Int) -> Int {
        let data = level.formatBits << 3 | mask
        return (data << 10 | remainder(data, bits: 10, polynomial: 0x537)) ^ 0x5412
    }

    /// Where both copies of a bit of the format information stand, bit 0 the least significant.
    static func formatPlaces(_ bit: Int, size: Int) -> [(x: Int, y: Int)] {
        let first =
            switch bit {
            case 0...5: (8, bit)
            case 6: (8, 7)
            case 7: (8, 8)
            case 8: (7, 8)
            default: (14 - bit, 8)
            }
        return [first, bit < 8 ? (size - 1 - bit, 8) : (8, size - 15 + bit)]
    }

    /// The remainder of `value`·x^bits by a polynomial over GF(2).
    private static func remainder(_ value: Int, bits: Int, polynomial: Int) -> Int {
        (0..<bits).reduce(value) { rest, _ in rest << 1 ^ (rest >> (bits - 1) & 1) * polynomial } & (1 << bits - 1)
    }
}
