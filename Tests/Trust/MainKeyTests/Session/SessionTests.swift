import Foundation
import SecretMemory
import Synchronization
import Testing

@testable import MainKey

@Suite("A session of a login", .timeLimit(.minutes(30)))
struct SessionTests {
    private let folder: VaultFolder
    private let keys = SessionKeys()
    /// Unlocked by its PIN.
    private let vault: MainKeyVault

    init() throws {
        folder = try VaultFolder()
        _ = try folder.make { $0.autolock = .minutes(60) }
        vault = try Self.open(folder, keys)
        try vault.unlock(.pin(VaultFolder.pin()))
    }

    private static func open(
        _ folder: VaultFolder, _ keys: SessionKeys, lockTimeout: Duration = .seconds(10),
        _ change: (inout OpenOptions) -> Void = { _ in }
    ) throws -> MainKeyVault {
        var options = OpenOptions()
        change(&options)
        options.sessionKeys = keys
        options.lockTimeout = lockTimeout
        return try Unwatched.open(at: folder.path, options)
    }

    private func other(lockTimeout: Duration = .seconds(10)) throws -> MainKeyVault {
        try Self.open(folder, keys, lockTimeout: lockTimeout)
    }

    private var hasTicket: Bool { FileManager.default.fileExists(atPath: folder.path + "/session.mk") }

    @Test("it opens the vault elsewhere until it is ended")
    func life() throws {
        let sealed = try vault.seal("x")
        #expect(try !other().unlockBySession())
        try vault.beginSession(lasting: nil)
        let second = try other()
        #expect(try second.unlockBySession())
        #expect(try second.open(sealed) == "x")
        let left = try second.session.timeLeft()
        #expect(left ?? .max <= 3_600_000)
        try second.endSession()
        #expect(second.state == .locked && !hasTicket && keys.labels().isEmpty)
        #expect(try other().unlockBySession() == false)
        #expect(try second.session.timeLeft() == nil)
    }

    // MARK: Ending

    @Test("ending it locks, and removes it, also where the others cannot be told")
    func endingFails() throws {
        try vault.beginSession(lasting: nil)
        // A folder stands where the signal is to be.
        try FileManager.default.createDirectory(atPath: folder.path + "/lock.mk", withIntermediateDirectories: false)
        #expect(code { try vault.endSession() } == "io")
        #expect(vault.state == .locked)
        #expect(!hasTicket && keys.labels().isEmpty)
    }

    @Test("ending it locks, and takes its key away, also where another process holds the vault")
    func endingWaits() throws {
        let vault = try other(lockTimeout: .zero)
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.beginSession(lasting: nil)
        var held: HeldLock? = try HeldLock(.shared, of: vault.store.directory, patience: .zero)
        #expect(code { try vault.endSession() } == "busy")
        #expect(vault.state == .locked && keys.labels().isEmpty)
        held = nil
        _ = held
        #expect(try !other().unlockBySession())
    }

    @Test("other ways to open the vault end it, and so does a wipe")
    func endedByChanges() throws {
        try vault.beginSession(lasting: nil)
        #expect(code { try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin("123456")) } == "weakPIN")
        #expect(hasTicket)
        try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
        #expect(!hasTicket && keys.labels().isEmpty)
        try vault.beginSession(lasting: nil)
        try vault.rekey(
            [.pin(VaultFolder.pin())], authenticatedBy: .pin(VaultFolder.pin(VaultFolder.otherPIN)),
            VaultFolder.options)
        #expect(!hasTicket && keys.labels().isEmpty)
        try vault.beginSession(lasting: nil)
        try vault.wipe()
        #expect(!hasTicket && keys.labels().isEmpty)
    }

    // MARK: Its time

    @Test("times that are none, or too long, are refused")
    func bounds() throws {
        let hour = Duration.seconds(3600)
        for time in [.zero, .seconds(-1), hour + .milliseconds(1), .seconds(Int64.max), .seconds(Int64.min)] {
            #expect(code { try vault.beginSession(lasting: time) } == "configError", "\(time)")
        }
        try vault.beginSession(lasting: hour)
        try vault.setAutolock(.never)
        let week = Duration.seconds(60 * 10080)
        for time in [.zero, .seconds(-1), week + .milliseconds(1), .seconds(Int64.max), .seconds(Int64.min)] {
            #expect(code { try vault.beginSession(lasting: time) } == "configError", "\(time)")
        }
        try vault.beginSession(lasting: week)
        let left = try vault.session.timeLeft()
        #expect((604_700_000...604_800_000).contains(left ?? 0))
        try vault.beginSession(lasting: .nanoseconds(1))
        try vault.beginSession(lasting: nil)
        #expect(try vault.session.timeLeft() == .max)
    }

