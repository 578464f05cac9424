#if canImport(ExtensionFoundation) && canImport(XPC)
    import ExtensionFoundation
    import ForceFieldWire
    import Foundation
    import XPC

    /// The process of an Enhanced Security helper extension, the nearest thing to a worker that Apple's systems have.
    ///
    /// Not run where this project is tested, and so only what is needed: calls with one reply. The frames are
    /// those of Linux, one XPC message each, checked by the same code. What differs: there is one process for each
    /// extension, so calls wait for each other; the system alone limits memory, and processor time has no limit; and it
    /// says of an end only that it came, so that every termination is `killedByOS(.unknown)`.
    ///
    /// Source: `forcefield` section 22.
    @available(macOS 26, iOS 26, *)
    actor HelperField: Helper {
        private let process: AppExtensionProcess
        private let session: XPCSession
        private let onTermination: @Sendable (TerminationReport) -> Void
        private var conversation: HostSideConversation
        private var isEnded = false

        /// - Parameters:
        ///   - identity: of an extension that `AppExtensionPoint.Monitor` has found; its point says
        ///     `EnhancedSecurity(true)`.
        ///   - onTermination: called when the system says that the extension's process is gone.
        /// - Throws: ``ForceFieldError``, and what the system says when no process can be had.
        init(
            _ identity: AppExtensionIdentity, policy: Policy = Policy(), interface: Interface,
            onTermination: @escaping @Sendable (TerminationReport) -> Void = { _ in }
        ) async throws {
            do throws(PolicyError) { try policy.validate() } catch { throw ForceFieldError.policy(error) }
            let interruption = Interruption()
            process = try await AppExtensionProcess(
                configuration: .init(appExtensionIdentity: identity, onInterruption: { interruption.signal() }))
            session = try process.makeXPCSession()
            try session.activate()
            self.onTermination = onTermination
            conversation = HostSideConversation(policy.channelTerms(interfaceHash: interface.hash))
            interruption.then { [weak self] in Task { await self?.end() } }
            try await begin()
        }

        /// - Throws: ``ForceFieldError``, and what the system says.
        func reply(_ method: MethodID, maxReply: Int, _ body: [UInt8]) async throws -> [UInt8] {
            guard !isEnded else { throw ForceFieldError.closed }
            let request = try conversation.request(method, .unary(maxReply: maxReply), body: body, at: .now)
            switch try await exchange(request.frame.bytes) {
            case .response(request.id, let reply): return reply
            case .error(request.id, let code, let text):
                throw ForceFieldError.worker(code, text: String(decoding: text, as: UTF8.self))
            default: throw refuse(.badState)
            }
        }

        /// Lets the process go; the system ends it.
        func terminate() {
            guard !isEnded else { return }
            isEnded = true
            session.cancel(reason: "terminated")
            process.invalidate()
        }

        private func begin() async throws {
            guard case .hello? = try await exchange([]), let welcome = conversation.welcome(),
                try await exchange(welcome.bytes) == nil
            else { throw refuse(.badState) }
        }

        /// Sends one frame, and reads the one that answers it.
        private func exchange(_ frame: [UInt8]) async throws -> WorkerMessage? {
            let answer: Data = try await withCheckedThrowingContinuation { continuation in
                do {
                    try session.send(Data(frame)) { (result: Result<XPCReceivedMessage, XPCRichError>) in
                        continuation.resume(with: Result { try result.get().decode(as: Data.self) })
                    }
                } catch { continuation.resume(throwing: error) }
            }
            do throws(ChannelFault) { return try conversation.take(message: Array(answer), at: .now) } catch {
                if case .violation(let violation) = error { throw refuse(violation) }
                throw refuse(.badState)
            }
        }

        private func refuse(_ violation: ProtocolViolation) -> ForceFieldError {
            terminate()
            return .terminated(.protocolViolation(violation))
        }

        private func end() {
            guard !isEnded else { return }
            isEnded = true
            onTermination(TerminationReport(.killedByOS(.unknown)))
        }
    }

    /// Links the system's word with what is to be done then, also where the word comes first.
    // @unchecked: every access holds the lock.
    private final class Interruption: @unchecked Sendable {
        private let lock = NSLock()
        private var hasCome = false
        private var action: (@Sendable () -> Void)?

        func signal() {
            let action = lock.withLock {
                hasCome = true
                return self.action
            }
            action?()
        }

        func then(_ action: @escaping @Sendable () -> Void) {
            let isLate = lock.withLock {
                self.action = action
                return hasCome
            }
            if isLate { action() }
        }
    }
#endif
