import ForceFieldWire
import Testing

@testable import ForceField

@Suite("Callers that wait for their answers themselves")
struct LingeringTests {
    private static func call(patience: Duration? = nil) -> Call {
        var options = CallOptions()
        options.patience = patience
        return Call(
            Method<[UInt8], [UInt8]>("echo").signature, .unary(maxReply: 1), [], options, deadline: nil,
            to: ReplyReceiver())
    }

    /// Whether each of as many calls may wait, with no one's wait over in between.
    private static func may(_ lingering: inout Lingering, _ calls: Call...) -> [Bool] {
        calls.map { lingering.begin(for: $0) }
    }

    @Test("one does at a time")
    func oneAtATime() {
        var lingering = Lingering()
        let (first, second) = (Self.call(), Self.call())
        #expect(Self.may(&lingering, first, second) == [true, false])
        #expect(lingering.isActive(for: first))
        #expect(!lingering.isActive(for: second))
        first.end(.success([]))
        lingering.end()
        #expect(!lingering.isActive)
        #expect(Self.may(&lingering, second) == [true])
    }

    @Test("after one that was in vain, two calls are left to the reactor")
    func pause() {
        var lingering = Lingering()
        #expect(Self.may(&lingering, Self.call()) == [true])
        lingering.end()
        #expect(Self.may(&lingering, Self.call(), Self.call(), Self.call()) == [false, false, true])
    }

    @Test("who has patience waits all the same, and who has none does not")
    func patience() {
        var lingering = Lingering()
        #expect(Self.may(&lingering, Self.call()) == [true])
        lingering.end()
        #expect(Self.may(&lingering, Self.call(patience: .seconds(1))) == [true])
        #expect(!Self.call(patience: .zero).mayLinger)
        #expect(Self.call().mayLinger)
    }
}