    @Test(
        "the timer is set to the end of the session where autolock has none",
        arguments: [AutolockMode.foreground, .idle])
    func timer(mode: AutolockMode) throws {
        try vault.setAutolock(.never)
        try vault.beginSession(lasting: .seconds(3_600))
        var options = OpenOptions()
        options.sessionKeys = keys
        options.autolockMode = mode
        let second = try Unwatched.open(at: folder.path, options)
        #expect(try second.unlockBySession())
        let end = try #require(second.memory.unlocked().1.deadline)
        #expect(second.memory.deadlines.timer == end)
        second.memory.note(.access)
        #expect(second.memory.deadlines.timer == end)
        try vault.beginSession(lasting: nil)
        #expect(try second.unlockBySession())
        #expect(second.memory.deadlines.timer == nil)
    }

    @Test("the key goes from memory with the session, without anybody asking")
    func deadline() async throws {
        try vault.setAutolock(.never)
        // Long enough for the second vault to be opened in it, however busy the machine is.
        var (second, isOpen) = (try other(), false)
        var events = second.events
        for seconds in [10, 60, 300] where !isOpen {
            try vault.beginSession(lasting: .seconds(seconds))
            (second, isOpen) = (try other(), false)
            events = second.events
            isOpen = try second.unlockBySession()
        }
        #expect(isOpen)
        let expected: [MainKeyEvent] = [.requestMainKey, .obtainedMainKey, .removedMainKeyFromMemory(.timeout)]
        var found: [MainKeyEvent] = []
        for await event in events where event != .memoryNotLocked {
            found.append(event)
            if found.count == expected.count { break }
        }
        #expect(found == expected)
        #expect(second.state == .locked)
        // Who typed the PIN stays.
        #expect(vault.state == .unlocked)
    }

    @Test("a session that lasts longer than autolock now allows is refused and removed")
    func shortenedAutolock() throws {
        try vault.beginSession(lasting: nil)
        try vault.setAutolock(.minutes(61))
        #expect(try other().unlockBySession())
        try vault.setAutolock(.minutes(59))
        #expect(try vault.session.timeLeft() == nil)
        #expect(try !other().unlockBySession())
        #expect(!hasTicket)
    }

    // MARK: The screen and sleep

    /// A machine whose screen and sleep a test decides.
    private final class Machine: LockSignals, LockListening {
        private let told = Mutex<[@Sendable (AutolockEvent) -> Void]>([])
        private let isLocked = Mutex(false)

        func listen(_ told: @escaping @Sendable (AutolockEvent) -> Void) -> any LockListening {
            self.told.withLock { $0.append(told) }
            return self
        }

        func isScreenLocked() -> Bool { isLocked.withLock { $0 } }
        func setScreenLocked(_ value: Bool) { isLocked.withLock { $0 = value } }
        func keysAppear() {}
        func keysAreGone() {}
        func tell(_ event: AutolockEvent) { for told in told.withLock({ $0 }) { told(event) } }
    }

    @Test(
        "a program that hears of the screen's lock or of sleep ends the session too, unless sleep is set not to lock",
        arguments: [AutolockEvent.systemLock, .sleep], [true, false])
    func heard(event: AutolockEvent, locksOnSleep: Bool) throws {
        try vault.beginSession(lasting: nil)
        let machine = Machine()
        let second = try Self.open(folder, keys) {
            $0.lockSignals = machine
            $0.locksOnSleep = locksOnSleep
        }
        #expect(try second.unlockBySession())
        machine.tell(.resume)
        #expect(second.state == .unlocked && !keys.labels().isEmpty)
        machine.tell(event)
        let locks = event == .systemLock || locksOnSleep
        #expect((second.state == .locked) == locks && keys.labels().isEmpty == locks)
        #expect(try other().unlockBySession() == !locks)
        #expect(try (other().session.timeLeft() == nil) == locks)
    }

    @Test("while the screen is locked a session opens nothing, and afterwards it goes on")
    func screenLocked() throws {
        try vault.beginSession(lasting: nil)
        let machine = Machine()
        machine.setScreenLocked(true)
        let second = try Self.open(folder, keys) { $0.lockSignals = machine }
        #expect(try !second.unlockBySession())
        #expect(second.state == .locked && hasTicket)
        machine.setScreenLocked(false)
        #expect(try second.unlockBySession())
    }

    @Test("after a sleep that nobody heard a session opens nothing any more, unless sleep is set not to lock")
    func slept() throws {
        try vault.beginSession(lasting: nil)
        let key = try #require(try keys.read("session"))
        let now = try BootInstant.now()
        let asleep = BootInstant.asleepMilliseconds()
        // A machine that has slept for a minute more than this one sees the ticket as this one sees that of a minute
        // less; where this one never slept, a minute more.
        let other = asleep >= 60_000 ? asleep - 60_000 : asleep + 60_000
        func write(_ asleep: UInt64) throws {
            let ticket = try SessionTicket(
                vault.memory.unlocked().1.secrets, bootID: now.bootID, deadline: now.milliseconds + 1_800_000,
                asleep: asleep,
                under: key)
            try vault.store.directory.files.write(ticket.bytes, to: VaultDirectory.Name.session)
        }
        try write(asleep)
        #expect(try self.other().unlockBySession())
        try write(other)
        #expect(try self.other().session.timeLeft() == nil)
        let careless = try Self.open(folder, keys) { $0.locksOnSleep = false }
        #expect(try careless.unlockBySession())
        #expect(try !self.other().unlockBySession())
        #expect(!hasTicket && keys.labels().isEmpty)
    }

