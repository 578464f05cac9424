/// The windows of five runs along a row, told to be finders or not four at a time: nearly all are none, each by another
/// rule, so that no branch could be predicted.
struct FinderWindows {
    private let edges: UnsafeRawBufferPointer
    /// Windows whose edges are all there.
    private let count: Int

    /// Windows that are looked at together.
    private static let group = 4
    /// Edges that may be read behind the last: those of a group that has but one window.
    static let slack = 2 * group - 2
    /// Pixels of a pattern at the least: less than one and a half for a module cannot be read.
    private static let shortest: Int32 = 10

    /// - Parameters:
    ///   - edges: where the colour changes, beginning with a dark pixel, and ``slack`` numbers more.
    ///   - count: edges of the row.
    init(_ edges: UnsafeBufferPointer<Int32>, count: Int) {
        precondition(count + Self.slack <= edges.count)
        self.edges = UnsafeRawBufferPointer(edges)
        self.count = max(0, (count - 4) / 2)
    }

    /// Calls for the runs of each window that ``FinderRuns/areFinder`` and are long enough.
    @inline(__always)
    func forEachFinder(_ body: (FinderRuns) -> Void) {
        for first in stride(from: 0, to: count, by: Self.group) {
            let excess = excess(from: first)
            let halves = unsafeBitCast(excess, to: SIMD2<UInt64>.self)
            // All are negative where no window is a finder.
            if halves[0] & halves[1] & 0x8000_0000_8000_0000 == 0x8000_0000_8000_0000 { continue }
            for window in 0..<min(Self.group, count &- first) where excess[window] >= 0 {
                body(FinderRuns(edges: eight(from: 2 &* (first &+ window))))
            }
        }
    }

    /// Eight edges, the first of which is `index`.
    @inline(__always)
    private func eight(from index: Int) -> SIMD8<Int32> {
        edges.loadUnaligned(fromByteOffset: MemoryLayout<Int32>.stride &* index, as: SIMD8<Int32>.self)
    }

    /// Negative where a window has another shape than a finder: what ``FinderRuns/areFinder`` says, without a branch.
    @inline(__always)
    private func excess(from first: Int) -> SIMD4<Int32> {
        let (outer, middle, inner) = (
            eight(from: 2 &* first), eight(from: 2 &* first &+ 2), eight(from: 2 &* first &+ 4)
        )
        let length = inner.oddHalf &- outer.evenHalf
        let (low, high) = (length &- 7, 3 &* length &+ 7)
        let core = 14 &* (middle.oddHalf &- middle.evenHalf)
        var excess = (length &- Self.shortest) | (core &- 4 &* length &+ 14) | (8 &* length &+ 14 &- core)
        @inline(__always)
        func add(ring: SIMD4<Int32>) { excess |= (14 &* ring &- low) | (high &- 14 &* ring) }
        add(ring: outer.oddHalf &- outer.evenHalf)
        add(ring: middle.evenHalf &- outer.oddHalf)
        add(ring: inner.evenHalf &- middle.oddHalf)
        add(ring: inner.oddHalf &- inner.evenHalf)
        return excess
    }
}
