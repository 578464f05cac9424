import ForceFieldWire
import Testing

@testable import ForceField

@Suite("Callers that wait for their answers themselves")
struct LingeringTests {
    private static func call(patience: Duration? = nil, deadline: ContinuousClock.Instant? = nil) -> Call {
        var options = CallOptions()
        options.patience = patience
        return Call(
            Method<[UInt8], [UInt8]>("echo").signature, .unary(maxReply: 1), [], options, deadline: deadline,
            to: ReplyReceiver())
    }

    /// Whether each of as many calls may wait, with no one's wait over in between.
    private static func may(_ lingering: inout Lingering, _ calls: Call...) -> [Bool] {
        calls.map { lingering.begin(for: $0, at: .now) }
    }

    @Test("one does at a time")
    func oneAtATime() {
        var lingering = Lingering(Pace())
        let (first, second) = (Self.call(), Self.call())
        #expect(Self.may(&lingering, first, second) == [true, false])
        #expect(lingering.isActive(for: first))
        #expect(!lingering.isActive(for: second))
        first.end(.success([]))
        lingering.end()
        #expect(!lingering.isActive)
        #expect(Self.may(&lingering, second) == [true])
    }

    @Test("after one that was in vain, calls are left to the reactor until an answer comes soon")
    func pace() {
        let pace = Pace()
        var lingering = Lingering(pace)
        #expect(Self.may(&lingering, Self.call()) == [true])
        lingering.end()
        #expect(Self.may(&lingering, Self.call(), Self.call(), Self.call()) == [false, false, false])
        pace.note(answerAfter: Pace.quick + .nanoseconds(1))
        #expect(Self.may(&lingering, Self.call()) == [false])
        pace.note(answerAfter: Pace.quick)
        #expect(Self.may(&lingering, Self.call()) == [true])
    }

    @Test("the workers of a field have one pace")
    func shared() {
        let pace = Pace()
        var (one, other) = (Lingering(pace), Lingering(pace))
        #expect(Self.may(&one, Self.call()) == [true])
        #expect(Self.may(&other, Self.call()) == [true])
        one.end()
        other.end()
        var third = Lingering(pace)
        #expect(Self.may(&third, Self.call()) == [false])
    }

    @Test("whose time is over sooner than the wait does not wait")
    func deadline() {
        var lingering = Lingering(Pace())
        let wait = Duration.nanoseconds(Lingering.nanoseconds)
        let now = ContinuousClock.now
        let sooner = lingering.begin(for: Self.call(deadline: now + wait - .nanoseconds(1)), at: now)
        let later = lingering.begin(for: Self.call(deadline: now + wait), at: now)
        #expect(!sooner)
        #expect(later)
    }

    @Test("who has patience waits all the same, and who has none does not")
    func patience() {
        var lingering = Lingering(Pace())
        #expect(Self.may(&lingering, Self.call()) == [true])
        lingering.end()
        #expect(Self.may(&lingering, Self.call(patience: .seconds(1))) == [true])
        #expect(!Self.call(patience: .zero).mayLinger)
        #expect(Self.call().mayLinger)
    }
}
