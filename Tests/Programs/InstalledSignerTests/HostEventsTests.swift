import Foundation
import InstalledSigner
import Synchronization
import Testing

@Suite("What happens around a vault")
struct HostEventsTests {
    @Test("a change of the network that cannot be looked at is told again, and not without a pause")
    func unseen() async throws {
        let count = Mutex(0)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        let (told, teller) = AsyncStream<Void>.makeStream()
        let events = HostEvents { _ in
            count.withLock { $0 += 1 }
            teller.yield()
        }
        events.watchNetwork(pipe.fileHandleForReading.fileDescriptor)
        var seen = told.makeAsyncIterator()
        let start = ContinuousClock.now
        for _ in 0..<4 {
            await seen.next()
            events.isNetworkSeen()
        }
        #expect(ContinuousClock.now - start >= .milliseconds(500))
        // The watcher goes on with the descriptor as long as the process.
        _ = Unmanaged.passRetained(pipe)
    }
}
