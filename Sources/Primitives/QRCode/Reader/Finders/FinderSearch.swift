/// Looks for finder patterns (`raptorq-qr` section 14, step 2).
struct FinderSearch {
    private let image: BinaryImage
    private let rowStep: Int
    private var found: [Finder] = []

    /// Patterns that are kept at the most, most of them false.
    static let limit = 240
    /// Pixels of a pattern at the least: less than one and a half for a module cannot be read.
    private static let shortest: Int32 = 10

    /// All that is found, the surest first.
    static func run(_ image: BinaryImage) -> [Finder] {
        var search = FinderSearch(image)
        search.scan()
        return search.found.sorted { $0.support > $1.support }
    }

    private init(_ image: BinaryImage) {
        self.image = image
        // The core of the smallest pattern is four pixels high.
        rowStep = image.pixels.count > 2 << 20 ? 3 : 2
    }

    private mutating func scan() {
        var edges: [Int32] = []
        edges.reserveCapacity(image.width + 1)
        for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
            image.edges(row: y, into: &edges)
            guard edges.count >= 6 else { continue }
            for first in stride(from: 0, to: edges.count - 5, by: 2) {
                let length = edges[first + 5] &- edges[first]
                // The core is the longest of the runs, by far the most windows end here.
                let core = edges[first + 3] &- edges[first + 2]
                guard length >= Self.shortest, 5 &* core >= length, 7 &* core <= 5 &* length else { continue }
                let runs = FinderRuns(
                    edges: SIMD8(
                        edges[first], edges[first + 1], edges[first + 2], edges[first + 3], edges[first + 4],
                        edges[first + 5], 0, 0))
                guard runs.areFinder, let finder = checked(runs, y) else { continue }
                add(finder)
            }
        }
    }

    private mutating func add(_ finder: Finder) {
        if let index = found.firstIndex(where: { $0.isSame(as: finder) }) {
            found[index] = found[index].merged(with: finder)
        } else if found.count < Self.limit {
            found.append(finder)
        }
    }

    /// Looks along the column, the row and both diagonals through the middle.
    private func checked(_ row: FinderRuns, _ y: Int) -> Finder? {
        let reach = 2 * row.length
        guard
            let column = image.runs(fromX: Int(row.centre), y: y, stepX: 0, stepY: 1, reach: reach),
            2 * column.length >= row.length
        else { return nil }
        let centreY = column.centre
        guard let again = image.runs(fromX: Int(row.centre), y: Int(centreY), stepX: 1, stepY: 0, reach: reach) else {
            return nil
        }
        let (x, y) = (Int(again.centre), Int(centreY))
        guard image.runs(fromX: x, y: y, stepX: 1, stepY: 1, reach: reach) != nil,
            image.runs(fromX: x, y: y, stepX: 1, stepY: -1, reach: reach) != nil
        else { return nil }
        return Finder(centre: Place(again.centre, centreY), unit: SIMD2(again.unit, column.unit), rowStep: rowStep)
    }
}

extension BinaryImage {
    /// Where the colour changes along a row, beginning with the first dark pixel; outside of the picture all is light.
    fileprivate func edges(row: Int, into edges: inout [Int32]) {
        edges.removeAll(keepingCapacity: true)
        let start = row * width
        var before: UInt64 = 0
        // Reads stay below `width`.
        pixels.withUnsafeBytes { pixels in
            var x = 0
            while x + 8 <= width {
                let word = UInt64(littleEndian: pixels.loadUnaligned(fromByteOffset: start + x, as: UInt64.self))
                var changes = word ^ (word << 8 | before)
                while changes != 0 {
                    edges.append(Int32(truncatingIfNeeded: x + changes.trailingZeroBitCount / 8))
                    changes &= changes - 1
                }
                before = word >> 56
                x += 8
            }
            while x < width {
                let pixel = UInt64(pixels[start + x])
                if pixel != before { edges.append(Int32(truncatingIfNeeded: x)) }
                before = pixel
                x += 1
            }
        }
        if before == 1 { edges.append(Int32(truncatingIfNeeded: width)) }
    }

    /// The five runs around a dark pixel in one direction, if they are those of a finder.
    ///
    /// - Parameter reach: steps to either side at the most.
    /// - Returns: runs whose edges count pixels along the direction's last moving axis.
    fileprivate func runs(fromX x: Int, y: Int, stepX: Int, stepY: Int, reach: Int32) -> FinderRuns? {
        guard isDark(x: x, y: y),
            let after = edges(fromX: x, y: y, stepX: stepX, stepY: stepY, reach: reach),
            let before = edges(fromX: x, y: y, stepX: -stepX, stepY: -stepY, reach: reach)
        else { return nil }
        let origin = Int32(truncatingIfNeeded: stepY == 1 ? y : x)
        let runs = FinderRuns(
            edges: SIMD8(
                origin &+ 1 &- before.2, origin &+ 1 &- before.1, origin &+ 1 &- before.0, origin &+ after.0,
                origin &+ after.1, origin &+ after.2, 0, 0))
        return runs.areFinder ? runs : nil
    }

    /// Steps until the core, the light ring and the dark ring end.
    private func edges(fromX x: Int, y: Int, stepX: Int, stepY: Int, reach: Int32) -> (Int32, Int32, Int32)? {
        var (x, y) = (x, y)
        var step: Int32 = 0
        func pass(_ dark: Bool) -> Int32? {
            while isDark(x: x, y: y) == dark {
                x += stepX
                y += stepY
                step += 1
                if step > reach { return nil }
            }
            return step
        }
        guard let core = pass(true), let light = pass(false), let ring = pass(true) else { return nil }
        return (core, light, ring)
    }
}
