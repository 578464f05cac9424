#if canImport(ExtensionFoundation) && canImport(XPC)
    import ExtensionFoundation
    import ForceFieldWire
    import Scheduling
    import Synchronization

    /// Untrusted work in a locked-down process, one typed call away: on Apple's systems in a helper extension, which
    /// the system starts and confines.
    ///
    ///     let field = try ForceField(helper: identity, interface: Pictures.interface())
    ///     let size = try await field.call(Pictures.measure, bytes, deadline: .seconds(2))
    ///
    /// This is the part of the API on Linux that one process for each extension can serve: calls with one reply. It is
    /// not run where this project is tested.
    ///
    /// Source: `forcefield` section 22.
    public final class ForceField: Sendable {
        package let policy: Policy
        /// What was started, for records.
        package let program: ProgramRecord
        private let open: @Sendable () async throws -> any Helper
        /// The process that has the calls, once there was one; nil after it was given up.
        private let current = Mutex<Task<any Helper, any Error>?>(nil)

        /// Refuses every program: these systems confine extensions alone.
        ///
        /// - Throws: ``ForceFieldError``: `unusableProgram`.
        public init(
            worker: WorkerProgram, policy: Policy = Policy(), interface: Interface?,
            measure: (@Sendable (Int32) throws -> [UInt8])? = nil
        ) throws(ForceFieldError) {
            throw .unusableProgram(
                path: "\(worker)", reason: "this system confines helper extensions alone. Use ForceField(helper:).")
        }

        /// - Parameters:
        ///   - identity: of an extension that `AppExtensionPoint.Monitor` has found; its point says
        ///     `EnhancedSecurity(true)`.
        ///   - onTermination: called when the system says that the extension's process is gone.
        /// - Throws: ``ForceFieldError``: `policy`.
        @available(macOS 26, iOS 26, *)
        public init(
            helper identity: AppExtensionIdentity, policy: Policy = Policy(), interface: Interface,
            onTermination: @escaping @Sendable (TerminationReport) -> Void = { _ in }
        ) throws(ForceFieldError) {
            do throws(PolicyError) { try policy.validate() } catch { throw .policy(error) }
            self.policy = policy
            program = ProgramRecord(
                path: identity.bundleIdentifier, digest: nil, capabilities: policy.capabilities.map(\.name))
            open = {
                try await HelperField(identity, policy: policy, interface: interface, onTermination: onTermination)
            }
        }

        /// Asks the extension.
        ///
        /// - Parameters:
        ///   - deadline: from now until the reply has to be there; nil for the policy's. The process ends with it.
        ///   - validate: looks at the reply before it is returned; what it throws becomes `refusedReply`, and the
        ///     process is given up.
        /// - Throws: ``ForceFieldError``
        public nonisolated(nonsending) func call<Request, Response>(
            _ method: Method<Request, Response>, _ request: Request, deadline: Duration? = nil,
            options: CallOptions = CallOptions(), validate: ((Response) throws -> Void)? = nil
        ) async throws(ForceFieldError) -> Response {
            let isRaw = method.isRaw
            let body: [UInt8]
            do throws(CodecError) { body = try MethodBody.encode(request, raw: isRaw) } catch {
                throw .invalidRequest(error)
            }
            let reply = try await reply(
                method.signature.id, maxReply: min(method.maxReplyBytes ?? .max, policy.maxReplyBytes), body,
                within: deadline ?? options.deadline ?? policy.deadline)
            let response: Response
            do throws(CodecError) { response = try MethodBody.decode(reply, raw: isRaw) } catch {
                retireUsedWorkers()
                throw .invalidReply(error)
            }
            do { try validate?(response) } catch {
                retireUsedWorkers()
                throw .refusedReply(reason: "\(error)")
            }
            return response
        }

        private nonisolated(nonsending) func reply(
            _ method: MethodID, maxReply: Int, _ body: [UInt8], within time: Duration?
        ) async throws(ForceFieldError) -> [UInt8] {
            let end = time.map { SteadyInstant.now + $0 }
            let watchdog = end.map { end in
                Task {
                    try await Task.sleep(for: SteadyInstant.now.duration(to: end))
                    retireUsedWorkers()
                }
            }
            defer { watchdog?.cancel() }
            do {
                return try await helper().value.reply(method, maxReply: maxReply, body)
            } catch ForceFieldError.worker(let code, let text) {
                throw .worker(code, text: text)
            } catch {
                retireUsedWorkers()
                if let end, end <= .now { throw .deadlineExceeded }
                throw error as? ForceFieldError ?? .terminated(.killedByOS(.unknown))
            }
        }

        private func helper() -> Task<any Helper, any Error> {
            current.withLock { current in
                if let current { return current }
                let started = Task { [open] in try await open() }
                current = started
                return started
            }
        }

        // MARK: The whole field

        /// What stands around an extension is the system's: nothing that a policy asks for is missing.
        public var layers: LayerReport { LayerReport([]) }

        /// What the field has at the moment.
        package var summary: FieldSummary {
            let count = current.withLock { $0 == nil ? 0 : 1 }
            return FieldSummary(
                workers: count, ready: count, openCalls: 0, waitingCalls: 0, spawnDelay: .zero, quarantined: 0,
                wardenIDs: [])
        }

        /// Lets the process go, so that the next call is read by one that knows nothing of those before.
        public func retireUsedWorkers() {
            let used = current.withLock { current in
                defer { current = nil }
                return current
            }
            if let used { Task { try await used.value.terminate() } }
        }

        /// Ends the process, without waiting for its end.
        public func terminate() async { retireUsedWorkers() }
    }

    /// The process of an extension, which newer systems have.
    protocol Helper: Sendable {
        func reply(_ method: MethodID, maxReply: Int, _ body: [UInt8]) async throws -> [UInt8]
        func terminate() async
    }
#endif
