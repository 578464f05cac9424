#if os(Linux)
    import Synchronization
    import Threads

    /// Removes the control groups of workers that have ended.
    ///
    /// A group is busy for a moment longer than its last process, and the kernel does not tell when that is over: it is
    /// tried again, on a thread that is there as long as groups wait.
    ///
    /// Source: `forcefield` section 7.6.
    final class GroupRemoval: Sendable {
        static let shared = GroupRemoval()

        /// How long a group is tried. One with a process that no signal ends yet (it waits for a disk, say) stays; the
        /// next host finds it (``ControlGroups``).
        private let limit: Duration
        /// How long its owner waits for it.
        private let patience: Duration
        private static let pause = Duration.milliseconds(5)

        private struct Entry {
            let remove: @Sendable () -> Bool
            /// Nil once the owner has been told.
            var owner: PendingGroups?
            let patienceEnd, end: SuspendingClock.Instant
        }

        private struct State {
            var entries: [Entry] = []
            var isRunning = false
        }

        private let state = Mutex(State())

        init(limit: Duration = .seconds(60), patience: Duration = .seconds(2)) {
            self.limit = limit
            self.patience = patience
        }

        func remove(_ group: ControlGroup, of owner: PendingGroups) { remove(of: owner) { group.remove() } }

        /// - Parameter remove: tries to; gives false while the group is busy.
        func remove(of owner: PendingGroups, _ remove: @escaping @Sendable () -> Bool) {
            owner.add()
            let now = SuspendingClock().now
            let entry = Entry(remove: remove, owner: owner, patienceEnd: now + min(patience, limit), end: now + limit)
            let begins = state.withLock { state in
                state.entries.append(entry)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if begins, !SystemThread.tryStart({ self.run() }) { tryOnce() }
        }

        /// Whether no group waits to be removed.
        var isIdle: Bool { state.withLock { !$0.isRunning } }

        private func run() {
            while true {
                let taken = state.withLock { state in
                    defer { state.entries = [] }
                    return state.entries
                }
                let busy = taken.compactMap(Self.attempt)
                let isOver = state.withLock { state in
                    state.entries += busy
                    state.isRunning = !state.entries.isEmpty
                    return !state.isRunning
                }
                if isOver { return }
                if !busy.isEmpty { SystemThread.sleep(for: Self.pause) }
            }
        }

        /// Where the system has no thread to give: what is busy stays for the next host.
        private func tryOnce() {
            let taken = state.withLock { state in
                defer { state = State() }
                return state.entries
            }
            for entry in taken {
                _ = entry.remove()
                entry.owner?.remove()
            }
        }

        /// - Returns: what is to be tried again; nil if nothing is.
        private static func attempt(_ entry: Entry) -> Entry? {
            var entry = entry
            let isGone = entry.remove()
            let now = SuspendingClock().now
            if isGone || now >= entry.patienceEnd {
                entry.owner?.remove()
                entry.owner = nil
            }
            return isGone || now >= entry.end ? nil : entry
        }
    }

    /// Counts the groups of one owner's workers that are still there, so that the owner waits for these and no others.
    final class PendingGroups: Sendable {
        private struct State {
            var count = 0
            var waiting: [UnsafeContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        fileprivate func add() { state.withLock { $0.count += 1 } }

        fileprivate func remove() {
            let waiting: [UnsafeContinuation<Void, Never>] = state.withLock { state in
                state.count -= 1
                guard state.count == 0 else { return [] }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        /// Waits until none is left, or has been tried for so long that it may stay.
        func finish() async {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count > 0 { state.waiting.append(continuation) }
                    return state.count == 0
                }
                if isOver { continuation.resume() }
            }
        }
    }
#endif
