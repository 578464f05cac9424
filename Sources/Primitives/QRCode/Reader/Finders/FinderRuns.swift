/// Five runs of pixels in a line: dark, light, dark, light, dark.
struct FinderRuns: Equatable {
    /// Where the runs begin, and where the last one ends; the other two numbers do not matter.
    let edges: SIMD8<Int32>

    var length: Int32 { edges[5] &- edges[0] }

    /// Whether the runs are as 1:1:3:1:1, each to half a module, and half a pixel more.
    var areFinder: Bool {
        let length = length
        let limit = length &+ 7
        // 14 times the difference to a seventh of the length, or to three.
        func isNear(_ first: Int, _ modules: Int32) -> Bool {
            abs(14 &* (edges[first + 1] &- edges[first]) &- 2 &* modules &* length) <= limit &* (modules == 3 ? 2 : 1)
        }
        return isNear(2, 3) && isNear(1, 1) && isNear(3, 1) && isNear(0, 1) && isNear(4, 1)
    }

    /// Pixels that all runs have together at the most, if their core has so many and they ``areFinder``.
    static func longest(core: Int) -> Int { (14 * core + 14) / 4 }

    /// Pixels that each of the four other runs has at the most.
    static func longestRing(core: Int) -> Int { (3 * longest(core: core) + 7) / 14 }

    /// The middle, from all edges.
    var centre: Double { Double(edges[0] &+ edges[1] &+ edges[2] &+ edges[3] &+ edges[4] &+ edges[5]) / 6 }

    /// Pixels of a module, measured from edges of the same kind, so that it does not matter if dark spreads into light.
    var unit: Double { Double(edges[4] &+ edges[5] &- edges[0] &- edges[1]) / 12 }
}
