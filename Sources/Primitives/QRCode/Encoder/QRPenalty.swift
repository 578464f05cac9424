/// How badly a symbol can be confused: the rule by which a mask is chosen (`raptorq-qr` section 13.7).
enum QRPenalty {
    static func of(_ grid: ModuleGrid) -> Int {
        (0..<grid.size).reduce(squares(grid) + balance(grid)) { sum, line in
            sum + lines(runs(grid, from: line * grid.size, step: 1), grid.size)
                + lines(runs(grid, from: line, step: grid.size), grid.size)
        }
    }

    /// Lengths of the runs of one row or column: light and dark in turn, the first and the last light, either may be 0.
    private static func runs(_ grid: ModuleGrid, from start: Int, step: Int) -> [Int] {
        var lengths: [Int] = []
        var isDark = false
        var length = 0
        for index in 0..<grid.size {
            let module = grid.cells[start + index * step]
            if module != isDark {
                lengths.append(length)
                isDark = module
                length = 0
            }
            length += 1
        }
        lengths.append(length)
        if isDark { lengths.append(0) }
        return lengths
    }

    /// Runs of five and more, and what looks like a finder. The outside counts for the latter only, as `size` light
    /// modules.
    private static func lines(_ runs: [Int], _ size: Int) -> Int {
        var sum = 0
        for length in runs where length >= 5 { sum += length - 2 }
        var widened = runs
        widened[0] += size
        widened[widened.count - 1] += size
        for first in stride(from: 0, to: widened.count - 6, by: 2) { sum += finderLike(widened[first...first + 6]) }
        return sum
    }

    /// Light, the 1:1:3:1:1 of a finder, light: 40 for each side that is four units wide while the other is one.
    private static func finderLike(_ runs: ArraySlice<Int>) -> Int {
        let first = runs.startIndex
        let unit = runs[first + 1]
        guard runs[first + 2] == unit, runs[first + 3] == 3 * unit, runs[first + 4] == unit, runs[first + 5] == unit
        else { return 0 }
        let (before, after) = (runs[first], runs[first + 6])
        guard min(before, after) >= unit else { return 0 }
        return (before >= 4 * unit ? 40 : 0) + (after >= 4 * unit ? 40 : 0)
    }

    /// 3 for each square of two by two of one colour.
    private static func squares(_ grid: ModuleGrid) -> Int {
        var count = 0
        for y in 0..<grid.size - 1 {
            for index in y * grid.size..<(y + 1) * grid.size - 1 {
                let colour = grid.cells[index]
                let below = index + grid.size
                if grid.cells[index + 1] == colour, grid.cells[below] == colour, grid.cells[below + 1] == colour {
                    count += 1
                }
            }
        }
        return 3 * count
    }

    /// 10 for each further 5 % away from half dark. A symbol is never exactly half dark, since its modules are odd in
    /// number.
    private static func balance(_ grid: ModuleGrid) -> Int {
        let total = grid.size * grid.size
        let distance = abs(20 * grid.cells.count { $0 } - 10 * total)
        return 10 * ((distance + total - 1) / total - 1)
    }
}
