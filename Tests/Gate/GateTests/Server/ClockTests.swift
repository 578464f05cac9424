import NIOCore
import Synchronization
import Testing

@testable import Gate

/// The system's clocks, set by somebody while the gate runs.
final class SetClock: GateClock {
    private let steps = Mutex((wall: Int64(0), steady: UInt64(0)))

    var now: Timestamp { SystemClock().now + .milliseconds(steps.withLock(\.wall)) }
    var uptime: NIODeadline { SystemClock().uptime + .nanoseconds(Int64(steps.withLock(\.steady))) }

    /// Sets the clock on the wall.
    func step(seconds: Int64) { steps.withLock { $0.wall += seconds * 1_000 } }

    /// Lets time go by.
    func pass(seconds: Int64) {
        steps.withLock { steps in
            steps.wall += seconds * 1_000
            steps.steady += UInt64(seconds) * 1_000_000_000
        }
    }
}

/// Nonces live for ten minutes here, as at every ``ServerSite``.
@Suite("A gate whose clock is set", .timeLimit(.minutes(30)))
struct ClockTests {
    private func site(_ mode: String, _ clock: SetClock) async throws -> ServerSite {
        try await ServerSite(["NONCE_MODE": mode], clock: clock)
    }

    private func status(_ site: ServerSite, _ fields: [(String, String)]) async throws -> Int {
        try await site.request("GET", "/", RawClient.handshake + fields).status
    }

    @Test("makes nothing older by that than it is")
    func age() {
        let clock = StillClock()
        let time = SteadyTime(clock)
        let start = clock.now
        clock.advance(milliseconds: 5_000)
        #expect(time.earlier == start + 5_000)
        clock.setWall(start + .seconds(100 * 86_400))
        #expect(time.earlier == start + 5_000)
        clock.setWall(0)
        #expect(time.earlier == 0)
    }

    @Test(
        "lets in with a nonce that it gave out since, and never twice",
        arguments: ["stored", "sealed"], [Int64(3_600), -3_600])
    func fresh(_ mode: String, _ seconds: Int64) async throws {
        let clock = SetClock()
        let site = try await site(mode, clock)
        let device = try await site.registered()
        clock.step(seconds: seconds)
        let first = try await site.assertion(device, counter: 1)
        #expect(try await status(site, first) == 101)
        #expect(try await status(site, first) == 401)
        clock.step(seconds: -seconds)
        let second = try await site.assertion(device, counter: 2)
        #expect(try await status(site, second) == 101)
        #expect(try await status(site, first) == 401)
        clock.step(seconds: seconds)
        #expect(try await status(site, second) == 401)
    }

    @Test(
        "keeps the nonces of its own memory, or under a key of its own, through any step",
        arguments: ["stored", "sealed"], [Int64(3_600), -3_600])
    func kept(_ mode: String, _ seconds: Int64) async throws {
        let clock = SetClock()
        let site = try await site(mode, clock)
        let fields = try await site.assertion(site.registered(), counter: 1)
        clock.step(seconds: seconds)
        #expect(try await status(site, fields) == 101)
    }

    @Test("does not let a nonce live again that has expired", arguments: ["stored", "sealed"])
    func expired(_ mode: String) async throws {
        let clock = SetClock()
        let site = try await site(mode, clock)
        let fields = try await site.assertion(site.registered(), counter: 1)
        clock.pass(seconds: 700)
        clock.step(seconds: -3_600)
        #expect(try await status(site, fields) == 401)
        clock.step(seconds: 3_600)
        #expect(try await status(site, fields) == 401)
    }
}
