import ForceFieldTestMethods
import Scheduling
import Testing

@testable import ForceField

@Suite("Throttle, quarantine and quota")
struct SupervisionTests {
    @Test("ends that follow each other double the wait, up to a minute")
    func doubling() {
        var (throttle, now) = (Throttle(), TestClock.start)
        throttle.abnormalEnd(at: now)
        #expect(throttle.delay(at: now) == .zero)
        var waits: [Duration] = []
        for _ in 0..<12 {
            now += throttle.delay(at: now) + .seconds(1)
            throttle.abnormalEnd(at: now)
            waits.append(throttle.delay(at: now))
        }
        #expect(waits[..<4] == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(waits[9...] == [.milliseconds(51_200), .seconds(60), .seconds(60)])
    }

    @Test("an end long after the last does not wait")
    func apart() {
        var throttle = Throttle()
        throttle.abnormalEnd(at: TestClock.start)
        throttle.abnormalEnd(at: TestClock.at(.milliseconds(10_001)))
        #expect(throttle.delay(at: TestClock.at(.milliseconds(10_001))) == .zero)
    }

    @Test("a hundred good calls in a row reset the wait, ninety-nine do not")
    func reset() {
        var throttle = Throttle()
        func end() { throttle.abnormalEnd(at: TestClock.start) }
        end()
        end()
        for _ in 0..<99 { throttle.goodCall() }
        end()
        #expect(throttle.wait == .milliseconds(200))
        for _ in 0..<100 { throttle.goodCall() }
        #expect(throttle.wait == .zero)
        #expect(throttle.delay(at: TestClock.start) == .zero)
    }

    @Test("a call whose reply is refused breaks the row")
    func brokenRow() {
        var throttle = Throttle()
        for _ in 0..<2 { throttle.abnormalEnd(at: TestClock.start) }
        for _ in 0..<1_000 {
            for _ in 0..<99 { throttle.goodCall() }
            throttle.badCall()
        }
        #expect(throttle.isUsed && throttle.wait == .milliseconds(100))
        for _ in 0..<100 { throttle.goodCall() }
        #expect(!throttle.isUsed)
    }

    @Test("an input that ended workers twice is refused, and others are not")
    func quarantine() {
        var quarantine = Quarantine()
        quarantine.strike([1])
        #expect(!quarantine.refuses([1]))
        quarantine.strike([1])
        quarantine.strike([1])
        #expect(quarantine.refuses([1]) && !quarantine.refuses([2]) && quarantine.count == 1)
    }

    @Test("being there when a worker ends is held against nobody, and remembered")
    func suspects() {
        var quarantine = Quarantine()
        for _ in 0..<3 { quarantine.suspect([1]) }
        #expect(quarantine.isSuspect([1]) && !quarantine.refuses([1]) && quarantine.count == 0)
        #expect(!quarantine.isSuspect([2]) && !quarantine.isEmpty)
        quarantine.strike([1])
        quarantine.suspect([1])
        #expect(!quarantine.refuses([1]))
        quarantine.strike([1])
        #expect(quarantine.refuses([1]))
    }

    @Test("the quarantine remembers 4,096 inputs, and forgets the oldest first")
    func capacity() {
        var quarantine = Quarantine()
        for number in 0...UInt16(4_096) {
            let digest = [UInt8(number >> 8), UInt8(number & 255)]
            quarantine.strike(digest)
            quarantine.strike(digest)
        }
        #expect(quarantine.count == 4_096)
        #expect(!quarantine.refuses([0, 0]) && quarantine.refuses([0, 1]) && quarantine.refuses([16, 0]))
    }

    @Test("a worker is retired after its requests, its age or its idleness")
    func quota() {
        var once = Quota(.perRequest, startedAt: TestClock.start)
        #expect(once.retirement(at: TestClock.start, isIdle: true) == nil)
        once.begin(at: TestClock.start)
        #expect(once.retirement(at: TestClock.start, isIdle: false) == .requests)

        var quota = Quota(
            WorkerLifetime(requests: 9, duration: .seconds(60), idle: .seconds(30)), startedAt: TestClock.start)
        quota.begin(at: TestClock.at(.seconds(10)))
        quota.end(at: TestClock.at(.seconds(20)))
        #expect(quota.deadline == TestClock.at(.seconds(50)))
        #expect(quota.retirement(at: TestClock.at(.seconds(49)), isIdle: true) == nil)
        #expect(quota.retirement(at: TestClock.at(.seconds(50)), isIdle: true) == .idle)
        #expect(quota.retirement(at: TestClock.at(.seconds(50)), isIdle: false) == nil)
        #expect(quota.retirement(at: TestClock.at(.seconds(60)), isIdle: false) == .age)
    }
}
