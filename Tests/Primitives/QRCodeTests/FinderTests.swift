import TestSupport
import Testing

@testable import QRCode

/// What is fast here is compared with the plain rule.
@Suite("Finders and what is made of them")
struct FinderTests {
    /// Squares of the sizes that modules have, as dark as by chance, with finders among them.
    private static func picture(seed: UInt64, cell: Int, width: Int = 130, height: Int = 90) throws -> LumaImage {
        var random = SplitMix64(state: seed)
        var cells = (0..<width * height).map { _ in random.next() & 1 == 0 }
        for _ in 0..<4 {
            let (left, top) = (Int(random.next() % UInt64(width / cell)), Int(random.next() % UInt64(height / cell)))
            for y in 0..<9 {
                for x in 0..<9 where left + x < width && top + y < height {
                    let distance = max(abs(x - 4), abs(y - 4))
                    cells[(top + y) * width + left + x] = distance != 2 && distance != 4
                }
            }
        }
        let pixels = (0..<width * height).map { place -> UInt8 in
            let isDark = cells[place / width / cell * width + place % width / cell]
            // Now and then a pixel is of the other colour.
            return isDark == (random.next() % 200 != 0) ? 30 : 220
        }
        return try #require(LumaImage(width: width, height: height, pixels: pixels))
    }

    @Test("runs around a pixel are those that a walk of single steps finds", arguments: 1...5)
    func runs(cell: Int) throws {
        var (found, wrong) = (0, 0)
        for seed in 0..<4 {
            let image = try Self.picture(seed: UInt64(seed), cell: cell)
            var binarizer = Binarizer(image)
            let binary = binarizer.split(at: .global, isInverted: seed % 2 == 1)
            let plain = PlainImage(binary)
            for place in image.pixels.indices where plain.dark[place] {
                let (x, y) = (place % image.width, place / image.width)
                for (stepX, stepY) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    for (reach, shortest) in [(200, 0), (12, 0), (200, 25)] {
                        let runs = binary.withPixels {
                            $0.runs(fromX: x, y: y, stepX: stepX, stepY: stepY, reach: reach, shortest: shortest)
                        }
                        let slow = plain.runs(x, y, stepX, stepY, reach: reach)
                        if runs != (slow.map { $0.length >= shortest } == true ? slow : nil) { wrong += 1 }
                        found += runs == nil ? 0 : 1
                    }
                }
            }
        }
        #expect(wrong == 0 && found > 50)
    }

    @Test("windows of a row that are finders are all told, and no others", arguments: 0..<40)
    func windows(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        var edges: [Int32] = [Int32(seed % 3)]
        // Runs nearly as those of finders, of all sizes that are told apart, and now and then others.
        for _ in 0..<60 {
            let module = Int32(1 + random.next() % 6)
            for modules in random.next() % 4 == 0 ? [2, 1, 1, 5, 1] : [1, 1, 3, 1, 1] as [Int32] {
                let off = Int32(random.next() % 3) - 1
                edges += [edges[edges.count - 1] + max(1, module * modules + off)]
            }
            edges += [edges[edges.count - 1] + module]
        }
        var found = 0
        for count in 0...edges.count {
            let row = Array(edges.prefix(count))
            let expected = stride(from: 0, to: count - 5, by: 2).compactMap { first -> [Int32]? in
                var places = SIMD8<Int32>.zero
                for index in 0..<6 { places[index] = row[first + index] }
                let runs = FinderRuns(edges: places)
                return runs.areFinder && runs.length >= 10 ? Array(row[first..<first + 6]) : nil
            }
            var told: [[Int32]] = []
            // What lies behind the row's edges is of no account.
            let behind = edges.dropFirst(count).prefix(FinderWindows.slack)
            let filled = row + behind + [Int32](repeating: 0, count: FinderWindows.slack - behind.count)
            filled.withUnsafeBufferPointer {
                FinderWindows($0, count: count).forEachFinder { runs in told.append((0..<6).map { runs.edges[$0] }) }
            }
            #expect(told == expected)
            found = told.count
        }
        #expect(found > 5)
    }

    @Test("candidates are the triples that deviate least, in that order", arguments: 0..<6)
    func candidates(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        // More of them than triples are made of; few sizes and places, so that many deviate as much as others.
        let finders = (0..<[3, 7, 20, 48, 48, 60][seed]).map { _ in
            Finder(
                centre: Place(Double(random.next() % 12) * 50, Double(random.next() % 9) * 50),
                unit: SIMD2(Double(3 + random.next() % 3), Double(3 + random.next() % 3)),
                hits: Int(1 + random.next() % 6))
        }
        let expected = Self.slowCandidates(Array(finders.prefix(48)))
        #expect(FinderTriple.candidates(finders) == Array(expected.prefix(400)))
        #expect(seed < 4 || expected.count > 1200)
    }

    /// All triples by the plain rule, the best first.
    private static func slowCandidates(_ finders: [Finder]) -> [FinderTriple] {
        var found: [(deviation: Double, triple: FinderTriple)] = []
        for corner in finders {
            for (index, other) in finders.enumerated() where other != corner {
                for another in finders[..<index] where another != corner {
                    let (a, b) = (other.centre - corner.centre, another.centre - corner.centre)
                    let lengths = [a.length, b.length].sorted()
                    let sizes = [corner, other, another].map(\.size).sorted()
                    guard sizes[2] / sizes[0] < 2.5, lengths[1] < 2 * lengths[0], lengths[0] > 9 * sizes[0],
                        lengths[0] < 200 * sizes[2]
                    else { continue }
                    let skew = abs(a.dot(b)) / (a.length * b.length)
                    guard skew < 0.6 else { continue }
                    let support = [corner, other, another].map(\.support).min() ?? 0
                    let deviation = skew + lengths[1] / lengths[0] + sizes[2] / sizes[0] - 2 + 2 * (1 - support)
                    found.append((deviation, FinderTriple(corner: corner, other: other, another: another)))
                }
            }
        }
        return found.sorted { $0.deviation < $1.deviation }.map(\.triple)
    }

    @Test("a pattern correlates as its modules do, one by one", arguments: [false, true])
    func correlation(isFinder: Bool) throws {
        let image = try Self.picture(seed: 3, cell: 2)
        let radius = isFinder ? 3 : 2
        let template = isFinder ? PatternTemplate.finder : PatternTemplate.alignment
        for (right, down) in [(Place(2, 0), Place(0, 2)), (Place(1.7, 0.6), Place(-0.5, 1.9))] {
            for centre in [Place(40.2, 33.7), Place(71, 50), Place(100.5, 60.5)] {
                var (pixels, isDark): ([Double], [Bool]) = ([], [])
                for y in -radius...radius {
                    for x in -radius...radius {
                        let offset = right * Double(x) + down * Double(y)
                        let (column, row) = (Int(offset.x.rounded()), Int(offset.y.rounded()))
                        let place = (Int(centre.y) + row) * image.width + Int(centre.x) + column
                        pixels.append(Double(image.pixels[place]))
                        isDark.append(max(abs(x), abs(y)) != radius - 1)
                    }
                }
                let found = try #require(template.correlation(image, at: centre, right: right, down: down))
                #expect(abs(Double(found) - Self.correlation(pixels, isDark.map { $0 ? 0 : 1 })) < 1e-3)
            }
        }
    }

    /// Pearson's coefficient.
    private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        func covariance(_ one: [Double], _ other: [Double]) -> Double {
            mean(zip(one, other).map(*)) - mean(one) * mean(other)
        }
        return covariance(one, other) / (covariance(one, one) * covariance(other, other)).squareRoot()
    }
}

