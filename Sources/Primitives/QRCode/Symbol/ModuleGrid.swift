/// A square of modules, one byte each, true where dark.
struct ModuleGrid: Equatable, Sendable {
    let size: Int
    private(set) var cells: [Bool]

    init(size: Int) {
        self.size = size
        cells = [Bool](repeating: false, count: size * size)
    }

    /// - Parameter cells: row by row, `size` times `size`.
    init(size: Int, cells: [Bool]) {
        precondition(cells.count == size * size)
        self.size = size
        self.cells = cells
    }

    subscript(x: Int, y: Int) -> Bool {
        get { cells[y * size + x] }
        set { cells[y * size + x] = newValue }
    }

    /// The grid with rows and columns exchanged.
    var transposed: ModuleGrid {
        var result = ModuleGrid(size: size)
        for y in 0..<size { for x in 0..<size { result[y, x] = self[x, y] } }
        return result
    }

    /// The order in which true modules hold the bits of code words: pairs of columns from the right, upwards and
    /// downwards in turn. Indices into ``cells``.
    var placement: [Int] {
        var places: [Int] = []
        places.reserveCapacity(cells.count)
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let upward = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = (upward ? size - 1 - step : step) * size
                if cells[row + right] { places.append(row + right) }
                if cells[row + right - 1] { places.append(row + right - 1) }
            }
            right -= 2
        }
        return places
    }

    /// Writes code words into the free modules; what is left over stays light.
    mutating func place(_ words: [UInt8], in free: ModuleGrid) {
        for (bit, place) in zip(0..<words.count * 8, free.placement) {
            cells[place] = words[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
        }
    }

    /// Inverts the free modules that a mask names.
    mutating func invert(_ mask: QRMask, in free: ModuleGrid) {
        for y in 0..<size {
            for x in 0..<size where free[x, y] && mask.inverts(x: x, y: y) { self[x, y].toggle() }
        }
    }

    /// Inverts all modules that a mask names, function patterns included.
    func inverted(_ mask: QRMask) -> [Bool] {
        let pattern = mask.pattern
        return [Bool](unsafeUninitializedCapacity: cells.count) { result, count in
            for y in 0..<size {
                let first = y % QRMask.period * QRMask.period
                var column = first
                for index in y * size..<(y + 1) * size {
                    result[index] = cells[index] != pattern[column]
                    column = column == first + QRMask.period - 1 ? first : column + 1
                }
            }
            count = cells.count
        }
    }
}
