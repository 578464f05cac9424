import AppAttest
import NIOCore
import TestSupport
import Testing

@testable import Gate

@Suite("Limits")
struct LimitTests {
    private let second: UInt64 = 1_000_000_000
    private let client = ClientKey(IPAddress(v4: 1))

    @Test("in no window pass more than the limit and one bucket's share")
    func errorBound() throws {
        var random = SplitMix64(state: 4)
        for limit in [1, 5, 30] {
            var limiter = RateLimiter(RateLimit(count: limit, window: .seconds(60)))
            var passed: [UInt64] = []
            var now: UInt64 = 7 * second
            for _ in 0..<20_000 {
                now += UInt64.random(in: 0..<(4 * second / UInt64(limit)), using: &random)
                let told = limiter.wait(of: client, at: now)
                let wait = limiter.take(client, at: now)
                #expect(told == wait, "to ask counts nothing")
                if wait == nil { passed.append(now) }
            }
            for (index, start) in passed.enumerated() {
                let inWindow = passed[index...].prefix { $0 - start < 60 * second }.count
                #expect(inWindow <= 2 * limit)
            }
            let span = Double(now) / Double(60 * second)
            #expect(Double(passed.count) <= Double(limit) * (span + 1))
            #expect(Double(passed.count) >= Double(limit) * span * 0.45)
        }
    }

