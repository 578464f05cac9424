import Dispatch
import Foundation
import Testing

@testable import MainKey

@Suite("Watching a folder", .serialized, .timeLimit(.minutes(30)))
struct DirectoryWatchTests {
    private let folder = StorageFolder()

    #if os(Linux)
        @Test("a file that another process puts, replaces or removes is told by its name")
        func names() async throws {
            let directory = try folder.open()
            var changes = try DirectoryWatch.changes(in: directory).makeAsyncIterator()
            let began = ContinuousClock.now
            #expect(run("/bin/touch", folder.file("made")))
            #expect(await changes.next() == .name("made"))
            print("A change was told after \(ContinuousClock.now - began), the other process included")
            try directory.write([1], to: "keyring.mk")
            #expect(await changes.next() == .name("keyring.mk.new"))
            #expect(await changes.next() == .removed("keyring.mk.new"))
            #expect(await changes.next() == .name("keyring.mk"))
            try directory.remove("keyring.mk")
            #expect(await changes.next() == .removed("keyring.mk"))
        }

        @Test("that the folder goes is told")
        func gone() async throws {
            let directory = try #require(try folder.open().subdirectory("vault", .creating))
            var changes = try DirectoryWatch.changes(in: directory).makeAsyncIterator()
            #expect(rename(folder.file("vault"), folder.file("moved")) == 0)
            #expect(await changes.next() == .gone)
        }
    #endif

    @Test("a change is told within a tenth of a second")
    func prompt() throws {
        let directory = try folder.open()
        // Not awaited: this thread is its own, while tasks of all tests share a few.
        let told = DispatchSemaphore(value: 0)
        let watch = try DirectoryWatch(directory) { _ in told.signal() }
        var best = Duration.seconds(60)
        // Once is enough: more often a busy machine may be late itself.
        for _ in 0..<1_000 where best >= .milliseconds(100) {
            let began = ContinuousClock.now
            try directory.write([1], to: "file")
            for _ in 0..<3 { told.wait() }
            best = min(best, ContinuousClock.now - began)
        }
        watch.stop()
        print("A replaced file was told after \(best)")
        #expect(best < .milliseconds(100))
    }

    @Test("after the end nothing is told")
    func stopping() async throws {
        let directory = try folder.open()
        let (told, continuation) = AsyncStream.makeStream(of: DirectoryWatch.Change.self)
        let watch = try DirectoryWatch(directory) { continuation.yield($0) }
        watch.stop()
        watch.stop()
        try directory.write([1], to: "file")
        // A second watch, made later, tells when the first one would have.
        var changes = try DirectoryWatch.changes(in: directory).makeAsyncIterator()
        try directory.write([2], to: "file")
        _ = await changes.next()
        continuation.finish()
        for await change in told { Issue.record("told after the end: \(change)") }
    }

    #if os(Linux)
        @Test("watches that ended give their descriptors back")
        func descriptors() async throws {
            let directory = try folder.open()
            var status = stat()
            try #require(stat(directory.path, &status) == 0)
            let folder = status.st_ino
            for _ in 0..<20 {
                let watch = try DirectoryWatch(directory) { _ in }
                #expect(Self.watches(of: folder) > 0)
                watch.stop()
            }
            // They are closed on their queues; without an end this would not end.
            while Self.watches(of: folder) > 0 { await Task.yield() }
        }

        /// How many descriptors of this process watch a folder; other tests watch others.
        private static func watches(of folder: ino_t) -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
            return names.count {
                let details = try? String(contentsOfFile: "/proc/self/fdinfo/" + $0, encoding: .utf8)
                return details?.contains(" ino:\(String(folder, radix: 16)) ") ?? false
            }
        }
    #endif
}

extension DirectoryWatch {
    /// The changes as a sequence, which watches as long as somebody reads it.
    fileprivate static func changes(in directory: PrivateDirectory) throws -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
        let watch = try DirectoryWatch(directory) { continuation.yield($0) }
        continuation.onTermination = { _ in watch.stop() }
        return stream
    }
}
