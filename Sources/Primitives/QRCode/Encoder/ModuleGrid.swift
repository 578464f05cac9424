/// A square of modules, one byte each.
struct ModuleGrid: Equatable, Sendable {
    let size: Int
    private(set) var cells: [Bool]

    init(size: Int) {
        self.size = size
        cells = [Bool](repeating: false, count: size * size)
    }

    subscript(x: Int, y: Int) -> Bool {
        get { cells[y * size + x] }
        set { cells[y * size + x] = newValue }
    }

    /// Writes code words in pairs of columns from the right, upwards and downwards in turn; what is left over stays light.
    mutating func place(_ words: [UInt8], in free: ModuleGrid) {
        var bit = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let upward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = upward ? size - 1 - step : step
                for x in [right, right - 1] where free[x, y] && bit < words.count * 8 {
                    self[x, y] = words[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            right -= 2
        }
    }

    /// Inverts the free modules that a mask names.
    mutating func invert(_ mask: Int, in free: ModuleGrid) {
        for y in 0..<size {
            for x in 0..<size where free[x, y] && Self.isInverted(mask, x, y) { self[x, y].toggle() }
        }
    }

    private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
