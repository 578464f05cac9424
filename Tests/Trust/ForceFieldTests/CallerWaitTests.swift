import ForceFieldWire
import Scheduling
import Testing

@testable import ForceField

@Suite("Callers that wait for their answers themselves")
struct CallerWaitTests {
    private static func call(patience: Duration? = nil, deadline: SteadyInstant? = nil) -> Call {
        var options = CallOptions()
        options.patience = patience
        return Call(
            Method<[UInt8], [UInt8]>("echo").signature, .unary(maxReply: 1), body: [], options: options,
            deadline: deadline,
            to: ReplyReceiver())
    }

    /// Whether each of as many calls may wait, with no one's wait over in between.
    private static func may(_ callerWait: inout CallerWait, _ calls: Call...) -> [Bool] {
        calls.map { callerWait.begin(for: $0, at: .now) }
    }

    @Test("one does at a time")
    func oneAtATime() {
        var callerWait = CallerWait(Pace())
        let (first, second) = (Self.call(), Self.call())
        #expect(Self.may(&callerWait, first, second) == [true, false])
        #expect(callerWait.isActive(for: first))
        #expect(!callerWait.isActive(for: second))
        first.end(.success([]))
        callerWait.end()
        #expect(!callerWait.isActive)
        #expect(Self.may(&callerWait, second) == [true])
    }

    @Test("after one that was in vain, calls are left to the reactor until an answer comes soon")
    func pace() {
        let pace = Pace()
        var callerWait = CallerWait(pace)
        #expect(Self.may(&callerWait, Self.call()) == [true])
        callerWait.end()
        #expect(Self.may(&callerWait, Self.call(), Self.call(), Self.call()) == [false, false, false])
        pace.note(answerAfter: Pace.quick + .nanoseconds(1))
        #expect(Self.may(&callerWait, Self.call()) == [false])
        pace.note(answerAfter: Pace.quick)
        #expect(Self.may(&callerWait, Self.call()) == [true])
    }

    @Test("who takes its answer has not waited in vain, although it is told later")
    func answer() {
        var callerWait = CallerWait(Pace())
        #expect(Self.may(&callerWait, Self.call()) == [true])
        callerWait.endWithAnswer()
        #expect(!callerWait.isActive)
        #expect(Self.may(&callerWait, Self.call()) == [true])
    }

    @Test("the workers of a field have one pace")
    func shared() {
        let pace = Pace()
        var (one, other) = (CallerWait(pace), CallerWait(pace))
        #expect(Self.may(&one, Self.call()) == [true])
        #expect(Self.may(&other, Self.call()) == [true])
        one.end()
        other.end()
        var third = CallerWait(pace)
        #expect(Self.may(&third, Self.call()) == [false])
    }

    @Test("whose time is over sooner than the wait does not wait")
    func deadline() {
        var callerWait = CallerWait(Pace())
        let wait = CallerWait.pause
        let now = SteadyInstant.now
        let sooner = callerWait.begin(for: Self.call(deadline: now + wait - .nanoseconds(1)), at: now)
        let later = callerWait.begin(for: Self.call(deadline: now + wait), at: now)
        #expect(!sooner)
        #expect(later)
    }

    @Test("who has patience waits all the same, and who has none does not")
    func patience() {
        var callerWait = CallerWait(Pace())
        #expect(Self.may(&callerWait, Self.call()) == [true])
        callerWait.end()
        #expect(Self.may(&callerWait, Self.call(patience: .seconds(1))) == [true])
        #expect(!Self.call(patience: .zero).mayWait)
        #expect(Self.call().mayWait)
    }
}