    @Test("who keeps below the limit is never refused, and one who waits as told passes")
    func fairness() throws {
        var limiter = RateLimiter(RateLimit(count: 10, window: .seconds(10)))
        for step in UInt64(0)..<1_000 { #expect(limiter.take(client, at: step * (second + second / 5)) == nil) }
        var now: UInt64 = 100_000 * second
        for _ in 0..<200 {
            guard let wait = limiter.take(client, at: now) else { continue }
            #expect(wait >= .seconds(1) && wait <= .seconds(20))
            now += UInt64(wait.wholeSeconds) * second
            #expect(limiter.take(client, at: now) == nil)
        }
    }

    @Test("of more clients than the table holds the oldest are forgotten")
    func bounded() {
        var limiter = RateLimiter(RateLimit(count: 1, window: .seconds(60)), maximumClients: 100)
        #expect(limiter.take(client, at: 0) == nil && limiter.take(client, at: 0) != nil)
        for number in UInt32(2)...100 { #expect(limiter.take(ClientKey(IPAddress(v4: number)), at: 0) == nil) }
        #expect(limiter.take(client, at: 0) != nil)
        for number in UInt32(200)..<299 { #expect(limiter.take(ClientKey(IPAddress(v4: number)), at: 0) == nil) }
        #expect(limiter.clients == 100)
        #expect(limiter.take(client, at: 0) != nil, "the one that asked last stayed")
        #expect(limiter.take(ClientKey(IPAddress(v4: 2)), at: 0) == nil, "the oldest was forgotten")
    }

    @Test("a table is what a plain list of the most recent keys is")
    func table() {
        var random = SplitMix64(state: 8)
        var table = RecentTable<Int, Int>(capacity: 7)
        var model: [(key: Int, value: Int)] = []
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<12, using: &random)
            let found = table.update(key, default: 0) { value in
                value += 1
                return value
            }
            let old = model.first { $0.key == key }?.value ?? 0
            model.removeAll { $0.key == key }
            model.append((key, old + 1))
            if model.count > 7 { model.removeFirst() }
            #expect(found == old + 1)
        }
        #expect(table.count == 7)
    }

    @Test("flooding addresses leave the tables at their bound")
    func flood() {
        var limiter = RateLimiter(RateLimit(count: 30, window: .seconds(60)))
        for number in UInt32(0)..<100_000 { _ = limiter.take(ClientKey(IPAddress(v4: number)), at: 0) }
        #expect(limiter.clients == RateLimiter.maximumClients)
    }

    @Test("ten seconds over the limit on end close; a pause in between does not")
    func messages() {
        var rate = MessageRate(5)
        var now = 100 * second
        for round in 1...9 {
            let verdict = rate.count(6, at: now)
            #expect(verdict != .within && verdict != .close, "\(round)")
            now += second
        }
        // Nor does a silence that makes up for what is owed.
        var patient = rate
        #expect(patient.count(6, at: now + 4 * second) != .close)
        #expect(rate.count(6, at: now) == .close)
        // Who sends just the limit, and once one more, stays; and so does what stood still on its way for ten seconds.
        var steady = MessageRate(10)
        #expect(steady.count(11, at: now) != .close)
        for turn in 1...60 { #expect(steady.count(10, at: now + UInt64(turn) * second) != .close) }
        #expect(steady.count(100, at: now + 71 * second) != .close)
        var off = MessageRate(0)
        #expect(off.count(1_000_000, at: 0) == .within)
    }

    @Test("what is over the limit is owed, and made up for before more may come; ten seconds of it close")
    func owedMessages() {
        let start = 100 * second
        func pause(_ seconds: UInt64) -> MessageRate.Verdict {
            .pause(until: .uptimeNanoseconds(start + seconds * second))
        }
        var rate = MessageRate(10)
        #expect(rate.count(89, at: start + 5) == pause(8))
        // Nine are owed still.
        var patient = rate
        #expect(patient.count(at: start + 8 * second) == .within)
        #expect(patient.count(at: start + 8 * second) == pause(9))
        // Seconds in which nothing came are over as long as more than a second's messages are owed.
        var hasty = rate
        #expect(hasty.count(at: start + 7 * second) == pause(9))
        #expect(hasty.count(at: start + 8 * second) == pause(9))
        #expect(hasty.count(10, at: start + 9 * second) == .close)
        // A silence that makes up for all of it is forgotten.
        #expect(rate.count(99, at: start + 20 * second) == pause(29))
        // A flood closes at once; who only counts in the same rate waits, and not for longer than that.
        var flood = MessageRate(10)
        #expect(flood.count(9_000, at: start) == .close)
        #expect(flood.count(at: start + second) == pause(10))
    }

    @Test("who is new was not silent, and asking what would be said counts nothing")
    func newcomers() {
        let start = NIODeadline.uptimeNanoseconds(100 * second)
        var rate = MessageRate(10, from: start)
        #expect(rate.verdict(on: 100, at: start) == .close && rate.verdict(on: 99, at: start) != .close)
        #expect(rate.verdict(on: 100, at: start + .seconds(5)) != .close)
        #expect(rate.count(10, at: start) == .within)
        let shared = SharedMessageRate(10)
        #expect(shared.verdict(on: 1_000, at: start) == .close && shared.count(10, at: start) == .within)
        #expect(MessageRate.mostAtOnce(0) == nil && MessageRate.mostAtOnce(10) == 100)
    }

    @Test("whoever waits as told passes no more than the limit a second, however much comes at once")
    func averageMessages() {
        var random = SplitMix64(state: 6)
        var rate = MessageRate(10)
        var now: UInt64 = 0
        var passed = 0
        for _ in 0..<5_000 {
            let messages = Int.random(in: 1..<90, using: &random)
            passed += messages
            switch rate.count(messages, at: now) {
            case .within: now += .random(in: 0..<second, using: &random)
            case .pause(let until): now = until.uptimeNanoseconds
            case .close: now += 10 * second
            }
            #expect(passed <= 10 * (Int(now / second) + 1))
        }
    }

    @Test("connections of one client share their messages")
    func sharedMessages() throws {
        let caps = ConnectionCaps(.init(total: 9, perClient: 9, perKey: 9, messagesPerClient: 2))
        let (first, second) = (try caps.admit(client, nil), try caps.admit(client, nil))
        let other = try caps.admit(ClientKey(IPAddress(v4: 2)), nil)
        #expect(first.messages?.count(2, at: 5) == .within && second.messages?.count(at: 5) != .within)
        #expect(other.messages?.count(at: 5) == .within)
        #expect(throws: ConnectionCaps.Refused.perKey) {
            let caps = ConnectionCaps(.init(total: 9, perClient: 9, perKey: 1))
            let lease = try caps.admit(client, .zero)
            try withExtendedLifetime(lease) { _ = try caps.admit(ClientKey(IPAddress(v4: 2)), .zero) }
        }
    }
}
