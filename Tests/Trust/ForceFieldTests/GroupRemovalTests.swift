import Synchronization
import Testing

@testable import ForceField

@Suite("The removal of control groups", .timeLimit(.minutes(30)))
struct GroupRemovalTests {
    @Test("who has none pending does not wait for those of others")
    func others() async {
        let removal = GroupRemoval(patience: .seconds(3_600))
        let isFree = Atomic(false)
        let (stuck, other) = (PendingGroups(), PendingGroups())
        await withTaskGroup(of: Void.self) { tasks in
            removal.remove(of: stuck) { isFree.load(ordering: .relaxed) }
            tasks.addTask { await stuck.finish() }
            removal.remove(of: other) { true }
            await other.finish()
            await PendingGroups().finish()
            isFree.store(true, ordering: .relaxed)
        }
    }

    @Test("a group that stays busy keeps its owner for a while only, and is tried on")
    func patience() async {
        let removal = GroupRemoval(patience: .milliseconds(20))
        let isFree = Atomic(false)
        let (gone, removed) = AsyncStream<Void>.makeStream()
        let owner = PendingGroups()
        removal.remove(of: owner) {
            guard isFree.load(ordering: .relaxed) else { return false }
            removed.yield()
            return true
        }
        await owner.finish()
        isFree.store(true, ordering: .relaxed)
        var iterator = gone.makeAsyncIterator()
        await iterator.next()
    }

    @Test("one that is never free is given up")
    func limit() async {
        let removal = GroupRemoval(limit: .milliseconds(20), patience: .seconds(3_600))
        let owner = PendingGroups()
        let tries = Atomic(0)
        removal.remove(of: owner) {
            tries.add(1, ordering: .relaxed)
            return false
        }
        await owner.finish()
        #expect(tries.load(ordering: .relaxed) > 0)
    }
}
