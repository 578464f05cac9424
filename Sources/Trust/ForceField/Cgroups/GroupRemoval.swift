#if os(Linux)
    import Glibc
    import Synchronization
    import Threads

    /// Removes the control groups of workers that have ended.
    ///
    /// A group is busy for a moment longer than its last process, and nobody is told when that is over: it is tried again, on a thread
    /// that is there as long as groups wait.
    ///
    /// Source: `forcefield` section 7.6.
    final class GroupRemoval: Sendable {
        static let shared = GroupRemoval()

        /// A group with a process that no signal ends yet (it waits for a disk, say) stays; the next host finds it (``ControlGroups``).
        private static let limit = Duration.seconds(60)
        private static let pause = Duration.milliseconds(5)

        private struct State {
            var groups: [(group: ControlGroup, end: SuspendingClock.Instant)] = []
            var isRunning = false
            var waiting: [UnsafeContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        func remove(_ group: ControlGroup) {
            let begins = state.withLock { state in
                state.groups.append((group, SuspendingClock().now.advanced(by: Self.limit)))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if begins { SystemThread.start { self.run() } }
        }

        /// Waits until no group waits any more.
        func finish() async {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRunning { state.waiting.append(continuation) }
                    return !state.isRunning
                }
                if isOver { continuation.resume() }
            }
        }

        private func run() {
            while true {
                let taken = state.withLock { state in
                    defer { state.groups = [] }
                    return state.groups
                }
                let busy = taken.filter { !$0.group.remove() && SuspendingClock().now < $0.end }
                let waiting: [UnsafeContinuation<Void, Never>]? = state.withLock { state in
                    state.groups += busy
                    guard state.groups.isEmpty else { return nil }
                    defer { state = State() }
                    return state.waiting
                }
                if let waiting {
                    for continuation in waiting { continuation.resume() }
                    return
                }
                if !busy.isEmpty { SystemThread.sleep(for: Self.pause) }
            }
        }
    }
#endif
