#if canImport(ExtensionFoundation) && canImport(XPC)
    import ExtensionFoundation
    import ForceFieldWire
    import Scheduling

    /// Untrusted work in a locked-down process, one typed call away: on Apple's systems in a helper extension, which
    /// the system starts and confines.
    ///
    ///     let field = try ForceField(helper: identity, interface: Pictures.interface())
    ///     let size = try await field.call(Pictures.measure, bytes, deadline: .seconds(2))
    ///
    /// This is the part of the API on Linux that one process for each extension can serve: calls with one reply, one
    /// after the other, also those of several fields for one extension. The system ends a process that was given up,
    /// and does not say when. This is not run where this project is tested.
    ///
    /// Source: `forcefield` section 22.
    public final class ForceField: Sendable {
        package let policy: Policy
        /// What was started, for records.
        package let program: ProgramRecord
        private let client: HelperClient
        private let line: HelperLine

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
        ///   - policy: without what the system does not leave to an app: limits, capabilities, more than one worker or
        ///     request at a time, workers ahead, an age of workers.
        ///   - onTermination: called when the system says that the extension's process is gone.
        /// - Throws: ``ForceFieldError``: `policy`, `unusableProgram` for a policy that cannot be kept here.
        @available(macOS 26, iOS 26, *)
        public init(
            helper identity: AppExtensionIdentity, policy: Policy = Policy(), interface: Interface,
            onTermination: @escaping @Sendable (TerminationReport) -> Void = { _ in }
        ) throws(ForceFieldError) {
            do throws(PolicyError) { try policy.validate() } catch { throw .policy(error) }
            if let objection = policy.objectionOfHelpers {
                throw .unusableProgram(
                    path: identity.bundleIdentifier, reason: "the policy cannot be kept: \(objection). Leave that out.")
            }
            self.policy = policy
            program = ProgramRecord(
                path: identity.bundleIdentifier, digest: nil, capabilities: policy.capabilities.map(\.name))
            let terms = policy.channelTerms(interfaceHash: interface.hash)
            client = HelperClient(policy) {
                try await HelperField(identity, terms: terms, onTermination: onTermination)
            }
            line = .of(identity.bundleIdentifier)
        }

        deinit { line.close(client) }

        /// Asks the extension, when the calls before are answered.
        ///
        /// - Parameters:
        ///   - deadline: from now until the reply has to be there; nil for the policy's. The process is given up with
        ///     it.
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
            let end = (deadline ?? options.deadline ?? policy.deadline).map { SteadyInstant.now + $0 }
            let asked = HelperRequest(
                method.signature.id, maxReply: min(method.maxReplyBytes ?? .max, policy.maxReplyBytes), body)
            return try await line.call(asked, of: client, until: end) { (reply) throws(ForceFieldError) in
                let response: Response
                do throws(CodecError) { response = try MethodBody.decode(reply, raw: isRaw) } catch {
                    throw .invalidReply(error)
                }
                do { try validate?(response) } catch { throw .refusedReply(reason: "\(error)") }
                return response
            }
        }

        // MARK: The whole field

        /// What stands around an extension is the system's, and not reported.
        public var layers: LayerReport { LayerReport([]) }

        /// What the field has at the moment.
        package var summary: FieldSummary {
            let count = line.isConnected(client) ? 1 : 0
            return FieldSummary(
                workers: count, ready: count, openCalls: 0, waitingCalls: 0, spawnDelay: .zero, quarantined: 0,
                wardenIDs: [])
        }

        /// Lets the process go, so that the next call is read by one that knows nothing of those before. A call that is
        /// open is answered first.
        public func retireUsedWorkers() { line.retire(client) }

        /// Gives the process up and fails the calls, also later ones, without waiting for the end of the process.
        public func terminate() async { line.close(client) }
    }
#endif
