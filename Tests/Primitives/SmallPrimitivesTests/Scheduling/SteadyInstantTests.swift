import Foundation
import Testing

@testable import Scheduling

@Suite("Instants of the steady clock")
struct SteadyInstantTests {
    #if os(Linux)
        @Test("the clock is the one that the kernel tells as the time since it began")
        func uptime() throws {
            let before = SteadyInstant.now.milliseconds
            let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
            let after = SteadyInstant.now.milliseconds
            // The kernel cuts at hundredths.
            let uptime = try #require(text.split(separator: " ").first.flatMap { Double($0) }) * 1_000
            #expect((Double(before) - 11...Double(after)).contains(uptime))
        }
    #endif

    @Test("it runs beside ContinuousClock")
    func continuous() {
        let (outer, inner) = (SteadyInstant.now, ContinuousClock.now)
        let passed = ContinuousClock.now - inner
        #expect(passed >= .zero)
        #expect(SteadyInstant.now - outer >= passed)
    }

    @Test("times are added, taken apart and put in order to the attosecond")
    func arithmetic() {
        let start = SteadyInstant(sinceOrigin: .seconds(10))
        let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
        #expect(start + .milliseconds(1) - start == .milliseconds(1))
        #expect(start - .seconds(20) - start == .seconds(-20))
        #expect(start.duration(to: start.advanced(by: least)) == least)
        #expect(start < start + least && start - least < start)
        #expect(start + least - least == start)
        var later = start
        later += .seconds(1)
        #expect(later == start + .seconds(1))
        #expect(start + .seconds(Int64.max / 2) > start)
    }

    @Test("a timer is set to the next whole millisecond, so that it is never early")
    func milliseconds() {
        let start = SteadyInstant(sinceOrigin: .seconds(2))
        #expect(start.milliseconds == 2_000)
        #expect((start + .nanoseconds(1)).milliseconds == 2_001)
        #expect((start + .milliseconds(1)).milliseconds == 2_001)
        #expect((start - .seconds(3)).milliseconds == 0)
        #expect((start + .seconds(Int64.max / 2)).milliseconds == 100_000 * 365 * 86_400 * 1_000)
    }
}
