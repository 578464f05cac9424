import ForceField
import ForceFieldWire
import PictureService

#if canImport(Glibc)
    import Glibc
#endif

/// Reads pictures from outside, where they can do no harm: in `casemate-worker`, a process that can only compute.
///
/// Pictures of one film, or of one camera, go to one worker; the next film gets another. A worker that ends over a
/// picture loses that picture. What workers answer is checked for what it can be; what it says is an outside value.
///
/// Source: `forcefield` section 23.
public final class PictureReader {
    /// How pictures are read.
    public struct Terms: Sendable {
        /// The worker's program, opened once, at the first picture.
        public var program = WorkerProgram.beside("casemate-worker")
        /// Codes of pictures that follow each other are followed, unless each picture is to be searched.
        public var use = NextPicture.Use.follow
        /// Reads also where the machine does not give all of the sandbox.
        public var allowsMissingLayers = false
        /// How long a picture may take. The largest ones take some seconds on slow machines.
        public var timeLimit = Duration.seconds(20)
        /// What a film may cost. A camera has no budget: a person holds it.
        public var budget = FilmBudget()
        /// Readers that one film, or one camera, may end.
        public var lossLimit = 4
        /// Gets a descriptor of the worker's executable, gives its SHA-256; may throw to refuse it.
        public var measure: (@Sendable (Int32) throws -> [UInt8])?
        /// A handler that is called once if pictures are read with layers missing.
        public var onMissingLayers: (@Sendable (MissingLayers) -> Void)?

        /// The reader that is installed beside this program, with the whole of its sandbox.
        public init() {}
    }

    let terms: Terms
    private var field: ForceField?
    /// Whether there are more films behind the first.
    private var expectsMore = false
    private var hasAnswered = false

    /// Starts nothing: without pictures no worker is needed.
    public init(_ terms: Terms = Terms()) { self.terms = terms }

    /// Lets a signal that ends this process end the readers first, so that nothing of them is left. For programs,
    /// before the first picture.
    public static func endWorkersOnSignals() {
        #if os(Linux)
            ForceField.endWorkers(on: [SIGINT, SIGTERM, SIGHUP])
        #endif
    }

    /// The same, with something else that is done behind it.
    package static func endWorkersOnSignals(then last: @escaping @Sendable () -> Void) {
        #if os(Linux)
            ForceField.endWorkers(on: [SIGINT, SIGTERM, SIGHUP], then: last)
        #endif
    }

    /// Frames of a camera that one worker reads.
    static let framesPerWorker: UInt64 = 1_000

    /// Lets the worker of the next film start while one is read. Said before the first picture.
    func expectMoreFilms() { expectsMore = true }

    /// Gives what is asked next to a worker that has seen nothing.
    func changeWorker() { field?.retireUsedWorkers() }

    /// Asks the worker.
    ///
    /// - Parameters:
    ///   - piece: of the film, given to the worker before it is asked.
    ///   - check: throws ``ReplyRefusal`` for what cannot be. The worker is ended then.
    /// - Returns: the reply, or how the worker ended.
    /// - Throws: ``LinkError``: `noPictureReader`, `noSandbox`.
    func ask<Request, Reply>(
        _ method: Method<Request, Reply>, _ request: Request, after piece: FilmPiece? = nil,
        check: @escaping @Sendable (Reply) throws -> Void
    ) throws(LinkError) -> Result<Reply, PictureLoss.Ending> {
        let field = try openField()
        // The time of a wait for a new worker, after several have ended, is not the picture's.
        let deadline = terms.timeLimit + field.summary.spawnDelay
        let result = WaitingThread.value { () async -> Result<Reply, ForceFieldError> in
            // One after the other: only who has taken the piece is the one that is asked next.
            do throws(ForceFieldError) { try await Self.give(piece, to: field, deadline).get() } catch {
                return .failure(error)
            }
            return await Self.call(method, with: request, in: field, deadline: deadline, check: check)
        }
        if !hasAnswered, case .success = result { reportMissingLayers(of: field) }
        switch result {
        case .success(let reply): return .success(reply)
        case .failure(let error): return .failure(try ending(error))
        }
    }

    private static func give(
        _ piece: FilmPiece?, to field: ForceField, _ deadline: Duration
    ) async -> Result<Void, ForceFieldError> {
        guard let piece else { return .success(()) }
        return await call(PictureService.append, with: piece, in: field, deadline: deadline) { position in
            guard position.holds(piece) else { throw ReplyRefusal.wrongPlace }
        }.map { _ in }
    }

    private static func call<Request, Reply>(
        _ method: Method<Request, Reply>, with request: Request, in field: ForceField, deadline: Duration,
        check: @escaping @Sendable (Reply) throws -> Void
    ) async -> Result<Reply, ForceFieldError> {
        let options = CallOptions {
            $0.patience = deadline
            // Requests that ended workers may be equal where the pictures that they ask for are not.
            $0.acceptsQuarantined = true
        }
        do throws(ForceFieldError) {
            return .success(
                try await field.call(method, request, deadline: deadline, options: options, validate: check))
        } catch { return .failure(error) }
    }

    /// What became of the worker that has not answered.
    private func ending(_ error: ForceFieldError) throws(LinkError) -> PictureLoss.Ending {
        switch error {
        case .deadlineExceeded: return .tooSlow(terms.timeLimit)
        case .terminated(.setupFailed(let failure)): throw LinkError(failure)
        case .terminated(let termination): return .terminated(termination)
        case .invalidReply(let error): return .unbelievable("\(error)")
        case .refusedReply(let reason): return .unbelievable(reason)
        case .worker(_, let text):
            changeWorker()
            return .unbelievable(text)
        default: throw .noPictureReader(reason: "\(error)")
        }
    }

    private func openField() throws(LinkError) -> ForceField {
        if let field { return field }
        do {
            let opened = try ForceField(
                worker: terms.program, policy: policy, interface: PictureService.interface(),
                measure: terms.measure)
            field = opened
            return opened
        } catch {
            throw .noPictureReader(reason: "\(error)")
        }
    }

    private var policy: Policy {
        Policy {
            $0.strictness = terms.allowsMissingLayers ? .bestEffort : .strict
            $0.limits.memoryBytes = PictureService.memoryBytes
            // For all pictures of a film together; each has its own time.
            $0.limits.cpuSeconds = terms.budget.processorSeconds
            // The worker that has the film keeps it, for as long as the next picture is waited for.
            $0.lifetime = WorkerLifetime(requests: .max, idle: nil)
            // One worker reads, and one has seen nothing yet. The one that has had the beginning of a film is given the
            // rest of it.
            $0.maxWorkers = 2
            $0.prewarm = expectsMore ? 1 : 0
            $0.maxFrameBytes = PictureService.maxFrameBytes
            // The kernel makes no network namespace while it clears many away that others have left.
            $0.startTimeout = .seconds(60)
            $0.cancelGrace = .zero
        }
    }

    private func reportMissingLayers(of field: ForceField) {
        hasAnswered = true
        let missing = field.layers.missing.map(\.layer)
        if !missing.isEmpty { terms.onMissingLayers?(MissingLayers(missing)) }
    }
}

extension LinkError {
    package init(_ failure: SetupFailure) {
        self =
            switch failure {
            case .stage(let stage, let errno): .noSandbox(MissingLayers(stage, errno: errno))
            case .layersMissing(let layers): .noSandbox(MissingLayers(layers))
            default: .noPictureReader(reason: "\(Termination.setupFailed(failure))")
            }
    }
}
