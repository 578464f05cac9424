#if os(Linux)
    import Scheduling

    /// Calls that wait for a worker, first in, first out.
    struct CallQueue: Sendable {
        private var calls: [Call] = []
        /// Where the first that waits lies.
        private var start = 0

        var count: Int { calls.count - start }
        var isEmpty: Bool { count == 0 }

        var first: Call? { start < calls.count ? calls[start] : nil }

        mutating func append(_ call: Call) { calls.append(call) }

        /// Puts a call before all others.
        mutating func putBack(_ call: Call) { calls.insert(call, at: start) }

        mutating func takeFirst() -> Call? {
            guard start < calls.count else { return nil }
            defer {
                start += 1
                compact()
            }
            return calls[start]
        }

        private mutating func compact() {
            guard start == calls.count || start >= 64 && start * 2 >= calls.count else { return }
            calls.removeFirst(start)
            start = 0
        }

        mutating func remove(_ call: Call) {
            if let index = calls[start...].firstIndex(where: { $0 === call }) { calls.remove(at: index) }
        }

        mutating func takeAll() -> [Call] {
            defer { self = CallQueue() }
            return Array(calls[start...])
        }

        mutating func takeOverdue(at now: SteadyInstant) -> [Call] {
            let overdue = calls[start...].filter { $0.isOverdue(at: now) }
            if !overdue.isEmpty { calls = calls[start...].filter { call in !overdue.contains { $0 === call } } }
            if !overdue.isEmpty { start = 0 }
            return overdue
        }

        var firstDeadline: SteadyInstant? { calls[start...].compactMap(\.deadline).min() }
    }
#endif
