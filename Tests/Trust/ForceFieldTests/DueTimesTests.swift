import Scheduling
import Testing

@testable import ForceField

@Suite("Times at which sources are due")
struct DueTimesTests {
    private let start = SteadyInstant.now

    @Test("come in order, one for each source, the earliest that was said")
    func order() {
        var times = DueTimes()
        let areFirst = [
            times.insert(1, at: start + .seconds(5)), times.insert(2, at: start + .seconds(6)),
            times.insert(2, at: start + .seconds(3)), times.insert(2, at: start + .seconds(9)),
        ]
        #expect(areFirst == [true, false, true, false])
        #expect(times.takeDue(at: start + .seconds(4)) == [2])
        #expect(times.takeDue(at: start + .seconds(10)) == [1])
        #expect(times.next == nil)
    }

    @Test("of a source that is gone never come")
    func removal() {
        var times = DueTimes()
        _ = times.insert(1, at: start)
        times.remove(1)
        #expect(times.takeDue(at: start + .seconds(1)) == [])
        #expect(times.next == nil)
    }

    @Test("of many sources come sorted")
    func many() {
        var times = DueTimes()
        for id in (0..<1_000 as Range<UInt64>).shuffled() { _ = times.insert(id, at: start + .milliseconds(Int(id))) }
        #expect(times.takeDue(at: start + .seconds(1)) == Array(0..<1_000))
    }
}
