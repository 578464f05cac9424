import AppAttest

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension UnixTime {
    /// The time by the system's clock.
    package static var now: UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
