import Dispatch
import Synchronization
import Threads

/// The thread on which everything of the core is done, one piece after the other. Between two pieces it waits, which
/// counts for autolock: a piece of a person that does nothing is enough to say that somebody is there, and one that is
/// about what happens around the vault says nothing of that.
final class CoreThread: Sendable {
    struct Piece: Sendable {
        /// Whether it is done because a person did something.
        var isByPerson: Bool
        var body: @Sendable () -> Void
    }

    private let pieces = Pieces()
    /// Bytes of stack: as much as a main thread has, on which programs without a window decode what was scanned.
    private static let stackSize = 8 << 20

    /// - Parameter waiting: runs what it is given, which waits for the next piece.
    init(waiting: @escaping @Sendable (() -> Piece?) -> Piece?) {
        SystemThread.start(stackSize: Self.stackSize) { [pieces] in
            while let piece = waiting({ pieces.next() }) { piece.body() }
        }
    }

    deinit { pieces.end() }

    /// Does something that a person asked for, once all before it is done.
    func run(_ body: @escaping @Sendable () -> Void) { pieces.add(Piece(isByPerson: true, body: body)) }

    /// Does something that nobody asked for, once all before it is done.
    func follow(_ body: @escaping @Sendable () -> Void) { pieces.add(Piece(isByPerson: false, body: body)) }

    /// Does something that a person asked for, once all before it is done, and waits for it.
    func wait<R: Sendable>(for body: @escaping @Sendable () -> R) -> R {
        let answer = Answer<R>()
        run { answer.put(body()) }
        return answer.take()
    }

    private final class Answer<R: Sendable>: Sendable {
        private let value = Mutex<R?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func put(_ answer: R) {
            value.withLock { $0 = answer }
            isThere.signal()
        }

        func take() -> R {
            while true {
                isThere.wait()
                if let answer = value.withLock({ $0 }) { return answer }
            }
        }
    }

    /// What waits to be done.
    private final class Pieces: Sendable {
        private let waiting = Mutex<[Piece]>([])
        private let count = DispatchSemaphore(value: 0)

        func add(_ piece: Piece) {
            waiting.withLock { $0.append(piece) }
            count.signal()
        }

        /// One count more than there are pieces.
        func end() { count.signal() }

        /// - Returns: nil when nothing is coming any more.
        func next() -> Piece? {
            count.wait()
            return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }
}
