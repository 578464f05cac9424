import CLinux
import Foundation
import Testing

@Suite("The clock that goes on in sleep")
struct ClockTests {
    @Test("this process and its parent started at different times, a missing one at none")
    func start() {
        var own: UInt64 = 0
        var again: UInt64 = 0
        #expect(clinux_process_start(getpid(), &own) == 0)
        #expect(clinux_process_start(getpid(), &again) == 0)
        #expect(own == again && own > 0)
        #expect(clinux_process_start(Int32.max, &own) == -1)
        #expect(errno == ESRCH)
    }

    #if os(Linux)
        @Test("a timer fires at its time, at once for a past one, and not when stopped")
        func timer() throws {
            let timer = clinux_boot_timer_open()
            try #require(timer >= 0)
            defer { close(timer) }
            func now() -> Int64 {
                var time = timespec()
                clock_gettime(CLOCK_BOOTTIME, &time)
                return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            }
            func wait(_ milliseconds: Int32) -> Bool {
                var request = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
                return poll(&request, 1, milliseconds) == 1
            }
            #expect(clinux_boot_timer_set(timer, now() + 3_600_000) == 0)
            #expect(clinux_boot_timer_take(timer) == 0)
            let due = now() + 20
            #expect(clinux_boot_timer_set(timer, due) == 0)
            #expect(wait(300_000))
            #expect(now() >= due)
            #expect(clinux_boot_timer_take(timer) == 1)

            #expect(clinux_boot_timer_set(timer, 0) == 0)
            #expect(wait(300_000))
            #expect(clinux_boot_timer_take(timer) == 1)

            #expect(clinux_boot_timer_set(timer, now() + 10) == 0)
            #expect(clinux_boot_timer_set(timer, -1) == 0)
            #expect(!wait(30))
        }
    #endif
}
