import Foundation
import Synchronization
import Testing

@testable import MainKey

@Suite("The lock of a folder")
struct DirectoryLockTests {
    private let folder = StorageFolder()

    /// Time that passes only by sleeping.
    private final class TestClock: Clock {
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private let time = Mutex(Instant(offset: .zero))
        private let onSleep: @Sendable (Instant) -> Void

        init(onSleep: @escaping @Sendable (Instant) -> Void = { _ in }) { self.onSleep = onSleep }

        var now: Instant { time.withLock { $0 } }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline) }
            onSleep(now)
        }
    }

    private func isFree(_ mode: DirectoryLock.Mode) throws -> Bool {
        try DirectoryLock.attempt(mode, in: folder.open()) != nil
    }

    private struct NotFree: Error {}

    /// The lock, which has to be free.
    private func take(_ mode: DirectoryLock.Mode) throws -> DirectoryLock {
        guard let lock = try DirectoryLock.attempt(mode, in: folder.open()) else { throw NotFree() }
        return lock
    }

    @Test("an exclusive lock keeps out all others, shared ones keep out exclusive ones")
    func modes() throws {
        do {
            let lock = try take(.exclusive)
            #expect(try !isFree(.shared) && !isFree(.exclusive))
            lock.release()
        }
        #expect(try isFree(.exclusive))
        do {
            let lock = try take(.shared)
            #expect(try isFree(.shared) && !isFree(.exclusive))
            lock.release()
        }
        #expect(try isFree(.exclusive))
        var status = stat()
        #expect(stat(folder.file("lock"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    @Test("a lock that is given back is free, though a process that is being started has a copy of its descriptor")
    func copied() throws {
        let lock = try take(.exclusive)
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == folder.file("lock")
        }.compactMap(Int32.init).map { dup($0) }
        #expect(!copies.isEmpty)
        lock.release()
        #expect(try isFree(.exclusive))
        for copy in copies { close(copy) }
    }

    @Test("waiting ends after the time that was given, as busy")
    func busy() async throws {
        let directory = try folder.open()
        let lock = try take(.exclusive)
        let clock = TestClock()
        await #expect(throws: MainKeyError.busy(path: folder.path)) {
            try await DirectoryLock.acquire(.shared, in: directory, patience: .seconds(10), clock: clock).release()
        }
        #expect(clock.now.offset >= .seconds(10) && clock.now.offset < .seconds(11))
        lock.release()
    }

    @Test("a lock that becomes free while waiting is taken")
    func freed() async throws {
        let directory = try folder.open()
        let holder = open(folder.file("lock"), O_RDWR | O_CREAT, 0o600)
        #expect(flock(holder, LOCK_EX) == 0)
        let clock = TestClock { if $0.offset > .seconds(3) { flock(holder, LOCK_UN) } }
        let lock = try await DirectoryLock.acquire(.exclusive, in: directory, patience: .seconds(10), clock: clock)
        #expect(clock.now.offset < .seconds(4))
        lock.release()
        close(holder)
    }

    @Test("another process keeps us out until it dies", .enabled(if: access("/usr/bin/flock", X_OK) == 0))
    func processes() throws {
        try take(.exclusive).release()
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/flock")
        // `-F`: the process that is killed is the one that has the lock.
        other.arguments = ["-F", "-x", folder.file("lock"), "sh", "-c", "echo locked; exec sleep 60"]
        let output = Pipe()
        other.standardOutput = output
        try other.run()
        #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
        #expect(try !isFree(.shared) && !isFree(.exclusive))
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        #expect(try isFree(.exclusive))
    }

    /// How many were inside at once.
    private actor Visitors {
        private var inside = 0
        private(set) var most = 0

        func enter() {
            inside += 1
            most = max(most, inside)
        }

        func leave() { inside -= 1 }
    }

    @Test("only one task at a time has an exclusive lock")
    func tasks() async throws {
        let directory = try folder.open()
        let visitors = Visitors()
        // Whoever holds the lock may wait for a thread as long as other tests have them all.
        let patience = Duration.seconds(3600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        let lock = try await DirectoryLock.acquire(.exclusive, in: directory, patience: patience)
                        await visitors.enter()
                        await Task.yield()
                        await visitors.leave()
                        lock.release()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await visitors.most == 1)
    }

    @Test("a link or a pipe in the lock's place is refused")
    func refused() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file("lock"), withDestinationPath: "elsewhere")
        #expect(code { _ = try DirectoryLock.attempt(.shared, in: folder.open()) } == "io")
        #expect(folder.names() == ["lock"])
        #expect(unlink(folder.file("lock")) == 0 && mkfifo(folder.file("lock"), 0o600) == 0)
        #expect(code { _ = try DirectoryLock.attempt(.shared, in: folder.open()) } == "io")
    }
}
