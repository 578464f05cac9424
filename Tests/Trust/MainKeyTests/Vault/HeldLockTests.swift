import Dispatch
import Foundation
import Testing

@testable import MainKey

@Suite("Waiting for the lock of a vault", .timeLimit(.minutes(30)))
struct HeldLockTests {
    private let folder: VaultFolder
    private let directory: VaultDirectory

    init() throws {
        folder = try VaultFolder()
        directory = try VaultDirectory(folder.path, .creating)
    }

    @Test("waiting ends after the time that was given, as busy")
    func busy() throws {
        let held = try HeldLock(.exclusive, of: directory, patience: .zero)
        let start = ContinuousClock.now
        #expect(throws: MainKeyError.busy(path: directory.files.path)) {
            _ = try HeldLock(.shared, of: directory, patience: .milliseconds(50))
        }
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        withExtendedLifetime(held) {}
    }

    @Test("a lock that becomes free while waiting is taken")
    func freed() async throws {
        var held: HeldLock? = try HeldLock(.exclusive, of: directory, patience: .zero)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let directory = directory
        DispatchQueue.global().async {
            continuation.yield("waiting")
            continuation.yield(code { _ = try HeldLock(.exclusive, of: directory, patience: .seconds(3_600)) })
        }
        var result = results.makeAsyncIterator()
        #expect(await result.next() == "waiting")
        held = nil
        _ = held
        #expect(await result.next() == "ok")
    }
}
