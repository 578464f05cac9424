import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

/// Names of connections that had to end, in their order.
private final class Ended: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
}

/// Source: `vigil` section 7.8.
@Suite("Places of a validator")
struct AdmissionTests {
    private let start = SuspendingClock().now
    private let ended = Ended()

    private func admission(_ change: (inout ValidatorPolicy.Limits) -> Void = { _ in }) -> Admission {
        var limits = ValidatorPolicy.Limits()
        limits.handshakesPerSecond = 1000
        change(&limits)
        return Admission(limits)
    }

    /// A connection that has been challenged and says nothing.
    private func idle(_ name: String, of user: UInt32, in admission: Admission) throws -> Admission.Place {
        let entered = admission.enter(user, at: start) { [ended] in ended.add(name) }
        let place = try #require(entered)
        admission.answered(place, isSession: false)
        return place
    }

    private func enters(_ admission: Admission, _ user: UInt32, after time: Duration = .zero) -> Bool {
        admission.enter(user, at: start.advanced(by: time), end: {}) != nil
    }

    private var names: [String] { ended.names }

    @Test("the oldest of a user that says nothing goes for a new one, and nobody else's")
    func oldest() throws {
        let admission = admission { $0.halfOpenOfUser = 2 }
        _ = try idle("other", of: 2, in: admission)
        _ = try idle("first", of: 1, in: admission)
        _ = try idle("second", of: 1, in: admission)
        #expect(names.isEmpty)
        _ = try idle("third", of: 1, in: admission)
        #expect(names == ["first"])
        _ = try idle("fourth", of: 1, in: admission)
        #expect(names == ["first", "second"])
    }

    @Test("what comes over a connection that had to go is not answered any more")
    func late() throws {
        let admission = admission { $0.halfOpenOfUser = 1 }
        let first = try idle("first", of: 1, in: admission)
        _ = try idle("second", of: 1, in: admission)
        #expect(!admission.answering(first))
    }

    @Test("what is being answered and what is a session stay; then a new one waits")
    func kept() throws {
        let admission = admission {
            $0.halfOpenOfUser = 2
            $0.connectionsOfUser = 3
        }
        let session = try idle("session", of: 1, in: admission)
        admission.answered(session, isSession: true)
        let first = try idle("first", of: 1, in: admission)
        let second = try idle("second", of: 1, in: admission)
        #expect(admission.answering(first) && admission.answering(second))
        #expect(!enters(admission, 1))
        admission.answered(second, isSession: true)
        // Two sessions and one that is answered: its share.
        #expect(!enters(admission, 1))
        admission.leave(session)
        #expect(enters(admission, 1))
        #expect(names.isEmpty)
    }

    @Test("where all places are taken, one of the user goes who has the most that say nothing")
    func busiest() throws {
        let admission = admission { $0.connections = 4 }
        _ = try idle("first of one", of: 1, in: admission)
        for number in 1...3 { _ = try idle("\(number) of two", of: 2, in: admission) }
        _ = try idle("three", of: 3, in: admission)
        #expect(names == ["1 of two"])
        #expect(enters(admission, 3) && names == ["1 of two", "2 of two"])
    }

    @Test("whoever left gives a place back, and a connection that had to go gives none back twice")
    func leaving() throws {
        let admission = admission {
            $0.halfOpenOfUser = 1
            $0.connections = 1
        }
        let first = try idle("first", of: 1, in: admission)
        let second = try idle("second", of: 1, in: admission)
        admission.leave(first)
        _ = try idle("third", of: 2, in: admission)
        #expect(names == ["first", "second"])
        admission.leave(second)
        admission.leave(second)
    }

    @Test("of refused connections ten of a user are told of at once and one a second, with how many were not")
    func refused() {
        let refused = RefusedConnections()
        let told = (0..<200).map { _ in refused.tell(1, at: start) }
        #expect(told == Array(repeating: 0, count: 10) + Array(repeating: nil, count: 190))
        #expect(refused.tell(2, at: start) == 0)
        #expect(refused.tell(1, at: start.advanced(by: .milliseconds(999))) == nil)
        #expect(refused.tell(1, at: start.advanced(by: .seconds(1))) == 191)
        #expect(refused.tell(1, at: start.advanced(by: .seconds(1))) == nil)
        // Users of namespaces, as many as there are numbers, are counted together.
        let crowd = (1000..<70_000).count { refused.tell($0, at: start) != nil }
        #expect(crowd == 62 + 10)
    }

    @Test("who knocks takes no place, and only so many of a user knock at once")
    func pending() {
        let admission = admission { $0.pendingOfUser = 2 }
        #expect(
            admission.admitPending(1) && admission.admitPending(1) && !admission.admitPending(1)
                && admission.admitPending(2))
        admission.endPending(1)
        #expect(admission.admitPending(1))
    }

    @Test("only so many handshakes of a user begin within a second")
    func rate() {
        let admission = admission { $0.handshakesPerSecond = 2 }
        #expect(enters(admission, 1) && enters(admission, 1))
        #expect(!enters(admission, 1) && enters(admission, 2))
        #expect(enters(admission, 1, after: .seconds(1)))
    }
}
