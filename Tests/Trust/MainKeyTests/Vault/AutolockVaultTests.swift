import Foundation
import Testing

@testable import MainKey

@Suite("Locking by itself")
struct AutolockVaultTests {
    @Test("with 'always' each use ends with its scope")
    func always() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make { $0.autolock = .always }
        vault.lock()
        try vault.unlock(.pin(VaultFolder.pin()))
        let sealed = try vault.seal("x")
        #expect(vault.state == .locked)
        #expect(code { _ = try vault.open(sealed) } == "locked")
    }

    @Test("a screen lock, sleep and the background lock as set")
    func surroundings() throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        var options = OpenOptions()
        options.autolockMode = .foreground
        let vault = try Unwatched.open(at: folder.path, options)
        for event: AutolockState.Event in [.systemLock, .sleep] {
            try vault.unlock(.pin(VaultFolder.pin()))
            vault.memory.note(event)
            #expect(vault.state == .locked)
        }
        try vault.unlock(.pin(VaultFolder.pin()))
        vault.memory.note(.background)
        #expect(vault.state == .unlocked)
        // The time in the background counts from its beginning.
        try vault.setAutolock(.always)
        #expect(vault.state == .locked)
        try vault.unlock(.pin(VaultFolder.pin()))
        vault.memory.note(.foreground)
        vault.memory.note(.background)
        #expect(vault.state == .locked)
    }

    @Test("where a program waits between any two uses, 'always' comes to the time that it says, and stays what is set")
    func countsAs() throws {
        let folder = try VaultFolder()
        _ = try folder.make { $0.autolock = .always }
        var options = OpenOptions()
        options.autolockMode = .foreground
        options.alwaysCountsAs = .minutes(1)
        let vault = try Unwatched.open(at: folder.path, options)
        func waits() throws {
            let before = BootInstant.milliseconds()
            vault.memory.note(.background)
            #expect(vault.state == .unlocked)
            #expect(try #require(vault.memory.deadlines.state) >= before + 60_000)
            vault.memory.note(.foreground)
            #expect(vault.memory.deadlines.state == nil)
        }
        try vault.unlock(.pin(VaultFolder.pin()))
        try waits()
        try vault.setAutolock(.never)
        vault.memory.note(.background)
        #expect(vault.memory.deadlines.state == nil)
        vault.memory.note(.foreground)
        try vault.setAutolock(.always)
        try waits()
        #expect(try vault.status().autolock == .always)
    }

    @Test("what wakes a program that waits ends the time in the background only where a person did")
    func waits() throws {
        let folder = try VaultFolder()
        _ = try folder.make { $0.autolock = .minutes(15) }
        var options = OpenOptions()
        options.autolockMode = .foreground
        let vault = try Unwatched.open(at: folder.path, options)
        try vault.unlock(.pin(VaultFolder.pin()))
        var deadline: UInt64? { vault.memory.deadlines.state }
        func wait(_ isByPerson: Bool) { _ = vault.whileWaiting(until: \.self) { isByPerson } }
        #expect(deadline == nil)
        wait(false)
        let first = try #require(deadline)
        for _ in 0..<100 {
            usleep(100)
            wait(false)
            #expect(deadline == first)
            // What is done then is no sign of a person either.
            _ = try vault.seal("x")
            #expect(deadline == first)
        }
        // And one that is opened meanwhile gets its time with the next wait.
        vault.lock()
        wait(false)
        try vault.unlock(.pin(VaultFolder.pin()))
        wait(false)
        #expect(deadline != nil)
        wait(true)
        #expect(deadline == nil)
    }

    @Test("where sleep is set not to lock, a vault stays unlocked through it, and so does an unlocking under way")
    func sleep() throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        for locks in [true, false] {
            var options = OpenOptions()
            options.locksOnSleep = locks
            let vault = try Unwatched.open(at: folder.path, options)
            vault.memory.note(.sleep)
            #expect(vault.memory.lockRequests == (locks ? 1 : 0))
            try vault.unlock(.pin(VaultFolder.pin()))
            vault.memory.note(.sleep)
            vault.memory.note(.resume)
            #expect(vault.state == (locks ? .locked : .unlocked))
        }
    }

    @Test("the setting is kept in the vault")
    func setting() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        try vault.setAutolock(.minutes(15))
        #expect(try folder.open().status().autolock == .minutes(15))
        #expect(code { try vault.setAutolock(.minutes(0)) } == "configError")
    }

    @Test("the timer fires and locks without anybody asking")
    func timer() async throws {
        let timer = AutolockTimer()
        let fired = AsyncStream<Void> { continuation in
            timer.onFire { continuation.yield() }
            timer.schedule(at: BootInstant.milliseconds() + 30)
        }
        for await _ in fired { break }
        timer.cancel()
    }

    @Test("who is using the vault when it locks may finish")
    func leases() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        try vault.withUnlocked { unlocked in
            vault.lock()
            _ = try unlocked.seal("still", .app("a"))
        }
        #expect(code { _ = try vault.seal("x") } == "locked")
    }
}
