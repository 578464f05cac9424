import ForceFieldWire
import Scheduling
import Synchronization
import TestSupport

@testable import ForceField

/// A helper extension as the system serves it: who connects while somebody is connected gets the process that runs, and
/// the last connection that is given up ends it.
final class TestExtension: Sendable {
    /// What a process does with a request, which is its body's first byte.
    enum Act: UInt8 {
        /// Replies with its number.
        case answer
        /// Does nothing, until its connection is given up.
        case hang
        /// Refuses.
        case fail
        /// Is asked for too much.
        case tooLarge
        /// Ends in the middle.
        case crash
    }

    struct State {
        var processes: UInt8 = 0
        var connections = 0
        var open: [Connection] = []
        /// Requests that are being answered now, and the most at a time.
        var asked = 0
        var mostAsked = 0
        /// Processes that were asked to hang.
        var hung: Set<UInt8> = []
    }

    let state = Mutex(State())
    /// Given when the next connection may be made, or HELLO answered; nil for at once.
    let openGate: OneShotPromise<Void>?
    let helloGate: OneShotPromise<Void>?

    init(openGate: OneShotPromise<Void>? = nil, helloGate: OneShotPromise<Void>? = nil) {
        self.openGate = openGate
        self.helloGate = helloGate
    }

    var connections: Int { state.withLock { $0.connections } }

    /// Returns when a request is being answered.
    func isAsked() async throws { try await eventually { state.withLock { $0.asked } > 0 ? () : nil } }

    /// A field that waits for its process, and keeps it, for as long as a busy machine takes.
    func client(_ change: (inout Policy) -> Void = { _ in }) -> HelperClient {
        var policy = Policy {
            $0.startTimeout = .seconds(600)
            $0.lifetime = WorkerLifetime(idle: nil)
        }
        change(&policy)
        return HelperClient(policy) { await self.connect() }
    }

    private func connect() async -> Connection {
        await openGate?.value
        return state.withLock { state in
            if state.connections == 0 { state.processes += 1 }
            state.connections += 1
            let connection = Connection(of: self, process: state.processes)
            state.open.append(connection)
            return connection
        }
    }

    /// What the system does when it needs the memory.
    func endProcess() {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for connection in open { connection.end() }
    }

    final class Connection: HelperProcess {
        private let helper: TestExtension
        private let process: UInt8
        private let ended = OneShotPromise<Void>()

        init(of helper: TestExtension, process: UInt8) {
            self.helper = helper
            self.process = process
        }

        func end() { if ended.give(()) { helper.state.withLock { $0.connections -= 1 } } }

        func begin() async throws {
            guard let gate = helper.helloGate, !gate.isGiven else { return }
            await ended.value
            throw CancellationError()
        }

        func reply(_ method: MethodID, maxReply: Int, _ body: [UInt8]) async throws -> [UInt8] {
            guard !ended.isGiven else { throw HelperGone() }
            helper.state.withLock { state in
                state.asked += 1
                state.mostAsked = max(state.mostAsked, state.asked)
            }
            defer { helper.state.withLock { $0.asked -= 1 } }
            await Task.yield()
            switch Act(rawValue: body[0]) {
            case .answer: return [process]
            case .fail: throw ForceFieldError.worker(.handlerFailed, text: "no")
            case .tooLarge: throw ForceFieldError.requestTooLarge(bytes: 2, limit: 1)
            case .hang:
                helper.state.withLock { _ = $0.hung.insert(process) }
                await ended.value
            case .crash, nil: end()
            }
            throw CancellationError()
        }

        func terminate() async {
            try? await Task.sleep(for: .milliseconds(50))
            end()
        }
    }
}

extension HelperLine {
    /// - Returns: the number of the process that answered.
    func ask(
        _ act: TestExtension.Act = .answer, of client: HelperClient, within time: Duration? = nil,
        judge: (UInt8) throws(ForceFieldError) -> Void = { _ in }
    ) async throws(ForceFieldError) -> UInt8 {
        let request = HelperRequest(MethodID(name: "test"), maxReply: 1, [act.rawValue])
        let end = time.map { SteadyInstant.now + $0 }
        return try await call(request, of: client, until: end) { (reply: [UInt8]) throws(ForceFieldError) -> UInt8 in
            try judge(reply[0])
            return reply[0]
        }
    }
}
