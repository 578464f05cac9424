#if os(Linux)
    import ForceFieldWire
    import Logging
    import Synchronization

    /// A statically linked program of which nothing is trusted, run to its end: no channel, no files, no environment,
    /// and as much output as it may write.
    ///
    /// Source: `forcefield` section 20, `run`.
    public struct PlainRun: Sendable {
        /// The absolute path of the program.
        package var path: String
        package var arguments: [String] = []
        /// What the program may use, and which layers may be missing around it.
        public var policy = Policy()
        /// Standard input: a regular file that is open for reading alone; nil for /dev/null. It stays the caller's.
        public var input: Int32?
        /// Bytes of both outputs together that are passed on; then the program is killed.
        public var outputLimit = 16 << 20
        /// When the program is killed; nil for never. One that waits uses no processor time, which has a limit of its
        /// own.
        public var deadline: Duration? = .seconds(600)
        /// Told of layers that are missing, and of ends that are not normal.
        public var logger: Logger?

        /// - Parameters:
        ///   - path: of the program, absolute.
        ///   - arguments: behind its name.
        public init(path: String, arguments: [String] = []) {
            self.path = path
            self.arguments = arguments
        }

        /// - Parameter onOutput: gets what the program writes, in order, one call at a time.
        /// - Returns: how the program ended. Cancelling the task kills it.
        /// - Throws: ``ForceFieldError``: `policy`, `unusableProgram`, `unusableCapability`, `unusableDescriptor`.
        public func run(
            onOutput: @escaping @Sendable (OutputKind, [UInt8]) -> Void
        ) async throws(ForceFieldError) -> TerminationReport {
            let terms = try terms()
            let owner = PlainRunOwner(
                FieldJournal(logger, onTermination: nil), limit: outputLimit, onOutput: onOutput)
            let process = WorkerProcess(terms, owner: owner)
            let report = await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    owner.begin(continuation)
                    process.launch()
                }
            } onCancel: {
                process.kill(.cancelled)
            }
            await owner.journal.deliveries.drain()
            await terms.launch.pendingGroups.finish()
            return report
        }

        private func terms() throws(ForceFieldError) -> WorkerTerms {
            do throws(PolicyError) { try policy.validate() } catch { throw .policy(error) }
            var mode = StagePolicy.Mode()
            mode.isForeign = true
            mode.hasChannel = false
            _ = try StagePolicy(policy, mode)
            var launch = Launch(
                executable: try WorkerExecutable(.foreign(path: path, arguments: arguments)), policy: policy,
                mode: mode,
                makeGroup: ControlGroups.makeOwn)
            if let input {
                do throws(DescriptorRefusal) { launch.input = try OutgoingDescriptor(input).copy } catch {
                    throw .unusableDescriptor(error)
                }
            }
            var terms = WorkerTerms(launch: launch, channel: nil)
            terms.outputLimit = outputLimit
            terms.deadline = deadline
            return terms
        }
    }

    /// Passes on what a plain program writes. The program waits while too much has not been taken.
    final class PlainRunOwner: WorkerOwner {
        let journal: FieldJournal
        private let onOutput: @Sendable (OutputKind, [UInt8]) -> Void
        private let state: Mutex<State>

        /// Pieces that wait, of up to 64 KiB, when the program is held and when it goes on.
        static let (most, few) = (64, 16)

        private struct State {
            var left: Int
            var pieces = 0
            var isHeld = false
            var waiting: UnsafeContinuation<TerminationReport, Never>?
        }

        init(_ journal: FieldJournal, limit: Int, onOutput: @escaping @Sendable (OutputKind, [UInt8]) -> Void) {
            self.journal = journal
            self.onOutput = onOutput
            state = Mutex(State(left: limit))
        }

        func begin(_ continuation: UnsafeContinuation<TerminationReport, Never>) {
            state.withLock { $0.waiting = continuation }
        }

        /// Whether the program waits.
        var isHeld: Bool { state.withLock { $0.isHeld } }

        private func taken(of worker: WorkerProcess) {
            let goesOn = state.withLock { state in
                state.pieces -= 1
                guard state.isHeld, state.pieces <= Self.few else { return false }
                state.isHeld = false
                return true
            }
            if goesOn { worker.holdOutputs { self.isHeld } }
        }

        func handle(_ event: WorkerEvent, of worker: WorkerProcess) {
            switch event {
            case .isReady: if let layers = worker.layers { journal.started(layers) }
            case .output(let kind, let bytes):
                let (passed, isHeld) = state.withLock { state in
                    let passed = min(state.left, bytes.count)
                    state.left -= passed
                    if passed > 0 { state.pieces += 1 }
                    let isHeld = !state.isHeld && state.pieces >= Self.most
                    if isHeld { state.isHeld = true }
                    return (passed, isHeld)
                }
                guard passed > 0 else { return }
                journal.deliveries.deliver { [self] in
                    onOutput(kind, Array(bytes[..<passed]))
                    taken(of: worker)
                }
                if isHeld { worker.holdOutputs { self.isHeld } }
            case .ended(let report, _):
                journal.ended(report)
                let waiting = state.withLock { state in
                    defer { state.waiting = nil }
                    return state.waiting
                }
                waiting?.resume(returning: report)
            // These need a channel.
            case .answered, .notTaken, .item, .progress, .missedDeadline, .hostCall, .log: return
            }
        }
    }
#endif