    // MARK: Tickets that cannot be looked at

    @Test("a failure that says nothing about the ticket is told, and leaves it")
    func failures() throws {
        try vault.beginSession(lasting: nil)
        let second = try other(lockTimeout: .zero)
        keys.failure = .io(path: "keyring", reason: "broken")
        #expect(code { _ = try second.unlockBySession() } == "io")
        keys.failure = nil
        var held: HeldLock? = try HeldLock(.exclusive, of: vault.store.directory, patience: .zero)
        #expect(code { _ = try second.unlockBySession() } == "busy")
        held = nil
        _ = held
        let file = folder.path + "/keyring.mk"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(code { _ = try second.unlockBySession() } == "io")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(hasTicket && second.state == .locked)
        #expect(try second.unlockBySession())
    }

    @Test("a ticket that was changed is removed")
    func changed() throws {
        try vault.beginSession(lasting: nil)
        let file = URL(filePath: folder.path + "/session.mk")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try !other().unlockBySession())
        #expect(!hasTicket)
    }

    // MARK: Locking meanwhile

    @Test("a lock that is asked for while it unlocks wins")
    func lockMeanwhile() throws {
        try vault.beginSession(lasting: nil)
        let second = try other()
        keys.onRead { second.lock() }
        #expect(code { _ = try second.unlockBySession() } == "locked")
        #expect(second.state == .locked)
        keys.onRead {}
        #expect(try second.unlockBySession())
    }

    @Test("nobody ends it between the ticket and its use")
    func exclusion() throws {
        try vault.beginSession(lasting: nil)
        let second = try other()
        keys.onRead { [vault] in
            let found = code {
                _ = try HeldLock(.exclusive, of: vault.store.directory, patience: .zero)
            }
            #expect(found == "busy")
        }
        #expect(try second.unlockBySession())
        #expect(code { _ = try HeldLock(.exclusive, of: vault.store.directory, patience: .zero) } == "ok")
    }

    @Test("ending it locks who unlocked by it, and who unlocked by a PIN")
    func endingElsewhere() async throws {
        try vault.beginSession(lasting: nil)
        let second = try other()
        for vault in [vault, second] { try vault.diskChanges.beginWatching() }
        #expect(try second.unlockBySession())
        let (first, other) = (vault.events, second.events)
        try self.other().endSession()
        #expect(await first.first { $0 != .memoryNotLocked } == .removedMainKeyFromMemory(.explicit))
        #expect(await other.first { $0 != .memoryNotLocked } == .removedMainKeyFromMemory(.explicit))
    }

    @Test("ending it tells the others, and not who ends it once more")
    func endingTellsOthers() async throws {
        try vault.diskChanges.beginWatching()
        let writer = try other()
        try writer.unlock(.pin(VaultFolder.pin()))
        let events = vault.events
        try vault.endSession()
        try vault.unlock(.pin(VaultFolder.pin()))
        try writer.setAutolock(.minutes(7))
        try writer.endSession()
        var told: [MainKeyEvent] = []
        for await event in events where event != .memoryNotLocked {
            told.append(event)
            if told.count == 4 { break }
        }
        #expect(told[0] == .removedMainKeyFromMemory(.explicit) && told[1] == .obtainedMainKey)
        guard case .changed = told[2] else {
            Issue.record("\(told)")
            return
        }
        #expect(told[3] == .removedMainKeyFromMemory(.explicit))
    }

    // MARK: The key's place

    @Test("no label of an item is that of a session's key")
    func service() throws {
        let vault = VaultID.random()
        #expect(!SessionKey.service(of: vault).hasPrefix(vault.description))
    }

    @Test(
        "an item called 'session' is not the session's key",
        .enabled(if: (try? KernelKeyring.checkAvailability()) != nil))
    func itemOfThisName() throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.setItem("session", SecretBytes(test: "mine"), access: .afterFirstUnlockThisDeviceOnly)
        try vault.beginSession(lasting: nil)
        vault.lock()
        #expect(try vault.item("session")?.testBytes == Array("mine".utf8))
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.setItem("session", SecretBytes(test: "other"), access: .afterFirstUnlockThisDeviceOnly)
        #expect(try folder.open().unlockBySession())
        try vault.endSession()
        #expect(try vault.item("session")?.testBytes == Array("other".utf8))
        try vault.removeItem("session")
    }
}
