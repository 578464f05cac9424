package import NIOCore
internal import TextForms

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The time, in the two forms that the gate needs.
package protocol GateClock: Sendable {
    /// The time of day. The clock may be set, and jump.
    var now: Timestamp { get }
    /// The time of a clock that nobody can set.
    var uptime: NIODeadline { get }
}

/// A time of day that nobody can set while the process runs: that of its start, and what has passed since.
struct SteadyTime: Sendable {
    private let clock: any GateClock
    private let isSteady: Bool
    private let start: (wall: Timestamp, uptime: NIODeadline)

    /// - Parameter isSteady: false where another process goes by the same times: then it is the wall clock.
    init(_ clock: any GateClock, isSteady: Bool = true) {
        self.clock = clock
        self.isSteady = isSteady
        start = (clock.now, clock.uptime)
    }

    var wall: Timestamp { clock.now }

    /// The time by which nothing is older than it is, whoever has set the wall clock forward or back.
    var earlier: Timestamp { min(now, wall) }

    var now: Timestamp {
        guard isSteady else { return clock.now }
        // Whole milliseconds, which do not round up.
        let elapsed = (clock.uptime - start.uptime).nanoseconds / 1_000_000
        return start.wall + .milliseconds(elapsed)
    }
}

/// The earlier of the wall clock and of two steady times, which are begun an hour apart and renewed in turn.
///
/// A wall clock that is ahead for less than an hour is in one of them at the most, so that nothing is put off by it;
/// one that was behind when the process began is forgotten two hours after it was set right.
struct CautiousTime: Sendable {
    private static let turn = TimeAmount.hours(1)

    private let clock: any GateClock
    private var older: SteadyTime
    private var newer: SteadyTime
    private var renewed: NIODeadline

    init(_ clock: any GateClock) {
        self.clock = clock
        older = SteadyTime(clock)
        newer = older
        renewed = clock.uptime
    }

    var wall: Timestamp { clock.now }
    var earlier: Timestamp { min(wall, older.now, newer.now) }

    /// Begins one of the two anew where that is due.
    mutating func renew() {
        guard clock.uptime - renewed >= Self.turn else { return }
        (older, newer) = (newer, SteadyTime(clock))
        renewed = clock.uptime
    }
}

/// Where the gate's random bytes come from.
package protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's generator for keys.
package struct SystemRandomSource: RandomSource {
    package init() {}

    /// - Parameter count: at most 256, which one call of the system gives.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, drawn in
            guard let start = bytes.baseAddress else { return }
            #if canImport(Darwin)
                arc4random_buf(start, count)
            #else
                precondition(getentropy(start, count) == 0, "The system gives no random bytes.")
            #endif
            drawn = count
        }
    }
}

/// Names one request in answers, in the log and to the upstream.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The name as 16 hexadecimal digits.
    package let description: String

    package init(_ random: some RandomSource) {
        description = Hex.encode(random.bytes(8))
    }
}
