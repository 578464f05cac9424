import ForceFieldWire
import StrictJSON

/// How a worker ended, what it had and what it used. One for each worker.
///
/// Source: `forcefield` sections 16 and 20.
public struct TerminationReport: Hashable, Sendable {
    /// How it ended.
    public var termination: Termination
    /// The layers around it. Empty if it never ran.
    public var layers: [Layer] = []
    /// 0 without Landlock.
    package var landlockABI: UInt32 = 0
    /// What kept it within its memory.
    package var limits = LimitKeeper.resourceLimits
    /// When the worker was spawned, in microseconds since 1970.
    package var startedMicroseconds: UInt64 = 0
    /// How long it ran by the clock, and how long on a processor: in its own code, and in the system's for it.
    public var wallTime = Duration.zero, userTime = Duration.zero, systemTime = Duration.zero
    /// The most memory that it had at a time, in KiB.
    public var maxRSSKiB: UInt64 = 0
    /// Requests that were answered.
    public var requests = 0
    /// The name of the method that it was asked for last.
    public var lastMethod: String?
    /// The last bytes that it wrote on standard error: the worker's word.
    public var stderrTail: [UInt8] = []

    /// What keeps a worker within its memory. The raw values are the names in reports.
    package enum LimitKeeper: String, Sendable {
        case resourceLimits = "rlimit"
        case controlGroup = "cgroup"
    }

    package init(_ termination: Termination) { self.termination = termination }

    /// Takes down what the worker has used.
    package mutating func note(_ exit: WorkerExit?) {
        userTime = exit?.userTime ?? .zero
        systemTime = exit?.systemTime ?? .zero
        maxRSSKiB = exit?.maxRSSKiB ?? 0
    }

    /// The report that `--json` prints, as one line.
    package var jsonText: String { json.reportText }

    private var json: JSON {
        .report([
            ("termination", termination.json),
            ("layers", .array(layers.map { .string($0.rawValue) })),
            ("landlockABI", .integer(landlockABI)),
            ("limits", .string(limits.rawValue)),
            ("startedMicroseconds", .integer(startedMicroseconds)),
            ("wallMicroseconds", .integer(wallTime.wholeMicroseconds)),
            ("cpuUserMicroseconds", .integer(userTime.wholeMicroseconds)),
            ("cpuSystemMicroseconds", .integer(systemTime.wholeMicroseconds)),
            ("maxRSSKiB", .integer(maxRSSKiB)),
            ("requests", .integer(requests)),
            ("lastMethod", lastMethod.map { .string($0) }),
            ("stderrTail", .string(CrashText.shown(stderrTail, keepingNewlines: true))),
        ])
    }
}

extension Duration {
    /// Rounded down; none for what is negative.
    fileprivate var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = max(.zero, self).components
        return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    }
}
