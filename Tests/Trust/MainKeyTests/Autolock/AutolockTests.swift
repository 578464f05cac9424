import TestSupport
import Testing

@testable import MainKey

@Suite("Autolock")
struct AutolockTests {
    private static func event(_ name: String) throws -> AutolockState.Event {
        switch name {
        case "unlock": .unlock
        case "background": .background
        case "foreground": .foreground
        case "access": .access
        case "timer": .timer
        case "resume": .resume
        case "scopeEnd": .scopeEnd
        case "osLock": .systemLock
        case "lock": .lock
        default:
            try #require(Int(name.dropFirst("set:".count)).flatMap(AutolockTimeout.init(rawValue:)).map { .set($0) })
        }
    }

    private static func unlocked(
        _ mode: AutolockState.Mode, _ timeout: AutolockTimeout, locksOnSleep: Bool = true, at now: UInt64 = 0
    ) -> AutolockState {
        var state = AutolockState(mode: mode, timeout: timeout, locksOnSleep: locksOnSleep)
        state.handle(.unlock, at: now)
        return state
    }

    @Test("goes through the known states")
    func knownStates() throws {
        let cases = try Fixture.json("autolock.json")["cases"].array
        #expect(cases.count == 12)
        for known in cases {
            let timeout = try #require(known["minutes"].int.flatMap(AutolockTimeout.init(rawValue:)))
            var state = AutolockState(mode: known["mode"].string == "idle" ? .idle : .foreground, timeout: timeout)
            for step in known["steps"].array {
                state.handle(
                    try Self.event(#require(step["event"].string)), at: UInt64(try #require(step["boot_ms"].int)))
                #expect(state.isUnlocked == (step["expect"].string == "unlocked"), "\(known["name"]), \(step)")
            }
        }
    }

    @Test("each request to lock locks and says why", arguments: [AutolockState.Mode.foreground, .idle])
    func requests(mode: AutolockState.Mode) {
        let events: [(AutolockState.Event, AutolockState.Cause)] = [
            (.lock, .request), (.systemLock, .systemLock), (.sleep, .sleep),
        ]
        for (event, cause) in events {
            var state = Self.unlocked(mode, .never)
            #expect(state.handle(event, at: 1) == cause)
            #expect(!state.isUnlocked)
            #expect(state.handle(event, at: 2) == nil)
        }
    }

    @Test("sleep locks only where it is to", arguments: [AutolockState.Mode.foreground, .idle])
    func sleep(mode: AutolockState.Mode) {
        var state = Self.unlocked(mode, .minutes(5), locksOnSleep: false)
        #expect(state.handle(.sleep, at: 1) == nil)
        #expect(state.isUnlocked)
    }

    @Test("the background begins the countdown once, and the foreground ends it")
    func countdown() {
        var state = Self.unlocked(.foreground, .minutes(5))
        #expect(state.deadline == nil)
        state.handle(.background, at: 1000)
        state.handle(.background, at: 2000)
        #expect(state.deadline == 301_000)
        state.handle(.access, at: 3000)
        #expect(state.deadline == 301_000)
        state.handle(.foreground, at: 4000)
        #expect(state.deadline == nil)
    }

    @Test("uses begin the countdown anew where there is no background")
    func idle() {
        var state = Self.unlocked(.idle, .minutes(1), at: 10)
        #expect(state.deadline == 60_010)
        state.handle(.timer, at: 20)
        state.handle(.foreground, at: 30)
        state.handle(.scopeEnd, at: 40)
        #expect(state.deadline == 60_010)
        state.handle(.background, at: 50)
        #expect(state.deadline == 60_050)
        state.handle(.access, at: 60)
        #expect(state.deadline == 60_060)
        #expect(state.handle(.access, at: 60_060) == .timeout)
        #expect(state.handle(.access, at: 60_061) == nil)
        #expect(!state.isUnlocked)
    }

    @Test("a scope can be used to its end where each use locks")
    func alwaysIdle() {
        var state = Self.unlocked(.idle, .always)
        #expect(state.handle(.access, at: 0) == nil)
        #expect(state.handle(.timer, at: 60_000) == nil)
        #expect(state.deadline == nil)
        #expect(state.handle(.scopeEnd, at: 60_001) == .scopeEnd)
    }

    @Test("the end of a use locks in no other setting")
    func scopeEnd() {
        for (mode, timeout) in [
            (AutolockState.Mode.foreground, AutolockTimeout.always), (.foreground, .minutes(1)), (.idle, .minutes(1)),
            (.idle, .never),
        ] {
            var state = Self.unlocked(mode, timeout)
            #expect(state.handle(.scopeEnd, at: 1) == nil)
            #expect(state.isUnlocked)
        }
    }

    @Test("a new setting counts from where the countdown began")
    func setting() {
        var state = Self.unlocked(.foreground, .minutes(60))
        state.handle(.background, at: 0)
        #expect(state.handle(.set(.minutes(5)), at: 299_999) == nil)
        #expect(state.deadline == 300_000)
        state.handle(.set(.minutes(10)), at: 299_999)
        #expect(state.deadline == 600_000)
        #expect(state.handle(.set(.minutes(5)), at: 300_000) == .timeout)
        #expect(state.timeout == .minutes(5))

        var fromNever = Self.unlocked(.foreground, .never)
        fromNever.handle(.background, at: 0)
        #expect(fromNever.deadline == nil)
        #expect(fromNever.handle(.set(.minutes(1)), at: 60_000) == .timeout)
    }

    @Test("a longer setting does not save what should be locked already")
    func lateSetting() {
        var state = Self.unlocked(.foreground, .minutes(5))
        state.handle(.background, at: 0)
        #expect(state.handle(.set(.minutes(60)), at: 300_000) == .timeout)
    }

    @Test("a setting is kept while locked")
    func settingWhileLocked() {
        var state = AutolockState(mode: .idle, timeout: .never)
        state.handle(.set(.minutes(2)), at: 0)
        #expect(!state.isUnlocked)
        state.handle(.unlock, at: 5)
        #expect(state.deadline == 120_005)
    }

    @Test("a clock that went back locks at any event but unlocking")
    func clockWentBack() {
        let events: [AutolockState.Event] = [
            .background, .foreground, .access, .scopeEnd, .timer, .resume, .set(.never), .sleep, .lock,
        ]
        for event in events {
            var state = Self.unlocked(.foreground, .never, at: 100)
            #expect(state.handle(event, at: 99) == .clockWentBack)
        }
        var state = Self.unlocked(.foreground, .never, at: 100)
        state.handle(.lock, at: 99)
        #expect(state.handle(.unlock, at: 50) == nil)
        #expect(state.isUnlocked)
        #expect(state.handle(.access, at: 60) == nil)
    }

    @Test("nothing keeps it open past a deadline, in any order of events", arguments: 0..<200)
    func randomEvents(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        let events: [AutolockState.Event] = [
            .unlock, .background, .foreground, .access, .scopeEnd, .timer, .resume, .set(.minutes(1)), .set(.never),
        ]
        var state = AutolockState(mode: seed % 2 == 0 ? .idle : .foreground, timeout: .minutes(2))
        var now: UInt64 = 0
        for _ in 0..<300 {
            now += random.next() % 100_000
            let deadline = state.deadline
            let event = events.randomElement(using: &random)!
            let cause = state.handle(event, at: now)
            if let deadline, now >= deadline, event != .unlock { #expect(cause == .timeout) }
            if let deadline = state.deadline { #expect(deadline > now) }
        }
    }

    @Test("timeouts and numbers stand for one another")
    func rawValues() {
        for (number, timeout) in [-1: AutolockTimeout.never, 0: .always, 1: .minutes(1), 10080: .minutes(10080)] {
            #expect(AutolockTimeout(rawValue: number) == timeout)
            #expect(timeout.rawValue == number)
            #expect(timeout.isAllowed)
        }
        #expect(AutolockTimeout(rawValue: -7) == .never)
        #expect(AutolockTimeout(rawValue: 10081) == nil)
        #expect(!AutolockTimeout.minutes(0).isAllowed && !AutolockTimeout.minutes(10081).isAllowed)
    }
}
