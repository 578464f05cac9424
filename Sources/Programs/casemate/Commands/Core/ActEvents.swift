import BasicFoundation
import Dispatch
import Files
import InstalledSigner
import Synchronization
import Threads

/// What a session waits for, in the order in which it comes: lines, and what happens around its vault.
final class ActEvents: Sendable {
    enum Event: Sendable {
        case line([UInt8])
        /// A line that is longer than the limit, without what was in it.
        case tooLong
        /// Nothing more is coming.
        case end
        case host(HostEvents.Event)
    }

    /// Bytes of a line at the most: a payload with metadata in hex.
    static let limit = FlowFiles.limit

    private let waiting = Mutex<[Event]>([])
    private let count = DispatchSemaphore(value: 0)
    /// Raised for the next line to be read: none is read before the one in front of it is done.
    private let mayRead = DispatchSemaphore(value: 0)

    func add(_ event: Event) {
        waiting.withLock { $0.append(event) }
        count.signal()
    }

    /// Waits for the next event.
    func next() -> Event {
        count.wait()
        return waiting.withLock { $0.removeFirst() }
    }

    /// Says that an event is done, so that the next one of its kind may come.
    func isDone(_ event: Event) {
        switch event {
        case .line, .tooLong: mayRead.signal()
        case .end, .host: break
        }
    }

    /// Reads lines of standard input on a thread of its own.
    func readLines() {
        SystemThread.start { [self] in
            let input = InputFile(standardInput: ())
            var bytes: [UInt8] = []
            var isTooLong = false
            while true {
                while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(bytes[..<end])
                    bytes.removeSubrange(...end)
                    if line.allSatisfy({ $0 == UInt8(ascii: " ") }), !isTooLong { continue }
                    add(isTooLong ? .tooLong : .line(line))
                    isTooLong = false
                    mayRead.wait()
                }
                if bytes.count > Self.limit { (bytes, isTooLong) = ([], true) }
                guard let more = try? input.read(upTo: 1 << 16), !more.isEmpty else { break }
                bytes += more
            }
            if isTooLong { add(.tooLong) } else if !bytes.isEmpty { add(.line(bytes)) }
            add(.end)
        }
    }
}
