import Testing
import TextForms

@testable import Identicons

@Suite("Jdenticon's pictures")
struct JdenticonTests {
    /// A picture of `dmester/jdenticon`'s own tests.
    struct Known: Sendable, CustomTestStringConvertible {
        var text: String
        /// SHA-1 of the text, which is what is drawn.
        var hash: String
        var size: Int
        /// Nil where the picture was made with other colours than the usual ones.
        var colors: [String]?
        /// The paths of the three colours, as SVG.
        var paths: [String]
        var testDescription: String { text }
    }

    static let known = [
        Known(
            text: "Icon1", hash: "9faff4f3d6d7d75577ce810ec6d6a06be49c3a5a", size: 100, colors: ["c0e5b2", "81cc66"],
            paths: [
                "M29 18.5L39.5 8L50 18.5L39.5 29ZM60.5 8L71 18.5L60.5 29L50 18.5ZM71 81.5L60.5 92L50 81.5L60.5 71Z"
                    + "M39.5 92L29 81.5L39.5 71L50 81.5ZM8 39.5L18.5 29L29 39.5L18.5 50ZM81.5 29L92 39.5L81.5 50L71 39.5Z"
                    + "M92 60.5L81.5 71L71 60.5L81.5 50ZM18.5 71L8 60.5L18.5 50L29 60.5Z",
                "M11.5 18.5a7,7 0 1,1 14,0a7,7 0 1,1 -14,0M74.5 18.5a7,7 0 1,1 14,0a7,7 0 1,1 -14,0"
                    + "M74.5 81.5a7,7 0 1,1 14,0a7,7 0 1,1 -14,0M11.5 81.5a7,7 0 1,1 14,0a7,7 0 1,1 -14,0"
                    + "M50 29L50 45L40 29ZM71 50L55 50L71 40ZM50 71L50 55L60 71ZM29 50L45 50L29 60Z",
            ]),
        Known(
            text: "50", hash: "e1822db470e60d090affd0956d743cb0e7cdf113", size: 50,
            colors: ["e3e3e3", "464646", "59c7bf"],
            paths: [
                "M15 5L25 5L25 15ZM35 5L35 15L25 15ZM35 45L25 45L25 35ZM15 45L15 35L25 35ZM5 15L15 15L15 25Z"
                    + "M45 15L45 25L35 25ZM45 35L35 35L35 25ZM5 35L5 25L15 25Z",
                "M15 10L10 15L5 10L10 5ZM40 15L35 10L40 5L45 10ZM35 40L40 35L45 40L40 45ZM10 35L15 40L10 45L5 40Z",
                "M25 15L25 23L20 15ZM35 25L27 25L35 20ZM25 35L25 27L30 35ZM15 25L23 25L15 30Z",
            ]),
        Known(
            text: "73", hash: "35e995c107a71caeb833bb3b79f9f54781b33fa1", size: 50,
            colors: ["4c4c4c", "e5e5e5", "cca766"],
            paths: [
                "M25 10L20 15L15 10L20 5ZM30 15L25 10L30 5L35 10ZM25 40L30 35L35 40L30 45ZM20 35L25 40L20 45L15 40Z"
                    + "M15 20L10 25L5 20L10 15ZM40 25L35 20L40 15L45 20ZM35 30L40 25L45 30L40 35ZM10 25L15 30L10 35L5 30Z",
                "M5 15L5 5L10 5ZM35 5L45 5L45 10ZM45 35L45 45L40 45ZM15 45L5 45L5 40Z",
                "M15 15L25 15L25 25L15 25ZM21.5 24L24 19L19 19ZM35 15L35 25L25 25L25 15ZM26 21.5L31 24L31 19Z"
                    + "M35 35L25 35L25 25L35 25ZM28.5 26L26 31L31 31ZM15 35L15 25L25 25L25 35ZM24 28.5L19 26L19 31Z",
            ]),
        Known(
            text: "39", hash: "ca3512f4dfa95a03169c5a670a4c91a19b3077b4", size: 50, colors: nil,
            paths: [
                "M16.7 10a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0M26.7 10a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0"
                    + "M26.7 40a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0M16.7 40a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0"
                    + "M6.7 20a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0M36.7 20a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0"
                    + "M36.7 30a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0M6.7 30a3.3,3.3 0 1,1 6.7,0a3.3,3.3 0 1,1 -6.7,0",
                "M5 5L15 5L15 10ZM45 5L45 15L40 15ZM45 45L35 45L35 40ZM5 45L5 35L10 35Z",
                "M15 15L25 15L25 25L15 25ZM18.6 21.2a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0M35 15L35 25L25 25L25 15Z"
                    + "M26.2 21.2a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0M35 35L25 35L25 25L35 25Z"
                    + "M26.2 28.8a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0M15 35L15 25L25 25L25 35Z"
                    + "M18.6 28.8a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0",
            ]),
    ]

    @Test("the shapes and colours of known pictures are those that Jdenticon draws", arguments: known)
    func drawn(known: Known) throws {
        let digits = known.hash.compactMap(\.hexDigitValue)
        let shapes = Jdenticon.shapes(ofHash: digits, size: known.size)
        // Jdenticon joins shapes of one colour in one path.
        var paths: [(color: String, borders: [Identicon.Border])] = []
        for shape in shapes {
            if let last = paths.firstIndex(where: { $0.color == shape.color.digits }) {
                paths[last].borders += shape.borders
            } else {
                paths.append((shape.color.digits, shape.borders))
            }
        }
        if let colors = known.colors { #expect(paths.map(\.color) == colors) }
        try #require(paths.count == known.paths.count)
        for (path, expected) in zip(paths, known.paths) {
            let found = path.borders.map { Outline($0, size: Double(known.size)) }
            let wanted = expected.split(separator: "M").map { Outline(svg: String($0)) }
            #expect(found.count == wanted.count && zip(found, wanted).allSatisfy { $0.isLike($1) })
        }
    }

    /// The corners of a polygon in no order, or the leftmost place of a circle and its diameter.
    private struct Outline {
        var isCircle: Bool
        var numbers: [Double]

        init(_ border: Identicon.Border, size: Double) {
            switch border {
            case .circle(let center, let radius):
                (isCircle, numbers) = (true, [(center.x - radius) * size, center.y * size, 2 * radius * size])
            case .polygon(let points):
                (isCircle, numbers) = (false, Self.sorted(points.map { [$0.x * size, $0.y * size] }))
            }
        }

        /// Takes what stands behind an M.
        init(svg: String) {
            let numbers = svg.split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
            isCircle = svg.contains("a")
            // x, y, then the arc: two radii, a turn, two flags, and the step to the other side.
            self.numbers =
                isCircle
                ? [numbers[0], numbers[1], numbers[7]]
                : Self.sorted(stride(from: 0, to: numbers.count, by: 2).map { [numbers[$0], numbers[$0 + 1]] })
        }

        private static func sorted(_ points: [[Double]]) -> [Double] {
            points.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.flatMap { $0 }
        }

        /// SVG has one digit behind the point.
        func isLike(_ other: Outline) -> Bool {
            isCircle == other.isCircle && numbers.count == other.numbers.count
                && zip(numbers, other.numbers).allSatisfy { abs($0 - $1) <= 0.06 }
        }
    }
}
