/// When changes that may wait are saved: a moment after the last, and never long after the first.
///
/// Source: `appattest-gate` section 5.2.
struct SaveSchedule: Equatable, Sendable {
    static let quiet: Duration = .seconds(2)
    static let longest: Duration = .seconds(10)
    /// How long the disk may take for a save that is due.
    static let patience: Duration = .seconds(2)

    /// The time of the first change that is not saved.
    private(set) var first: Duration?
    private var last: Duration = .zero

    mutating func changed(at now: Duration) {
        if first == nil { first = now }
        last = now
    }

    /// When the next save is due; nil if there is nothing to be saved.
    var due: Duration? { first.map { min(last + Self.quiet, $0 + Self.longest) } }

    /// Takes changes back that a save was to bring to the disk, and did not.
    mutating func failed(_ saved: SaveSchedule) {
        guard let earlier = saved.first else { return }
        last = first == nil ? saved.last : last
        first = earlier
    }
}
