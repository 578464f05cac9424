extension BinaryPixels {
    /// The five runs around a dark pixel in one direction, if they are those of a finder.
    ///
    /// - Parameters:
    ///   - x, y: a place in the picture.
    ///   - reach: steps to either side at the most.
    ///   - shortest: pixels of all runs at the least.
    /// - Returns: runs whose edges count pixels along the direction's last moving axis.
    func runs(fromX x: Int, y: Int, stepX: Int, stepY: Int, reach: Int, shortest: Int = 0) -> FinderRuns? {
        guard isDark(x: x, y: y) else { return nil }
        var after = FinderWalk(self, x: x, y: y, stepX: stepX, stepY: stepY)
        var before = FinderWalk(self, x: x, y: y, stepX: -stepX, stepY: -stepY)
        guard let coreEnd = after.pass(isDark: true, reach), let coreStart = before.pass(isDark: true, reach) else {
            return nil
        }
        let core = coreEnd + coreStart - 1
        // Most walks end here, or behind few steps more: a longer run is no finder's.
        guard FinderRuns.longest(core: core) >= shortest else { return nil }
        let limit = FinderRuns.longestRing(core: core)
        guard let lightEnd = after.pass(isDark: false, min(coreEnd + limit, reach)),
            let lightStart = before.pass(isDark: false, min(coreStart + limit, reach)),
            let ringEnd = after.pass(isDark: true, min(lightEnd + limit, reach)),
            let ringStart = before.pass(isDark: true, min(lightStart + limit, reach))
        else { return nil }
        let origin = stepY == 1 ? y : x
        let runs = FinderRuns(
            edges: SIMD8(
                truncatingIfNeeded: SIMD8(
                    origin + 1 - ringStart, origin + 1 - lightStart, origin + 1 - coreStart, origin + coreEnd,
                    origin + lightEnd, origin + ringEnd, 0, 0)))
        return runs.areFinder && runs.length >= shortest ? runs : nil
    }
}

/// A walk from a pixel in one direction.
private struct FinderWalk {
    private let pixels: BinaryPixels
    private var x: Int
    private var y: Int
    private let stepX: Int
    private let stepY: Int
    private var steps = 0
    /// Steps after which the walk leaves the picture.
    private let room: Int

    init(_ pixels: BinaryPixels, x: Int, y: Int, stepX: Int, stepY: Int) {
        self.pixels = pixels
        (self.x, self.y, self.stepX, self.stepY) = (x, y, stepX, stepY)
        func room(_ place: Int, of size: Int, step: Int) -> Int {
            step == 0 ? .max : step > 0 ? size - place : place + 1
        }
        self.room = min(room(x, of: pixels.width, step: stepX), room(y, of: pixels.height, step: stepY))
    }

    /// Goes on to the first pixel of the other colour; outside of the picture all is light.
    ///
    /// - Parameter most: steps in all.
    /// - Returns: steps so far, or nil if there is no such pixel within `most`.
    @inline(__always)
    mutating func pass(isDark: Bool, _ most: Int) -> Int? {
        let end = min(room, most &+ 1)
        while steps < end && pixels.isDark(x: x, y: y) == isDark {
            x &+= stepX
            y &+= stepY
            steps &+= 1
        }
        return steps < end || (isDark && steps <= most) ? steps : nil
    }
}
