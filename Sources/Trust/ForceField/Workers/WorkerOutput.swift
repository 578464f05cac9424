#if os(Linux)
    import Files
    import Glibc
    import Scheduling

    /// A pipe from a worker's standard output or standard error.
    struct WorkerOutput {
        let descriptor: OpenFile
        let kind: OutputKind
        let part: WorkerState.Part
        private(set) var tail = OutputTail()
        /// Bytes that were written to it.
        private(set) var total = 0
        private(set) var isOpen = true
        private var flood = Flood()
        /// Until when nothing is read, where too much comes of what only its end is kept of; nil if it is.
        private(set) var pauseEnd: SteadyInstant?

        /// Bytes that are read at a time; a worker that floods waits for its next turn.
        private static let piece = 64 << 10
        /// Reads after the end: more than a pipe holds.
        private static let lastTurns = 32

        init(_ descriptor: OpenFile, _ kind: OutputKind, part: WorkerState.Part) {
            self.descriptor = descriptor
            self.kind = kind
            self.part = part
        }

        /// - Parameters:
        ///   - isLast: the worker has ended; everything that is left is read.
        ///   - relaying: what is read is passed on.
        /// - Returns: whether more can come.
        mutating func read(isLast: Bool, relaying: Bool, _ events: inout [WorkerEvent]) -> Bool {
            guard isOpen else { return false }
            withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 1) { space in
                for _ in 0..<(isLast ? Self.lastTurns : 1) {
                    let count = Glibc.read(descriptor.number, space.baseAddress, space.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        isOpen = count < 0 && errno == EAGAIN
                        if !isOpen { pauseEnd = nil }
                        return
                    }
                    let bytes = UnsafeRawBufferPointer(rebasing: space[..<count])
                    total += count
                    tail.append(bytes)
                    if relaying {
                        events.append(.output(kind, Array(bytes)))
                    } else if !isLast {
                        pauseEnd = flood.drop(units: count / Flood.unitBytes, at: .now)
                    }
                }
            }
            return isOpen
        }

        /// Goes on reading, if it is time to.
        ///
        /// - Returns: whether it was.
        mutating func endPause(at now: SteadyInstant) -> Bool {
            guard let end = pauseEnd, end <= now else { return false }
            pauseEnd = nil
            return true
        }
    }
#endif
