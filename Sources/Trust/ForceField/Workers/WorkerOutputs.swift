#if os(Linux)
    import Files
    import Scheduling

    /// The pipes that a worker writes its output and its errors to, which the reactor watches for one source.
    struct WorkerOutputs {
        private var pipes: [WorkerOutput] = []
        /// Whether what the worker writes stays in its pipes.
        private var areHeld = false

        /// No pipes, as before there is a process and after its end.
        init() {}

        init(of process: LaunchedProcess) {
            pipes = [WorkerOutput(process.output, .standard, part: .output)]
            if let errors = process.errors { pipes.append(WorkerOutput(errors, .errors, part: .errors)) }
        }

        var descriptors: [OpenFile] { pipes.map(\.descriptor) }
        /// The last bytes of standard error, which may be the same pipe as standard output.
        var errorTail: [UInt8] { pipes.last?.tail.bytes ?? [] }
        /// Bytes that were written to all of them.
        var total: Int { pipes.reduce(0) { $0 + $1.total } }

        /// When a pipe is first read again that is not read for a while.
        var pauseEnd: SteadyInstant? {
            var first = Earliest(nil)
            for index in pipes.indices { first.add(pipes[index].pauseEnd) }
            return first.time
        }

        /// - Returns: whether the system had room for that.
        func listen(for source: UInt64) -> Bool { pipes.allSatisfy { Self.listen(to: $0, for: source) } }

        private static func listen(to pipe: WorkerOutput, for source: UInt64) -> Bool {
            Reactor.shared.watch(pipe.descriptor, part: pipe.part.rawValue, of: source)
        }

        /// Leaves what the worker writes in its pipes, or reads on.
        ///
        /// - Returns: false where the system had no room to listen to each of them again.
        mutating func hold(_ isHeld: Bool, for source: UInt64) -> Bool {
            guard isHeld != areHeld else { return true }
            areHeld = isHeld
            var isWatched = true
            for pipe in pipes where pipe.isOpen {
                if isHeld {
                    Reactor.shared.stopWatching(pipe.descriptor)
                } else if !Self.listen(to: pipe, for: source) {
                    isWatched = false
                }
            }
            return isWatched
        }

        /// Reads what has come by one pipe, unless they are held.
        ///
        /// - Parameter relaying: what is read is passed on.
        mutating func read(
            _ part: WorkerState.Part, for source: UInt64, relaying: Bool, _ events: inout [WorkerEvent]
        ) {
            guard !areHeld else { return }
            for index in pipes.indices where pipes[index].part == part {
                read(index, for: source, isLast: false, relaying: relaying, &events)
            }
        }

        /// Reads what is left when the worker has ended, also if they are held.
        mutating func readLast(for source: UInt64, relaying: Bool, _ events: inout [WorkerEvent]) {
            for index in pipes.indices { read(index, for: source, isLast: true, relaying: relaying, &events) }
        }

        private mutating func read(
            _ index: Int, for source: UInt64, isLast: Bool, relaying: Bool, _ events: inout [WorkerEvent]
        ) {
            let isOpen = pipes[index].read(isLast: isLast, relaying: relaying, &events)
            if !isOpen {
                Reactor.shared.stopWatching(pipes[index].descriptor)
            } else if pipes[index].pauseEnd != nil {
                watch(pipes[index], of: source, for: [])
            }
        }

        /// Goes on reading those for which it is time to.
        mutating func endPauses(at now: SteadyInstant, for source: UInt64) {
            for index in pipes.indices where pipes[index].endPause(at: now) {
                watch(pipes[index], of: source, for: .input)
            }
        }

        private func watch(_ pipe: WorkerOutput, of source: UInt64, for interest: Reactor.Interest) {
            Reactor.shared.watch(pipe.descriptor, part: pipe.part.rawValue, of: source, for: interest)
        }
    }
#endif
