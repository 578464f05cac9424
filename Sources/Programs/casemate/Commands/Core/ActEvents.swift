import Dispatch
import Files
import Foundation
import MainKey
import Synchronization

/// What a session waits for, in the order in which it comes: lines, changes of the network, the vault's own lock, and
/// signals that end it.
final class ActEvents: Sendable {
    enum Event: Sendable {
        case line([UInt8])
        /// A line that is longer than the limit, without what was in it.
        case tooLong
        /// Nothing more is coming.
        case end
        case network
        case locked
        case signal(Int32)
    }

    /// Bytes of a line at the most: a payload with metadata in hex.
    static let limit = FlowFiles.limit

    private let waiting = Mutex<[Event]>([])
    private let count = DispatchSemaphore(value: 0)
    /// Raised for the next line to be read: none is read before the one in front of it is done.
    private let mayRead = DispatchSemaphore(value: 0)
    private let mayWatch = DispatchSemaphore(value: 0)

    private func add(_ event: Event) {
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
        case .network: mayWatch.signal()
        case .end, .locked, .signal: break
        }
    }

    /// Reads lines of standard input on a thread of its own.
    func readLines() {
        Thread.detachNewThread { [self] in
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

    /// Tells of changes of the network as they come.
    ///
    /// - Parameter descriptor: readable as long as nobody looked at a change.
    func watch(_ descriptor: CInt) {
        Thread.detachNewThread { [self] in
            while true {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, -1) > 0 else {
                    if errno == EINTR { continue }
                    return
                }
                add(.network)
                mayWatch.wait()
            }
        }
    }

    /// Tells when a vault of this program locks, whoever asked for it.
    func watchLocks() {
        MainKeyEvent.observeAll { [self] event in
            if case .removedMainKeyFromMemory = event { add(.locked) }
        }
    }

    /// Takes the signals that end programs: what is held is let go of first.
    ///
    /// - Returns: what takes them, for as long as it is kept.
    func takeSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in add(.signal(number)) }
            source.resume()
            return source
        }
    }

    /// Ends the process as the signal would have.
    static func die(of number: Int32) -> Never {
        fflush(nil)
        signal(number, SIG_DFL)
        // Whoever started it may have had the signal blocked, which is inherited.
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
        exit(128 + number)
    }
}
