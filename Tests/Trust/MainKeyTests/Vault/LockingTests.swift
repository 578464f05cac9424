import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MainKey

@Suite("Locking while something else is under way", .timeLimit(.minutes(30)))
struct LockingTests {
    private let folder: VaultFolder

    init() throws {
        folder = try VaultFolder()
        _ = try folder.make()
    }

    /// Opens the vault with the patience for a lock that is held until this test gets its turn among all others.
    private func open(_ mode: AutolockMode = .idle) throws -> MainKeyVault {
        var options = OpenOptions()
        options.autolockMode = mode
        options.lockTimeout = .seconds(3600)
        return try Unwatched.open(at: folder.path, options)
    }

    /// Unlocks on a thread of its own, does something in the middle, and tells how it ended.
    private func unlock(_ vault: MainKeyVault, _ meanwhile: () -> Void) async throws -> String {
        var held: HeldLock? = try HeldLock(.exclusive, of: vault.store.directory, patience: .seconds(10))
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue.global().async {
            continuation.yield(code { try vault.unlock(.pin(VaultFolder.pin())) })
        }
        while vault.state != .unlocking { await Task.yield() }
        meanwhile()
        held = nil
        _ = held
        return await results.first { _ in true } ?? "nothing"
    }

    @Test("a lock that is asked for while it is being unlocked wins, and the next unlocking succeeds")
    func requests() async throws {
        let vault = try open()
        let requests: [() -> Void] = [
            { vault.lock() }, { vault.memory.note(.systemLock) }, { vault.memory.note(.sleep) },
        ]
        for request in requests {
            #expect(try await unlock(vault, request) == "locked")
            #expect(vault.state == .locked)
            #expect(code { _ = try vault.seal("x") } == "locked")
        }
        #expect(try await unlock(vault) {} == "ok")
        #expect(vault.state == .unlocked)
    }

    @Test("events are told in the order in which they came about, also where the first is posted last")
    func order() async {
        let hub = EventHub()
        var told = hub.stream(startingWith: { nil }).makeAsyncIterator()
        let (first, second) = (hub.takePlace(), hub.takePlace())
        hub.post(.removedMainKeyFromMemory(.explicit), at: second)
        hub.post(.memoryNotLocked)
        hub.post(.obtainedMainKey, at: first)
        var all: [MainKeyEvent?] = []
        for _ in 0..<3 { all.append(await told.next()) }
        #expect(all == [.obtainedMainKey, .removedMainKeyFromMemory(.explicit), .memoryNotLocked])
    }

    @Test("of a vault that is locked while it is being opened again and again, each lock is told behind its opening")
    func turns() async throws {
        let vault = try open()
        let isOver = Atomic(false)
        let locker = Thread {
            while !isOver.load(ordering: .relaxed) { if vault.state == .unlocked { vault.lock() } }
        }
        let events = Task { [events = vault.events] in
            var isOpen = [false]
            for await event in events {
                switch event {
                case .obtainedMainKey: isOpen.append(true)
                case .removedMainKeyFromMemory: isOpen.append(false)
                case .rotateSoon: return isOpen
                default: break
                }
            }
            return isOpen
        }
        locker.start()
        for _ in 0..<15 { _ = code { try vault.unlock(.pin(VaultFolder.pin())) } }
        isOver.store(true, ordering: .relaxed)
        _ = code { try vault.unlock(.pin(VaultFolder.pin())) }
        vault.lock()
        vault.memory.hub.post(.rotateSoon("the end"))
        let told = await events.value
        // A vault that is open may be opened once more; only one that is open is locked.
        #expect(told.count > 2 && zip(told, told.dropFirst()).allSatisfy { $0 || $1 })
        #expect(told.last == false)
    }

    @Test("what is about the time before it does not stop an unlocking")
    func noRequests() async throws {
        let vault = try open()
        let result = try await unlock(vault) {
            for event: AutolockState.Event in [.timer, .resume, .scopeEnd, .foreground, .background] {
                vault.memory.note(event)
            }
            vault.memory.lock(.timeout)
        }
        #expect(result == "ok" && vault.state == .unlocked)
    }

    @Test("in the background, where that locks at once, an unlocking does not succeed")
    func background() async throws {
        let vault = try open(.foreground)
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.setAutolock(.always)
        vault.lock()
        #expect(try await unlock(vault) { vault.memory.note(.background) } == "locked")
    }

    @Test("the timer is set to what the state says, whoever locks and unlocks at the same time")
    func timer() throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        let (file, unlocked) = try vault.memory.unlocked()
        for round in 0..<2000 {
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                switch thread {
                case 0: vault.lock()
                case 1: try? vault.memory.install(unlocked, of: file, unlessAskedToLockSince: nil)
                default: vault.memory.note(.access)
                }
            }
            let (set, deadline) = vault.memory.deadlines
            guard set == deadline else {
                Issue.record("round \(round): \(String(describing: set)), not \(String(describing: deadline))")
                return
            }
        }
    }

    @Test("a subscriber is told first that a credential is needed, while one is")
    func requestMainKey() async throws {
        let vault = try folder.open()
        func first(_ events: AsyncStream<MainKeyEvent>) async -> MainKeyEvent? {
            await events.first { $0 != .memoryNotLocked }
        }
        #expect(await first(vault.events) == .requestMainKey)
        try vault.unlock(.pin(VaultFolder.pin()))
        let unlocked = vault.events
        vault.lock()
        #expect(await first(unlocked) == .removedMainKeyFromMemory(.explicit))
        #expect(await first(vault.events) == .requestMainKey)
        let open = try VaultFolder()
        _ = try Unwatched.create(at: open.path, [.none], VaultFolder.options)
        let bare = try open.open()
        let events = bare.events
        try bare.unlock(.none)
        #expect(await first(events) == .obtainedMainKey)
    }

    @Test("keys of a session whose time is over are given to nobody, though no timer has come yet")
    func lateTimer() throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        let sealed = try vault.seal("x")
        var unlocked = try vault.memory.unlocked().keys
        unlocked.deadline = BootInstant.milliseconds()
        vault.memory.replace(by: unlocked)
        #expect(code { _ = try vault.memory.unlocked() } == "locked")
        #expect(vault.state == .locked && vault.memory.held.keys == nil)
        #expect(code { _ = try vault.open(sealed) } == "locked")
    }

    @Test("keys that an unlocking replaces are destroyed, and what used them is told")
    func replacedKeys() throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        let former = try vault.memory.unlocked().keys.keys
        try vault.unlock(.pin(VaultFolder.pin()))
        let keys = try vault.memory.unlocked().keys.keys
        #expect(former.isDestroyed && keys !== former && !keys.isDestroyed)
    }

    @Test("a vault that was wiped stays that, whatever is found on the disk afterwards")
    func wiped() throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        vault.memory.lock(.wiped)
        vault.memory.fail(.tampered(reason: "nothing is there"))
        #expect(vault.state == .wiped)
        vault.lock()
        #expect(vault.state == .wiped)
    }
}
