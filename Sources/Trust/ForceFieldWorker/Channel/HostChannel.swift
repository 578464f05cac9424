#if os(Linux)
    import ForceFieldWire
    import Scheduling

    /// Serves the host: takes its frames, has handlers answer, and writes what they have to say.
    ///
    /// Source: `forcefield` sections 10 and 11.
    actor HostChannel: EventSource {
        /// How long the welcome may take from HELLO on.
        private static let welcomeTime = Duration.seconds(2)

        private let service: Service
        private nonisolated let socket: HostSocket
        private nonisolated let loop: RunLoop
        private var conversation: WorkerSideConversation
        /// Descriptors that no frame has claimed yet.
        private var arrived: [ReceivedDescriptor] = []
        private var welcome: Welcome?
        private var welcomeDeadline: SteadyInstant?
        private var isShuttingDown = false
        /// Requests that are being answered, in the order of their numbers. They are few.
        private var requests: [Request] = []
        private var hostCalls = RisingTable<CheckedContinuation<HostAnswer, any Error>>()
        private var lastWaiter: UInt64 = 0

        /// A request that is being answered.
        private final class Request {
            let id: UInt64
            let task: Task<Void, Never>
            let deadline: SteadyInstant?
            var isExpired = false
            var isCancelled = false
            var progress: UInt64 = 0
            /// Tasks that wait to send an item. Most requests have none.
            lazy var waiters = RisingTable<CheckedContinuation<Void, any Error>>()

            init(_ id: UInt64, _ task: Task<Void, Never>, deadline: SteadyInstant?) {
                self.id = id
                self.task = task
                self.deadline = deadline
            }
        }

        /// - Returns: nil if the request is not open.
        private func request(_ id: UInt64) -> Request? { requests.first { $0.id == id } }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        nonisolated var descriptor: Int32 { socket.descriptor }

        init(_ service: Service, _ hello: Hello, socket: HostSocket, loop: RunLoop) {
            self.service = service
            self.socket = socket
            self.loop = loop
            conversation = WorkerSideConversation(hello, takesDescriptors: service.takesDescriptors)
        }

        /// Goes once through what a first request needs, before there is one: Swift looks types up when they are first
        /// used, which takes longer than a short request. A worker that was started ahead has time for that.
        nonisolated func warmUp(_ hello: Hello) {
            WorkerSideConversation.warmUp(hello)
            assumeIsolated { channel in
                channel.requests = [Request(0, .detached(executorPreference: channel.loop) {}, deadline: nil)]
                channel.requests.removeAll { $0.id == 0 }
            }
            loop.runJobs()
        }

        /// Says who we are, and serves until the host has enough.
        nonisolated func serve(_ hello: Hello) -> Never {
            assumeIsolated {
                $0.send(.hello(hello))
                $0.welcomeDeadline = .now + Self.welcomeTime
            }
            loop.run(self)
        }

        private func send(_ frame: Frame?) {
            guard let frame else { return }
            do { try socket.write(frame) } catch { WorkerExit.clean.end() }
        }
    }

    // MARK: What the host says

    extension HostChannel {
        nonisolated func receive(waits: Bool) { assumeIsolated { $0.readFrames(waits: waits) } }

        private func readFrames(waits: Bool) {
            do throws(HostSocket.Fault) {
                _ = try conversation.fill(at: .now) { space throws(HostSocket.Fault) in
                    try socket.read(into: space, descriptors: &arrived, waits: waits)
                }
            } catch {
                WorkerExit.clean.end()
            }
            let now = SteadyInstant.now
            do throws(ChannelFault) {
                while let message = try conversation.next() { try handle(message, at: now) }
            } catch {
                WorkerExit(error).end(saying: error.explanation)
            }
        }

        private func handle(_ message: HostMessage, at now: SteadyInstant) throws(ChannelFault) {
            switch message {
            case .welcome(let welcome):
                self.welcome = welcome
                welcomeDeadline = nil
            case .request(let request): start(request, try claim(request.descriptors), at: now)
            case .cancel(let id):
                request(id)?.isCancelled = true
                request(id)?.task.cancel()
            case .credit(let id):
                let waiters = request(id)?.waiters.entries ?? []
                request(id)?.waiters = RisingTable()
                for waiter in waiters { waiter.value.resume() }
            case .hostReply(let id, let body, let count):
                let answer = HostAnswer(body: body, descriptors: try claim(count))
                hostCalls.remove(id.rawValue)?.resume(returning: answer)
            case .hostError(let id, let code, let text):
                hostCalls.remove(id.rawValue)?.resume(throwing: WorkerError.refused(code, text: text))
            case .shutdown:
                isShuttingDown = true
                for request in requests { request.task.cancel() }
                endIfDone()
            }
        }

        /// The descriptors of a frame, which arrived no later than its first byte.
        private func claim(_ count: UInt16) throws(ChannelFault) -> [ReceivedDescriptor] {
            guard arrived.count >= count else { throw .violation(.unexpectedDescriptors) }
            defer { arrived.removeFirst(Int(count)) }
            return Array(arrived.prefix(Int(count)))
        }

        private func start(
            _ request: IncomingRequest, _ descriptors: [ReceivedDescriptor], at now: SteadyInstant
        ) {
            guard requests.count < min(Int(welcome?.maxInFlight ?? 1), service.maxInFlight) else {
                return send(conversation.error(request.id, .busy, text: "\(requests.count) requests are open already"))
            }
            guard let handler = service.handler(of: request.method) else {
                return send(conversation.error(request.id, .unknownMethod, text: "no such method"))
            }
            let call = Call(
                id: request.id, deadline: request.timeLeft.map { now + $0 }, descriptors: descriptors, channel: self)
            // Detached, as it would begin on the actor else and then change to the loop, which is the same. It begins
            // behind this: whoever makes a task for the loop is on its thread.
            let task = Task.detached(executorPreference: loop) { [self] in
                await answer(call, by: handler, request.body)
            }
            requests.append(Request(request.id, task, deadline: call.deadline))
        }
    }

    // MARK: Deadlines

    extension HostChannel {
        nonisolated var deadline: SteadyInstant? { assumeIsolated { $0.nextDeadline } }

        private var nextDeadline: SteadyInstant? {
            var next = welcomeDeadline
            for request in requests where !request.isExpired {
                guard let deadline = request.deadline else { continue }
                next = next.map { min($0, deadline) } ?? deadline
            }
            return next
        }

        nonisolated func deadlinePassed(_ now: SteadyInstant) { assumeIsolated { $0.expire(now) } }

        private func expire(_ now: SteadyInstant) {
            if let welcomeDeadline, welcomeDeadline <= now { WorkerExit.noWelcome.end(saying: "the host says nothing") }
            for request in requests where !request.isExpired {
                guard let deadline = request.deadline, deadline <= now else { continue }
                request.isExpired = true
                request.task.cancel()
            }
        }
    }

    // MARK: The ends of requests

    extension HostChannel {
        private nonisolated(nonsending) func answer(_ call: Call, by handler: Service.Handler, _ body: [UInt8]) async {
            do {
                switch handler {
                case .unary(let handler): respond(call.id, try await handler(body, call))
                case .stream(let handler):
                    try await handler(body, call)
                    try await sendItem(call.id, [], isLast: true)
                }
            } catch {
                fail(call.id, error)
            }
        }

        private nonisolated func respond(_ id: UInt64, _ body: [UInt8]) {
            assumeIsolated {
                $0.send($0.conversation.response(id, body))
                $0.close(id)
            }
        }

        private nonisolated func fail(_ id: UInt64, _ error: any Error) {
            assumeIsolated {
                $0.send($0.conversation.error(id, $0.code(of: error, id), text: String(describing: error)))
                $0.close(id)
            }
        }

        private func code(of error: any Error, _ id: UInt64) -> WorkerErrorCode {
            if request(id)?.isExpired == true { return .deadlineExceeded }
            if request(id)?.isCancelled == true || isShuttingDown { return .cancelled }
            return switch error {
            case is BadRequest: .badRequest
            case WorkerError.tooLarge: .tooLarge
            default: .handlerFailed
            }
        }

        /// Whoever waits to send an item, in a task that the handler left behind, waits for nothing any more.
        private func close(_ id: UInt64) {
            let waiters = request(id)?.waiters.entries ?? []
            requests.removeAll { $0.id == id }
            for waiter in waiters { waiter.value.resume(throwing: WorkerError.requestEnded) }
            endIfDone()
        }

        private func endIfDone() {
            guard isShuttingDown, requests.isEmpty else { return }
            send(.goodbye)
            WorkerExit.clean.end()
        }
    }

    // MARK: What handlers ask for

    extension HostChannel: CallChannel {
        nonisolated var configuration: [UInt8] { assumeIsolated { $0.welcome?.configuration ?? [] } }

        nonisolated func log(_ level: LogLevel, _ text: String) { assumeIsolated { $0.send(.log(level, text)) } }

        nonisolated func progress(_ id: UInt64, done: UInt64, total: UInt64) {
            assumeIsolated {
                guard let last = $0.request(id)?.progress, done >= last, done <= total else { return }
                $0.request(id)?.progress = done
                $0.send(.progress(id, done: done, total: total))
            }
        }

        func emit(_ id: UInt64, _ body: [UInt8]) async throws { try await sendItem(id, body, isLast: false) }

        private func sendItem(_ id: UInt64, _ body: [UInt8], isLast: Bool) async throws {
            guard body.count <= conversation.maxFrame else {
                throw WorkerError.tooLarge(bytes: body.count, limit: conversation.maxFrame)
            }
            try Task.checkCancellation()
            while request(id) != nil, conversation.credit(of: id) == 0 { try await waitForCredit(id) }
            guard let frame = conversation.item(id, body, isLast: isLast) else { throw WorkerError.requestEnded }
            send(frame)
            if isLast { close(id) }
        }

        private func waitForCredit(_ id: UInt64) async throws {
            lastWaiter += 1
            let waiter = lastWaiter
            try await withTaskCancellationHandler {
                try Task.checkCancellation()
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    guard let request = request(id) else {
                        return continuation.resume(throwing: WorkerError.requestEnded)
                    }
                    request.waiters[waiter] = continuation
                }
            } onCancel: {
                assumeIsolated {
                    $0.request(id)?.waiters.remove(waiter)?.resume(throwing: CancellationError())
                }
            }
        }

        func hostCall(_ capability: MethodID, _ body: [UInt8]) async throws -> HostAnswer {
            try Task.checkCancellation()
            let limit = FrameLimits.small - 8
            guard body.count <= limit else { throw WorkerError.tooLarge(bytes: body.count, limit: limit) }
            guard let call = conversation.hostCall(capability, body: body) else {
                throw WorkerError.tooManyHostCalls(limit: FrameLimits.hostCalls)
            }
            send(call.frame)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { hostCalls[call.id.rawValue] = $0 }
            } onCancel: {
                // The host answers nevertheless; the answer is not waited for any more.
                assumeIsolated { $0.hostCalls.remove(call.id.rawValue)?.resume(throwing: CancellationError()) }
            }
        }
    }
#endif
