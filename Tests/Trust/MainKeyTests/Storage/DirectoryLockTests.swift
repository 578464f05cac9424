import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MainKey

@Suite("The lock of a folder")
struct DirectoryLockTests {
    private let folder = StorageFolder()

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

    @Test("another process keeps us out until it dies", .enabled(if: access("/usr/bin/flock", X_OK) == 0))
    func processes() throws {
        try take(.exclusive).release()
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/flock")
        // `-F`: the process that is killed is the one that has the lock.
        other.arguments = ["-F", "-x", folder.file("lock"), "sh", "-c", "echo locked; exec sleep 3600"]
        let output = Pipe()
        other.standardOutput = output
        try other.run()
        #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
        #expect(try !isFree(.shared) && !isFree(.exclusive))
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        #expect(try isFree(.exclusive))
    }

    @Test("only one thread at a time has an exclusive lock")
    func threads() {
        let inside = Atomic(0)
        let most = Atomic(0)
        let taken = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                guard let lock = try? DirectoryLock.attempt(.exclusive, in: folder.open()) else { continue }
                most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                taken.add(1, ordering: .relaxed)
                inside.subtract(1, ordering: .relaxed)
                lock.release()
            }
        }
        #expect(most.load(ordering: .relaxed) == 1 && taken.load(ordering: .relaxed) > 0)
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
