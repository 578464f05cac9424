#if os(Linux)
    import CLinux
    import Files
    import Glibc
    import Scheduling
    import Synchronization
    import Threads

    /// Something that the reactor wakes: it has descriptors, each under a number of its own, and one time at which it
    /// is due.
    ///
    /// Both functions are called on the reactor's thread, which all workers share: they neither wait nor call code of
    /// others.
    protocol ReactorSource: AnyObject, Sendable {
        func isReady(_ part: UInt8)
        func isDue(at now: SteadyInstant)
    }

    /// The one thread that waits for the channels, outputs and ends of all workers, and for times.
    ///
    /// Not Dispatch: its sources have races when they are cancelled. The thread starts at first use and never ends.
    final class Reactor: Sendable {
        static let shared = Reactor()

        /// Events that are taken at a time.
        private static let batch = 64
        /// Bits of a token that name the part of a source.
        private static let partBits: UInt64 = 3
        private static let timerToken = UInt64.max

        private let events: Int32
        private let timer: Int32
        private let sources = Mutex(Sources())
        private let times = Mutex(DueTimes())

        private struct Sources {
            var lastID: UInt64 = 0
            var byID: [UInt64: any ReactorSource] = [:]
        }

        private init() {
            events = clinux_events_open()
            timer = clinux_boot_timer_open()
            // Without these no worker can run; a system that has none left has no room for the worker either.
            precondition(events >= 0 && timer >= 0, "no descriptors are left for waiting: raise RLIMIT_NOFILE")
            precondition(clinux_events_add(events, timer, Self.timerToken, Interest.input.rawValue) == 0)
            SystemThread.start { self.run() }
        }

        // MARK: Sources

        /// Holds the source until ``remove(_:)``.
        func add(_ source: any ReactorSource) -> UInt64 {
            sources.withLock { sources in
                sources.lastID += 1
                sources.byID[sources.lastID] = source
                return sources.lastID
            }
        }

        func remove(_ id: UInt64) {
            _ = sources.withLock { $0.byID.removeValue(forKey: id) }
            times.withLock { $0.remove(id) }
        }

        /// Waits for input until the descriptor is closed.
        ///
        /// - Parameter part: below 8.
        /// - Returns: whether the system could.
        func watch(_ descriptor: OpenFile, part: UInt8, of id: UInt64) -> Bool {
            clinux_events_add(events, descriptor.number, id << Self.partBits | UInt64(part), Interest.input.rawValue)
                == 0
        }

        /// The events of a descriptor that are waited for from now on. Its end is told in any case.
        struct Interest: OptionSet, Sendable {
            let rawValue: Int32
            static let input = Self(rawValue: Int32(clinux_event_readable.rawValue))
            static let room = Self(rawValue: Int32(clinux_event_writable.rawValue))
        }

        func watch(_ descriptor: OpenFile, part: UInt8, of id: UInt64, for interest: Interest) {
            _ = clinux_events_change(events, descriptor.number, id << Self.partBits | UInt64(part), interest.rawValue)
        }

        func stopWatching(_ descriptor: OpenFile) { _ = clinux_events_remove(events, descriptor.number) }

        /// Wakes the source at a time, or before: a source has one time, and a later one does not replace an earlier
        /// one.
        func wake(_ id: UInt64, at time: SteadyInstant) {
            times.withLock { times in
                guard times.insert(id, at: time) else { return }
                setTimer(to: time)
            }
        }

        /// The timer and the times have one clock.
        private func setTimer(to time: SteadyInstant) { _ = clinux_boot_timer_set(timer, time.milliseconds) }

        // MARK: The thread

        private func run() -> Never {
            var found = [clinux_event](repeating: clinux_event(), count: Self.batch)
            while true {
                let count = clinux_events_wait(events, &found, Int32(Self.batch))
                precondition(count >= 0, "waiting failed with errno \(errno)")
                for event in found[..<Int(count)] { handle(event.token) }
            }
        }

        private func handle(_ token: UInt64) {
            guard token != Self.timerToken else { return handleTimes() }
            let source = sources.withLock { $0.byID[token >> Self.partBits] }
            source?.isReady(UInt8(token & (1 << Self.partBits - 1)))
        }

        private func handleTimes() {
            _ = clinux_boot_timer_take(timer)
            let now = SteadyInstant.now
            for id in times.withLock({ $0.takeDue(at: now) }) {
                sources.withLock { $0.byID[id] }?.isDue(at: now)
            }
            times.withLock { times in
                if let next = times.next { setTimer(to: next) }
            }
        }
    }
#endif
