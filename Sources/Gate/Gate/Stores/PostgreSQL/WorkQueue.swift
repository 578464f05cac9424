internal import Dispatch
internal import Synchronization

/// Work for threads that may wait, in the order in which it came. Each thread has a value of its own for it.
///
/// The threads live until ``close()``.
final class WorkQueue<Context>: Sendable {
    typealias Work = @Sendable (Context) -> Void

    private struct State {
        var waiting: [Work] = []
        /// How many of `waiting`, counted from the first, have been taken.
        var begun = 0
        var isClosed = false
        var runningThreads: Int
        var onEnd: [CheckedContinuation<Void, Never>] = []

        mutating func next() -> Work? {
            guard begun < waiting.count else { return nil }
            let work = waiting[begun]
            begun += 1
            // Moving the rest costs what was done since the last time, and no more.
            if begun * 2 >= waiting.count {
                waiting.removeFirst(begun)
                begun = 0
            }
            return work
        }
    }

    private let state: Mutex<State>
    private let maximumWaiting: Int
    private let available = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - maximumWaiting: more is refused.
    ///   - makeContext: runs on each thread.
    init(threads: Int, maximumWaiting: Int, makeContext: @escaping @Sendable () -> Context) {
        state = Mutex(State(runningThreads: threads))
        self.maximumWaiting = maximumWaiting
        for _ in 0..<threads {
            // A queue of its own is a thread of its own, beside the cooperative ones.
            DispatchQueue(label: "store").async { [self] in serve(makeContext()) }
        }
    }

    /// - Returns: false if it is refused, and will never run.
    func add(_ work: @escaping Work) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count - state.begun < maximumWaiting else { return false }
            state.waiting.append(work)
            return true
        }
        if isTaken { available.signal() }
        return isTaken
    }

    /// Does the work that waits and ends the threads.
    func close() async {
        await withCheckedContinuation { continuation in
            let threads = state.withLock { state in
                state.isClosed = true
                if state.runningThreads == 0 { continuation.resume() } else { state.onEnd.append(continuation) }
                return state.runningThreads
            }
            for _ in 0..<threads { available.signal() }
        }
    }

    private func serve(_ context: Context) {
        while true {
            available.wait()
            guard let work = state.withLock({ $0.next() }) else {
                if state.withLock(\.isClosed) { break }
                continue
            }
            work(context)
        }
        state.withLock { state in
            state.runningThreads -= 1
            guard state.runningThreads == 0 else { return }
            for continuation in state.onEnd { continuation.resume() }
            state.onEnd = []
        }
    }
}
