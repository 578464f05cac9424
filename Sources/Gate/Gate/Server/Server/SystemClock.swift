import CLibrary
package import NIOCore

/// The time of day, and a time that nobody sets, as the system tells them.
package struct SystemClock: GateClock {
    package init() {}

    package var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package var uptime: NIODeadline { .now() }
}
