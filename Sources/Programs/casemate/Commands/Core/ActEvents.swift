import BasicFoundation
import Dispatch
import Files
import InstalledSigner
import Synchronization
import Threads

/// What a session waits for, in the order in which it comes: lines, and what happens around its vault.
final class ActEvents: Sendable {
    enum Event: Sendable {
        /// A line, and its place in the input, from 1.
        case line([UInt8], number: Int)
        /// A line that is longer than the limit, without what was in it.
        case tooLong(number: Int)
        /// Nothing more is coming.
        case end
        /// Nothing more can be read.
        case unreadable(FileError)
        case host(HostEvents.Event)

        /// Whether it says that somebody is there.
        var isByPerson: Bool {
            switch self {
            case .line, .tooLong, .end, .unreadable: true
            case .host: false
            }
        }
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
        case .end, .unreadable, .host: break
        }
    }

    /// Reads lines of standard input on a thread of its own.
    func readLines() {
        SystemThread.start { [self] in
            var lines = InputLines(InputFile(standardInput: ()), limit: Self.limit)
            do throws(FileError) {
                while let next = try lines.next() {
                    switch next {
                    case .line(let line) where line.allSatisfy({ $0 == UInt8(ascii: " ") }): continue
                    case .line(let line): add(.line(line, number: lines.number))
                    case .tooLong: add(.tooLong(number: lines.number))
                    }
                    mayRead.wait()
                }
                add(.end)
            } catch { add(.unreadable(error)) }
        }
    }
}
