import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Gate

@Suite("Saving a JSON file")
struct SavingTests {
    @Test("changes are due two seconds after the last, and ten after the first")
    func schedule() {
        var schedule = SaveSchedule()
        #expect(schedule.due == nil)
        schedule.changed(at: .seconds(100))
        #expect(schedule.due == .seconds(102))
        for second in 101..<120 { schedule.changed(at: .seconds(second)) }
        #expect(schedule.due == .seconds(110))
        var later = SaveSchedule()
        later.changed(at: .seconds(119))
        later.failed(schedule)
        #expect(later.due == .seconds(110))
    }

    /// A store with one key, and how often its file has been written.
    private func withStore(_ body: (JSONKeyStore, ManualTimer, Counter) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let counter = Counter()
        let file = try KeyFile(folder.path("keys.json")) { if $0 == .settled { counter.increment() } }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: timer)
        _ = try await store.insertIfAbsent(Keys.key(0))
        try await body(store, timer, counter)
        await store.close()
    }

    final class Counter: Sendable {
        private let value = Atomic(0)
        func increment() { value.add(1, ordering: .relaxed) }
        var count: Int { value.load(ordering: .relaxed) }
    }

    @Test("counters are saved together, after a while")
    func debounce() async throws {
        try await withStore { (store, timer, saves) async throws in
            #expect(saves.count == 1)
            for counter in 1...9 as ClosedRange<UInt32> {
                #expect(try store.advance(Keys.id(0), to: counter, facts: .init(), now: Keys.time) == .advanced)
                timer.pass(.milliseconds(1_500))
                await store.settle()
                // Never two quiet seconds; at 10 s the first save.
                #expect(saves.count == (counter < 7 ? 1 : 2))
            }
            timer.pass(.seconds(2))
            await store.settle()
            #expect(saves.count == 3)
            timer.pass(.seconds(60))
            await store.settle()
            #expect(saves.count == 3 && timer.countOfWaiting == 0)
        }
    }

    @Test("registrations that come together share a save")
    func groupCommit() async throws {
        let folder = try TemporaryFolder()
        let latch = Latch()
        let saves = Counter()
        let file = try KeyFile(folder.path("keys.json")) { step in
            if step == .created { latch.pass() }
            if step == .settled { saves.increment() }
        }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: ManualTimer())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try await store.insertIfAbsent(Keys.key(number)) }
            }
            // The first save is held until all have come.
            while store.countOfComing < 200 { await Task.yield() }
            latch.open()
            try await group.waitForAll()
        }
        // One, if all came before it began.
        #expect(1...2 ~= saves.count && store.count() == 200)
        await store.close()
    }

    @Test("a key is not there for anybody before it is on the disk")
    func invisible() async throws {
        let folder = try TemporaryFolder()
        let latch = Latch()
        let file = try KeyFile(folder.path("keys.json")) { if $0 == .renamed { latch.pass() } }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: ManualTimer())
        let first = Task { try await store.insertIfAbsent(Keys.key(1)) }
        while store.countOfComing < 1 { await Task.yield() }
        let second = Task { try await store.insertIfAbsent(Keys.fullKey(1)) }
        #expect(store.key(Keys.id(1)) == nil)
        latch.open()
        #expect(try await first.value == .inserted)
        #expect(try await second.value == .exists(Keys.key(1)))
        await store.close()
    }

    @Test("a revocation that somebody writes into the file counts, and is not overwritten")
    func foreignRevocation() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let path = folder.path("keys.json")
        let store = try JSONKeyStore(path: path, now: Keys.time, timer: timer)
        for number in 1...2 { _ = try await store.insertIfAbsent(Keys.key(number)) }
        func write(revoked number: Int) throws {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let name = #""\#(Keys.id(number).base64)": {"#
            let mark = #" "revokedAt": "2026-02-17T00:00:00.000Z", "revokedReason": "by hand","#
            try text.replacing(name, with: name + mark).write(toFile: path, atomically: true, encoding: .utf8)
        }
        let ids = [Keys.id(1), Keys.id(2)]
        try write(revoked: 1)
        #expect(try await store.withdrawn(of: ids) == [Keys.id(1)])
        #expect(store.key(Keys.id(1))?.revocation?.reason == "by hand")
        // Half of a file is looked at again when it is whole.
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        try String(whole.prefix(whole.count / 2)).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try await store.withdrawn(of: ids) == [Keys.id(1)])
        try whole.write(toFile: path, atomically: true, encoding: .utf8)
        try write(revoked: 2)
        // A save that comes before anybody asks takes it over too.
        _ = try await store.insertIfAbsent(Keys.key(3))
        #expect(store.key(Keys.id(2))?.revocation != nil)
        await store.close()
        let again = try JSONKeyStore(path: path, now: Keys.time, timer: timer)
        #expect(again.opening.keys == 3 && again.opening.skipped == 0)
        #expect(ids.allSatisfy { again.key($0)?.revocation != nil } && again.key(Keys.id(3))?.revocation == nil)
        await again.close()
    }

    @Test("a disk that takes nothing, and then something, is found out without anybody who wants to write")
    func outageWithoutChanges() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let store = try JSONKeyStore(path: folder.path("keys.json"), now: Keys.time, timer: timer)
        try folder.write("", to: ".keys.json.saving")
        await #expect(throws: StoreError.self) { try await store.insertIfAbsent(Keys.key(1)) }
        #expect(throws: StoreError.self) { try store.check() }
        #expect(folder.remove(".keys.json.saving"))
        timer.pass(.seconds(2))
        await store.settle()
        timer.pass(.seconds(2))
        await store.settle()
        try store.check()
        await store.close()
    }

    @Test("a disk that does not answer is as good as none: counters stop, and revocations in the file still count")
    func hangingDisk() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let latch = Latch()
        let hangs = Atomic(false)
        let path = folder.path("keys.json")
        let file = try KeyFile(path) { if $0 == .written, hangs.load(ordering: .relaxed) { latch.pass() } }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: timer)
        for number in 1...2 { _ = try await store.insertIfAbsent(Keys.key(number)) }
        hangs.store(true, ordering: .relaxed)
        func advance(_ counter: UInt32) throws -> CounterAdvance {
            try store.advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time)
        }
        #expect(try advance(1) == .advanced)
        timer.pass(.seconds(2))
        while !store.isSaving { await Task.yield() }
        timer.pass(.seconds(9))
        #expect(try advance(2) == .advanced)
        try store.check()
        timer.pass(.seconds(1))
        #expect(throws: StoreError.self) { try advance(3) }
        #expect(throws: StoreError.self) { try store.check() }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let name = #""\#(Keys.id(2).base64)": {"#
        try text.replacing(name, with: name + #" "revokedAt": "2026-02-17T00:00:00.000Z","#)
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await store.withdrawn(of: [Keys.id(1), Keys.id(2)]) == [Keys.id(2)])
        latch.open()
        await store.settle()
        try store.check()
        #expect(try advance(3) == .advanced)
        await store.close()
    }

    @Test("a registration that the disk does not answer to shows in the readiness")
    func hangingRegistration() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let latch = Latch()
        let file = try KeyFile(folder.path("keys.json")) { if $0 == .written { latch.pass() } }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: timer)
        let insertion = Task { try await store.insertIfAbsent(Keys.key(1)) }
        while !store.isSaving { await Task.yield() }
        try store.check()
        timer.pass(.seconds(12))
        #expect(throws: StoreError.self) { try store.check() }
        latch.open()
        #expect(try await insertion.value == .inserted)
        try store.check()
        await store.close()
    }

    @Test("who comes with a binding that another one made waits for the disk as well, and is refused with it")
    func bindingOfAnother() async throws {
        let folder = try TemporaryFolder()
        let latch = Latch()
        let hangs = Atomic(false)
        let path = folder.path("keys.json")
        let file = try KeyFile(path) { if $0 == .written, hangs.load(ordering: .relaxed) { latch.pass() } }
        let store = try JSONKeyStore(file, .init(), now: Keys.time, timer: ManualTimer())
        for number in 1...2 { _ = try await store.insertIfAbsent(Keys.key(number)) }
        let accounts = try (1...2).map { try #require(AccountTag(bytes: [UInt8](repeating: $0, count: 32))) }
        let (account, other) = (accounts[0], Keys.id(2))
        _ = try await store.bind(other, to: account)
        hangs.store(true, ordering: .relaxed)
        let isIn = Atomic(false)
        let bind = { @Sendable in
            let binding = try await store.bind(Keys.id(1), to: account)
            isIn.store(true, ordering: .relaxed)
            return binding
        }
        let first = Task { try await bind() }
        while !store.isSaving { await Task.yield() }
        let second = Task { try await bind() }
        while store.countOfWaiting < 1 { await Task.yield() }
        // Nobody else waits for that.
        #expect(try await store.bind(other, to: account) == .bound)
        let isEarly = isIn.load(ordering: .relaxed)
        #expect(!isEarly)
        latch.open()
        #expect(try await first.value == .bound)
        #expect(try await second.value == .bound)
        // What is no folder in the place of the private folder: the disk takes nothing.
        let place = ".keys.json.saving"
        #expect(folder.remove(place))
        try folder.write("", to: place)
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await store.bind(Keys.id(1), to: accounts[1]) }
        }
        #expect(try await store.bind(other, to: account) == .bound)
        #expect(folder.remove(place))
        #expect(try await store.bind(Keys.id(1), to: accounts[1]) == .bound)
        await store.close()
    }

    @Test("a disk that takes nothing refuses keys, and after ten seconds counters; then all is well again")
    func outage() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let store = try JSONKeyStore(path: folder.path("keys.json"), now: Keys.time, timer: timer)
        _ = try await store.insertIfAbsent(Keys.key(1))
        // What is no folder in the place of the private folder.
        let place = ".keys.json.saving"
        #expect(folder.remove(place))
        try folder.write("", to: place)
        await #expect(throws: StoreError.self) { try await store.insertIfAbsent(Keys.key(2)) }
        #expect(store.key(Keys.id(2)) == nil && store.count() == 1)
        #expect(throws: StoreError.self) { try store.check() }
        await #expect(throws: StoreError.self) { try await store.revoke(Keys.id(1), Revocation(at: 1, reason: "")) }
        #expect(store.key(Keys.id(1))?.revocation != nil)
        timer.pass(.seconds(9))
        await store.settle()
        #expect(try store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time) == .revoked)
        timer.pass(.seconds(2))
        await store.settle()
        #expect(throws: StoreError.self) { try store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time) }
        #expect(folder.remove(place))
        timer.pass(.seconds(2))
        await store.settle()
        try store.check()
        #expect(try store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time) == .revoked)
        #expect(try await store.insertIfAbsent(Keys.key(2)) == .inserted)
        await store.close()
    }
}

/// Holds a thread of the store, never one of the tests', until it is opened.
private final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}

extension JSONKeyStore {
    /// How many keys wait for the disk.
    fileprivate var countOfComing: Int { state.withLock { $0.arriving.count + $0.landing.count } }

    /// How many changes wait for the next save.
    fileprivate var countOfWaiting: Int { state.withLock(\.waiting.count) }

    fileprivate var isSaving: Bool { state.withLock(\.isSaving) }

    /// Waits until what was begun is done.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