/// A picture in two colours, pixel by pixel.
private struct PlainImage {
    let width: Int
    let dark: [Bool]

    init(_ image: BinaryImage) {
        width = image.width
        dark = image.dark
    }

    /// The runs of a finder around a dark pixel, by single steps.
    func runs(_ x: Int, _ y: Int, _ stepX: Int, _ stepY: Int, reach: Int) -> FinderRuns? {
        func isDark(_ x: Int, _ y: Int) -> Bool {
            x >= 0 && x < width && y >= 0 && y * width < dark.count && dark[y * width + x]
        }
        func edges(_ stepX: Int, _ stepY: Int) -> [Int]? {
            var (step, edges): (Int, [Int]) = (0, [])
            for colour in [true, false, true] {
                while isDark(x + step * stepX, y + step * stepY) == colour {
                    step += 1
                    if step > reach { return nil }
                }
                edges.append(step)
            }
            return edges
        }
        guard let after = edges(stepX, stepY), let before = edges(-stepX, -stepY) else { return nil }
        let origin = stepY == 1 ? y : x
        var places = SIMD8<Int32>.zero
        for (index, edge) in (before.reversed().map { origin + 1 - $0 } + after.map { origin + $0 }).enumerated() {
            places[index] = Int32(edge)
        }
        let runs = FinderRuns(edges: places)
        return runs.areFinder ? runs : nil
    }
}
