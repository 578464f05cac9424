#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system's clocks.
struct SystemClock: GateClock {
    init() {}

    var wallMilliseconds: Int64 {
        let time = Self.read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    var monotonicNanoseconds: UInt64 {
        let time = Self.read(CLOCK_MONOTONIC)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
