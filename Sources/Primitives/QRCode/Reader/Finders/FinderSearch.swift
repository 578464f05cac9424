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
        // Where a row changes at most: at every pixel, and behind the last.
        var edges = [Int32](repeating: 0, count: image.width + 1)
        for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
            let count = image.edges(row: y, into: &edges)
            guard count >= 6 else { continue }
            edges.withUnsafeBufferPointer { edges in
                for first in stride(from: 0, to: count - 5, by: 2) where Self.mayBeFinder(edges, first) {
                    let runs = FinderRuns(
                        edges: SIMD8(
                            edges[first], edges[first + 1], edges[first + 2], edges[first + 3], edges[first + 4],
                            edges[first + 5], 0, 0))
                    guard runs.areFinder, let finder = checked(runs, y) else { continue }
                    add(finder)
                }
            }
        }
    }

    /// Whether the core is the longest of five runs. By far the most windows end here, where no branch could be
    /// predicted: so there is none.
    ///
    /// - Parameter first: the window's first edge, of six.
    @inline(__always)
    private static func mayBeFinder(_ edges: UnsafeBufferPointer<Int32>, _ first: Int) -> Bool {
        let length = edges[first &+ 5] &- edges[first]
        let core = edges[first &+ 3] &- edges[first &+ 2]
        // None is negative where all of it holds.
        return (length &- shortest) | (5 &* core &- length) | (5 &* length &- 7 &* core) >= 0
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
    ///
    /// - Parameter edges: has room for one more than the picture is wide.
    /// - Returns: how many there are.
    func edges(row: Int, into edges: inout [Int32]) -> Int {
        let places = row * width..<(row + 1) * width
        return edges.withUnsafeMutableBufferPointer { edges in
            pixels.withUnsafeBytes { pixels in
                let pixels = UnsafeRawBufferPointer(rebasing: pixels[places])
                var (count, before): (Int, UInt64) = (0, 0)
                for start in stride(from: 0, to: pixels.count, by: 64) {
                    let bits = Self.bits(pixels, start)
                    var changes = bits ^ (bits << 1 | before)
                    before = bits >> 63
                    while changes != 0 {
                        edges[count] = Int32(truncatingIfNeeded: start &+ changes.trailingZeroBitCount)
                        count &+= 1
                        changes &= changes &- 1
                    }
                }
                // A last word that is full ends with the row; behind others the next bit was light.
                if before == 1 {
                    edges[count] = Int32(truncatingIfNeeded: pixels.count)
                    count &+= 1
                }
                return count
            }
        }
    }

    /// Up to 64 pixels of a row as bits, the first lowest; zero behind its end.
    private static func bits(_ pixels: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
        var bits: UInt64 = 0
        guard start &+ 64 <= pixels.count else {
            for index in start..<pixels.count { bits |= UInt64(pixels[index]) << UInt64(index - start) }
            return bits
        }
        for index in 0..<8 {
            let word = UInt64(
                littleEndian: pixels.loadUnaligned(fromByteOffset: start &+ 8 &* index, as: UInt64.self))
            // Each byte is 0 or 1: the product has the eight of them side by side in its highest byte.
            bits |= ((word &* 0x0102_0408_1020_4080) >> 56) << UInt64(truncatingIfNeeded: 8 &* index)
        }
        return bits
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
