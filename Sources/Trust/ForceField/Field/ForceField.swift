#if os(Linux)
    import Cryptography
    import ForceFieldWire
    import Logging
    import Scheduling

    /// Untrusted work in a locked-down process, one typed call away.
    ///
    ///     let field = try ForceField(worker: .beside("picture-worker"), interface: Pictures.interface)
    ///     let size = try await field.call(Pictures.measure, bytes, deadline: .seconds(2))
    ///
    /// Workers are started on demand and end when they are not used, when a field is terminated or forgotten, and with
    /// this process. A worker reaches nothing but its channel, and what it answers is checked for form; its content
    /// stays an outside value, to be judged by the caller.
    ///
    /// The state that callers share lies in the pool, behind a lock that is held for microseconds: a call is written by
    /// the thread that makes it. A field itself never changes.
    ///
    /// Source: `forcefield` sections 17 and 21.
    public final class ForceField: Sendable {
        package let policy: Policy
        /// What was started, for records.
        package let program: ProgramRecord
        private let interface: Interface?
        private let pool: WorkerPool
        private let journal: FieldJournal

        /// - Parameters:
        ///   - worker: opened once; what lies at its path later is not looked at.
        ///   - interface: the worker's methods, which have to be the same there; nil accepts a worker of any, for
        ///     tools.
        ///   - configuration: handed to each worker, which handlers read.
        ///   - services: what workers may ask of this process, as far as the policy grants it.
        ///   - logger: for ends of workers, missing layers, and lines from workers, marked as theirs.
        ///   - onTermination: called once for each worker, after all its calls have failed.
        ///   - onSurface: gets what workers draw, where the policy grants a surface.
        ///   - measure: gets a descriptor of the executable, gives its SHA-256 for ``program``; may throw to refuse it.
        /// - Throws: ``ForceFieldError``: `policy`, `unusableProgram`, `unusableCapability`, `invalidRequest` for a
        ///   configuration that cannot be written.
        public init(
            worker: WorkerProgram, policy: Policy = Policy(), interface: Interface?,
            configuration: (any Encodable & Sendable)? = nil, services: HostServices = HostServices(),
            logger: Logger? = nil, onTermination: (@Sendable (TerminationReport) -> Void)? = nil,
            onSurface: (@Sendable (SurfaceFrame) -> Void)? = nil,
            measure: (@Sendable (Int32) throws -> [UInt8])? = nil
        ) throws(ForceFieldError) {
            do throws(PolicyError) { try policy.validate() } catch { throw .policy(error) }
            let executable = try WorkerExecutable(worker, measure: measure)
            var mode = StagePolicy.Mode()
            mode.isForeign = worker.isForeign
            // What cannot be granted is told now rather than by each worker.
            _ = try StagePolicy(policy, mode)
            let launch = Launch(
                executable: executable, policy: policy, mode: mode, makeGroup: ControlGroups.makeOwn)
            var terms = WorkerTerms(launch: launch, channel: policy.channelTerms(interfaceHash: interface?.hash))
            if let configuration {
                do throws(CodecError) { terms.configuration = try FFV1.encode(configuration) } catch {
                    throw .invalidRequest(error)
                }
            }
            self.policy = policy
            self.interface = interface
            program = ProgramRecord(
                path: executable.path, digest: executable.digest, capabilities: policy.capabilities.map(\.name))
            journal = FieldJournal(logger, onTermination: onTermination)
            pool = WorkerPool(terms, services: services, onSurface: onSurface, journal: journal)
            pool.start()
        }

        deinit { pool.close() }

        // MARK: Calls

        /// Asks a worker.
        ///
        /// - Parameters:
        ///   - deadline: from now until the reply has to be there; nil for the policy's.
        ///   - validate: looks at the reply before it is returned; what it throws becomes `refusedReply`, and the
        ///     worker is retired.
        /// - Throws: ``ForceFieldError``
        public nonisolated(nonsending) func call<Request, Response>(
            _ method: Method<Request, Response>, _ request: Request, deadline: Duration? = nil,
            options: CallOptions = CallOptions(), validate: ((Response) throws -> Void)? = nil
        ) async throws(ForceFieldError) -> Response {
            let (body, call) = try await reply(to: method, request, deadline: deadline, options: options)
            return try accept(body, of: method, from: call, validate)
        }

        /// Asks several workers that have seen nothing else, and believes them only if all give the same bytes.
        ///
        /// - Parameter count: of workers, at least 2.
        /// - Throws: ``ForceFieldError``: `disagreement`, or the first of the workers' errors.
        public nonisolated(nonsending) func callAgreeing<Request, Response>(
            _ method: Method<Request, Response>, _ request: Request, count: Int = 2, deadline: Duration? = nil,
            options: CallOptions = CallOptions(), validate: ((Response) throws -> Void)? = nil
        ) async throws(ForceFieldError) -> Response {
            precondition(count >= 2, "one worker agrees with itself")
            typealias Reply = Result<(body: [UInt8], call: Call), ForceFieldError>
            let replies = await withTaskGroup(of: Reply.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        do throws(ForceFieldError) {
                            return .success(
                                try await self.reply(
                                    to: method, request, deadline: deadline, options: options, fresh: true))
                        } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var first: (body: [UInt8], call: Call)?
            for reply in replies {
                let reply = try reply.get()
                if let first, first.body != reply.body {
                    pool.noteBadAnswer()
                    throw .disagreement
                }
                first = first ?? reply
            }
            guard let first else { throw .disagreement }
            return try accept(first.body, of: method, from: first.call, validate)
        }

        /// Asks a worker for many values. The worker waits while they are not consumed; a consumer that stops ends the
        /// call.
        ///
        /// - Parameter deadline: from now until the last item has to be there; nil for the policy's.
        public func stream<Request, Item>(
            _ method: StreamMethod<Request, Item>, _ request: Request, deadline: Duration? = nil,
            options: CallOptions = CallOptions()
        ) -> ItemStream<Item> {
            let inbox = StreamInbox(window: policy.streamCredit)
            let isRaw = method.isRaw
            do throws(ForceFieldError) {
                let body = try write(request, raw: isRaw)
                let isSuspect = try check(body, options)
                let kind = CallKind.stream(maxItem: min(method.maxItemBytes ?? .max, policy.maxReplyBytes))
                let call = Call(
                    method.signature, kind, body: body, options: options, deadline: end(deadline, options),
                    needsFreshWorker: isSuspect, to: inbox)
                inbox.begin(call)
                pool.submit(call)
                return ItemStream(inbox, call, raw: isRaw, of: pool)
            } catch {
                inbox.finish(.failure(error))
                return ItemStream(inbox, nil, raw: isRaw, of: pool)
            }
        }

        private nonisolated(nonsending) func reply<Request, Response>(
            to method: Method<Request, Response>, _ request: Request, deadline: Duration?, options: CallOptions,
            fresh: Bool = false
        ) async throws(ForceFieldError) -> (body: [UInt8], call: Call) {
            let body = try write(request, raw: method.isRaw)
            let isSuspect = try check(body, options)
            let kind = CallKind.unary(maxReply: min(method.maxReplyBytes ?? .max, policy.maxReplyBytes))
            let receiver = ReplyReceiver()
            let call = Call(
                method.signature, kind, body: body, options: options, deadline: end(deadline, options),
                needsFreshWorker: fresh || isSuspect, to: receiver)
            let reply = await withTaskCancellationHandler {
                await receiver.reply {
                    pool.submit(call, callerWaits: call.mayWait)
                    call.worker?.waitForAnswer(to: call)
                }
            } onCancel: {
                pool.cancel(call)
            }
            do throws(ForceFieldError) { return (try reply.get(), call) } catch {
                pool.note(error, for: call)
                throw error
            }
        }

        private func accept<Request, Response>(
            _ body: [UInt8], of method: Method<Request, Response>, from call: Call,
            _ validate: ((Response) throws -> Void)?
        ) throws(ForceFieldError) -> Response {
            let response: Response
            do throws(CodecError) {
                response = try MethodBody.decode(body, raw: method.isRaw)
            } catch {
                pool.refuseAnswer(to: call)
                throw .invalidReply(error)
            }
            do { try validate?(response) } catch {
                pool.refuseAnswer(to: call)
                throw .refusedReply(reason: "\(error)")
            }
            pool.noteGoodAnswer()
            return response
        }

        private func write<Request: Encodable>(
            _ request: Request, raw: Bool
        ) throws(ForceFieldError) -> [UInt8] {
            do throws(CodecError) { return try MethodBody.encode(request, raw: raw) } catch {
                throw .invalidRequest(error)
            }
        }

        /// - Returns: whether the call must have a worker of its own.
        private func check(_ body: [UInt8], _ options: CallOptions) throws(ForceFieldError) -> Bool {
            let limit = policy.maxFrameBytes - RequestSize.fixed
            guard body.count <= limit else { throw .requestTooLarge(bytes: body.count, limit: limit) }
            guard options.descriptors.count <= policy.descriptorLimit else {
                throw .unusableDescriptor(
                    .tooMany(count: options.descriptors.count, granted: policy.descriptorLimit))
            }
            // The digest is computed only where an input may have ended a worker before.
            guard pool.hasSuspects else { return false }
            let digest = WorkerPool.digest(body)
            if !options.acceptsQuarantined, pool.refuses(digest) { throw .quarantined }
            return policy.maxInFlight > 1 && pool.isSuspect(digest)
        }

        private func end(_ deadline: Duration?, _ options: CallOptions) -> SteadyInstant? {
            (deadline ?? options.deadline ?? policy.deadline).map { .now + $0 }
        }

        // MARK: The whole field

        /// The walls around the worker that has started last; before the first, what this machine gives.
        public var layers: LayerReport { journal.layers ?? .machine }

        /// What the field has at the moment.
        package var summary: FieldSummary { pool.summary }

        /// Ends all workers, those with calls at once, and fails their calls. Returns when all are gone and their ends
        /// have been told.
        public func terminate() async {
            pool.close()
            await pool.waitUntilEmpty()
        }

        /// Gives no more calls to workers that have had one, so that the next call is read by one that knows nothing of
        /// those before.
        public func retireUsedWorkers() { pool.retireUsed() }

        /// Refuses calls from now on, and kills the workers after a time, also if this process is stopped until then.
        public func enterBackground(grace: Duration = .seconds(5)) { pool.enterBackground(grace: grace) }

        /// Takes calls again, and lets workers live on that have not been killed.
        public func enterForeground() { pool.enterForeground() }

        /// Ends workers, so that memory becomes free. None is started ahead of need before the next call.
        public func handleMemoryPressure(_ pressure: MemoryPressure) { pool.handle(pressure) }
    }

    /// The part of a request's payload that is not its body.
    enum RequestSize {
        static let fixed = 8
    }

    extension WorkerPool {
        /// Remembers an input that has ended its worker, or may have. A worker that answers with an error has answered.
        func note(_ error: ForceFieldError, for call: Call) {
            switch error {
            case .terminated(let termination) where termination.isAbnormal: remember(call)
            case .worker: noteGoodAnswer()
            default: return
            }
        }

        func remember(_ call: Call) {
            let digest = Self.digest(call.body)
            if call.sharedWorker { suspect(digest) } else { strike(digest) }
        }

        static func digest(_ body: [UInt8]) -> [UInt8] { SHA256Hash.of(body) }
    }
#endif
