#if canImport(ExtensionFoundation) && canImport(XPC)
    import ExtensionFoundation
    import ForceFieldWire
    import Foundation
    import XPC

    /// A connection to the process of an Enhanced Security helper extension, the nearest thing to a worker that Apple's
    /// systems have.
    ///
    /// Not run where this project is tested, and so only what is needed: calls with one reply. The frames are
    /// those of Linux, one XPC message each, checked by the same code. What differs: there is one process for each
    /// extension, so calls wait for each other (``HelperLine``); the system alone limits memory, and processor time has
    /// no limit; and it says of an end only that it came, so that every termination is `killedByOS(.unknown)`.
    ///
    /// Source: `forcefield` section 22.
    @available(macOS 26, iOS 26, *)
    actor HelperField: HelperProcess {
        private let process: AppExtensionProcess
        private let session: XPCSession
        private let onTermination: @Sendable (TerminationReport) -> Void
        private var conversation: HostSideConversation
        private var isEnded = false

        /// Connects. Nothing is sent yet.
        ///
        /// - Throws: what the system says when no process can be had.
        init(
            _ identity: AppExtensionIdentity, terms: ChannelTerms,
            onTermination: @escaping @Sendable (TerminationReport) -> Void
        ) async throws {
            let interruption = Interruption()
            let process = try await AppExtensionProcess(
                configuration: .init(appExtensionIdentity: identity, onInterruption: { interruption.signal() }))
            do {
                session = try process.makeXPCSession()
                try session.activate()
            } catch {
                process.invalidate()
                throw error
            }
            self.process = process
            self.onTermination = onTermination
            conversation = HostSideConversation(terms)
            interruption.then { [weak self] in Task { await self?.end() } }
        }

        /// - Throws: ``ForceFieldError``, and what the system says.
        func begin() async throws {
            guard case .hello? = try await exchange([]), let welcome = conversation.welcome(),
                try await exchange(welcome.bytes) == nil
            else { throw refuse(.violation(.badState)) }
        }

        /// - Throws: ``HelperGone``, ``ForceFieldError``, and what the system says.
        func reply(_ method: MethodID, maxReply: Int, _ body: [UInt8]) async throws -> [UInt8] {
            guard !isEnded else { throw HelperGone() }
            let request = try request(method, maxReply: maxReply, body)
            switch try await exchange(request.frame.bytes) {
            case .response(request.id, let reply): return reply
            case .error(request.id, let code, let text):
                throw ForceFieldError.worker(code, text: String(decoding: text, as: UTF8.self))
            default: throw refuse(.violation(.badState))
            }
        }

        private func request(_ method: MethodID, maxReply: Int, _ body: [UInt8]) throws -> SentRequest {
            do throws(RequestRefusal) {
                return try conversation.request(method, .unary(maxReply: maxReply), body: body, at: .now)
            } catch {
                guard case .tooLarge(let bytes, let limit) = error else { throw HelperGone() }
                throw ForceFieldError.requestTooLarge(bytes: bytes, limit: limit)
            }
        }

        /// Lets the process go; the system ends it.
        func terminate() {
            guard !isEnded else { return }
            close("terminated")
        }

        /// Sends one frame, and reads the one that answers it.
        private func exchange(_ frame: [UInt8]) async throws -> WorkerMessage? {
            guard !isEnded else { throw HelperGone() }
            let answer: Data = try await withCheckedThrowingContinuation { continuation in
                do {
                    try session.send(Data(frame)) { (result: Result<XPCReceivedMessage, XPCRichError>) in
                        continuation.resume(with: Result { try result.get().decode(as: Data.self) })
                    }
                } catch { continuation.resume(throwing: error) }
            }
            do throws(ChannelFault) { return try conversation.take(message: Array(answer), at: .now) } catch {
                throw refuse(error)
            }
        }

        private func refuse(_ fault: ChannelFault) -> ForceFieldError {
            terminate()
            switch fault {
            case .violation(let violation): return .terminated(.protocolViolation(violation))
            case .versionMismatch: return .terminated(.setupFailed(.versionMismatch))
            case .interfaceMismatch: return .terminated(.setupFailed(.interfaceMismatch))
            }
        }

        private func end() {
            guard !isEnded else { return }
            close("the system has ended the process")
            onTermination(TerminationReport(.killedByOS(.unknown)))
        }

        private func close(_ reason: String) {
            isEnded = true
            session.cancel(reason: reason)
            process.invalidate()
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
