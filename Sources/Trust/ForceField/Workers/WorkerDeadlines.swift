#if os(Linux)
    import Scheduling

    /// The times at which something happens to a worker if nothing else has happened before.
    ///
    /// Each is nil while it is not waited for, and passes once.
    struct WorkerDeadlines: Sendable {
        /// When a worker is killed that has not said HELLO, or whose warden has not said what it is locked in by.
        var start: SteadyInstant?
        /// When a plain program is killed.
        var run: SteadyInstant?
        /// When a worker that has ended its channel inside a frame is killed.
        var fault: SteadyInstant?
        /// When a worker that was asked to end is killed, and for what reason.
        var shutdown: (time: SteadyInstant, reason: KillReason)?
        /// When the state is looked at again that no event tells of.
        private var look: SteadyInstant?

        private static let lookInterval = Duration.milliseconds(1)

        /// The first of all of them.
        var earliest: Earliest {
            var first = Earliest(start)
            first.add(run)
            first.add(fault)
            first.add(shutdown?.time)
            first.add(look)
            return first
        }

        mutating func lookSoon() { look = .now + Self.lookInterval }

        /// - Returns: whether it is time to look; then not again unless ``lookSoon()`` says so.
        mutating func takeLook(at now: SteadyInstant) -> Bool { look.pass(at: now) }

        /// - Returns: why the worker that was asked to end is killed now; nil if it is not.
        mutating func takeShutdown(at now: SteadyInstant) -> KillReason? {
            guard let limit = shutdown, limit.time <= now else { return nil }
            shutdown = nil
            return limit.reason
        }
    }

    extension SteadyInstant? {
        /// Lets go of a time that has come.
        ///
        /// - Returns: whether it has.
        mutating func pass(at now: SteadyInstant) -> Bool {
            guard let time = self, time <= now else { return false }
            self = nil
            return true
        }
    }
#endif
