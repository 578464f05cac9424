import ForceFieldWire

/// How a worker ended, what it had and what it used. One for each worker.
///
/// Source: `forcefield` sections 16 and 20.
public struct TerminationReport: Hashable, Sendable {
    public var termination: Termination
    /// Empty if it never ran.
    public var layers: [Layer] = []
    /// 0 without Landlock.
    public var landlockABI: UInt32 = 0
    public var limits = LimitKeeper.resourceLimits
    /// When the worker was spawned, in microseconds since 1970.
    public var startedMicroseconds: UInt64 = 0
    public var wallMicroseconds: UInt64 = 0
    public var cpuUserMicroseconds: UInt64 = 0
    public var cpuSystemMicroseconds: UInt64 = 0
    public var maxRSSKiB: UInt64 = 0
    /// Requests that were answered.
    public var requests = 0
    public var lastMethod: String?
    /// Bytes of the worker.
    public var stderrTail: [UInt8] = []

    /// What keeps a worker within its memory. The raw values are the names in reports.
    public enum LimitKeeper: String, Sendable {
        case resourceLimits = "rlimit"
        case controlGroup = "cgroup"
    }

    public init(_ termination: Termination) { self.termination = termination }

    /// The report that `--json` prints, as one line.
    public var json: String { jsonText.text }

    var jsonText: JSONText {
        .object([
            ("termination", termination.jsonText),
            ("layers", .array(layers.map { .string($0.rawValue) })),
            ("landlockABI", .number(landlockABI)),
            ("limits", .string(limits.rawValue)),
            ("startedMicroseconds", .number(startedMicroseconds)),
            ("wallMicroseconds", .number(wallMicroseconds)),
            ("cpuUserMicroseconds", .number(cpuUserMicroseconds)),
            ("cpuSystemMicroseconds", .number(cpuSystemMicroseconds)),
            ("maxRSSKiB", .number(maxRSSKiB)),
            ("requests", .number(requests)),
            ("lastMethod", lastMethod.map { .string($0) }),
            ("stderrTail", .string(CrashText.shown(stderrTail, keepingNewlines: true))),
        ])
    }
}
