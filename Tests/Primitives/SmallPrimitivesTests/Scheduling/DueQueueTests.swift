import TestSupport
import Testing

@testable import Scheduling

@Suite("What is due")
struct DueQueueTests {
    @Test("comes in order of its times, and what has one time in the order in which it was added")
    func order() {
        var queue = DueQueue<Int, Int>()
        var random = SplitMix64(state: 3)
        let instants = (0..<1_000).map { _ in Int.random(in: 0..<100, using: &random) }
        for (number, instant) in instants.enumerated() { queue.add(number, at: instant) }
        #expect(queue.count == 1_000 && queue.next?.instant == instants.min())
        var taken: [Int] = []
        while let number = queue.takeNext() { taken.append(number) }
        #expect(taken == (0..<1_000).sorted { (instants[$0], $0) < (instants[$1], $1) })
        #expect(queue.isEmpty && queue.next == nil && queue.takeNext() == nil)
    }

    @Test("is not taken before its time")
    func due() {
        var queue = DueQueue<Int, String>()
        queue.add("late", at: 10)
        queue.add("early", at: 5)
        #expect(queue.takeNext(dueAt: 4) == nil)
        #expect(queue.takeNext(dueAt: 5) == "early")
        #expect(queue.takeNext(dueAt: 9) == nil && queue.count == 1)
        #expect(queue.next.map { $0 == (10, "late") } == true)
    }

    @Test("stays in order while more is added")
    func mixed() {
        var queue = DueQueue<Int, Int>()
        var waiting: [Int] = []
        var random = SplitMix64(state: 4)
        for _ in 0..<5_000 {
            if Bool.random(using: &random) {
                let number = Int.random(in: 0..<50, using: &random)
                queue.add(number, at: number)
                waiting.append(number)
            } else if let least = waiting.min() {
                #expect(queue.takeNext() == least)
                waiting.remove(at: waiting.firstIndex(of: least) ?? 0)
            }
        }
        #expect(queue.count == waiting.count)
    }
}
