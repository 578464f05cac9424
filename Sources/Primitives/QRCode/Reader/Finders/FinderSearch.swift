/// Looks for finder patterns (`raptorq-qr` section 14, step 2).
struct FinderSearch {
    private let pixels: BinaryPixels
    private let rowStep: Int
    private var found: [Finder] = []

    /// Patterns that are kept at the most, most of them false.
    static let limit = 240
    /// Pixels of a pattern at the least: less than one and a half for a module cannot be read.
    private static let shortest: Int32 = 10

    /// All that is found, the surest first.
    static func run(_ image: BinaryImage) -> [Finder] {
        image.withPixels { pixels in
            var search = FinderSearch(pixels)
            search.scan()
            return search.found.sorted { $0.support > $1.support }
        }
    }

    private init(_ pixels: BinaryPixels) {
        self.pixels = pixels
        // The core of the smallest pattern is four pixels high.
        rowStep = pixels.width * pixels.height > 2 << 20 ? 3 : 2
    }

    private mutating func scan() {
        var edges = RowEdges(pixels)
        for y in stride(from: rowStep / 2, to: pixels.height, by: rowStep) {
            let count = edges.find(row: y)
            guard count >= 6 else { continue }
            edges.places.withUnsafeBufferPointer { edges in
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
        let reach = 2 * Int(row.length)
        let x = Int(row.centre)
        guard
            let column = pixels.runs(
                fromX: x, y: y, stepX: 0, stepY: 1, reach: reach, shortest: (Int(row.length) + 1) / 2)
        else { return nil }
        let centreY = column.centre
        guard let again = pixels.runs(fromX: x, y: Int(centreY), stepX: 1, stepY: 0, reach: reach) else { return nil }
        let (againX, againY) = (Int(again.centre), Int(centreY))
        guard pixels.runs(fromX: againX, y: againY, stepX: 1, stepY: 1, reach: reach) != nil,
            pixels.runs(fromX: againX, y: againY, stepX: 1, stepY: -1, reach: reach) != nil
        else { return nil }
        return Finder(centre: Place(again.centre, centreY), unit: SIMD2(again.unit, column.unit), rowStep: rowStep)
    }
}
