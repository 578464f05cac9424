/// How badly a symbol can be confused: the rule by which a mask is chosen (`raptorq-qr` section 13.7).
enum QRPenalty {
    static func of(_ grid: ModuleGrid) -> Int {
        var penalty = 0
        for line in 0..<grid.size {
            penalty += lines(grid.size) { grid[$0, line] }
            penalty += lines(grid.size) { grid[line, $0] }
        }
        return penalty + squares(grid) + balance(grid)
    }

    /// Runs of five and more, and finder-like patterns, in one row or column.
    private static func lines(_ size: Int, _ module: (Int) -> Bool) -> Int {
        var penalty = 0
        var isDark = false
        var run = 0
        // The last seven runs, newest first; the outside counts as a light run as long as the symbol.
        var history = [Int](repeating: 0, count: 7)
        func push(_ run: Int) {
            history.insert(history[0] == 0 ? run + size : run, at: 0)
            history.removeLast()
        }
        for index in 0..<size {
            if module(index) == isDark {
                run += 1
                if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            } else {
                push(run)
                if !isDark { penalty += finders(history) * 40 }
                isDark.toggle()
                run = 1
            }
        }
        if isDark {
            push(run)
            run = 0
        }
        push(run + size)
        return penalty + finders(history) * 40
    }

    private static func finders(_ history: [Int]) -> Int {
        let unit = history[1]
        let isCore =
            unit > 0 && history[2] == unit && history[3] == unit * 3 && history[4] == unit && history[5] == unit
        guard isCore else { return 0 }
        return (history[0] >= unit * 4 && history[6] >= unit ? 1 : 0)
            + (history[6] >= unit * 4 && history[0] >= unit ? 1 : 0)
    }

    private static func squares(_ grid: ModuleGrid) -> Int {
        var count = 0
        for y in 0..<grid.size - 1 {
            for x in 0..<grid.size - 1 {
                let colour = grid[x, y]
                if grid[x + 1, y] == colour && grid[x, y + 1] == colour && grid[x + 1, y + 1] == colour { count += 1 }
            }
        }
        return count * 3
    }

    private static func balance(_ grid: ModuleGrid) -> Int {
        let total = grid.size * grid.size
        let dark = grid.cells.count { $0 }
        return ((abs(dark * 20 - total * 10) + total - 1) / total - 1) * 10
    }
}
