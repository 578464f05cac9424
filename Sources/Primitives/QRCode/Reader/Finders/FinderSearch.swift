/// Looks for finder patterns (`raptorq-qr` section 14, step 2).
struct FinderSearch {
    private let pixels: BinaryPixels
    private let rowStep: Int
    private var found: [Finder] = []

    /// Patterns that are kept at the most, most of them false.
    static let limit = 240

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
            edges.places.withUnsafeBufferPointer { edges in
                FinderWindows(edges, count: count).forEachFinder { runs in
                    if let finder = checked(runs, y) { add(finder) }
                }
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
