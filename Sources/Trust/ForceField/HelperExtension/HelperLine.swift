import ForceFieldWire
import Scheduling
import Synchronization

/// The calls to one helper extension, from whichever field of this process: one after the other.
///
/// The system has one process for an extension. It gives that process to whoever connects while somebody is connected,
/// and ends it when the last connection is given up. So a process that was given up is gone only if nobody connects
/// before: there is one connection at a time, of one field, and the next one is asked for behind the end of the last.
///
/// Source: `forcefield` section 22.
package final class HelperLine: Sendable {
    private struct State: Sendable {
        /// Ends with the last turn.
        var last: Task<Void, Never>?
        /// The turn that uses the connection.
        var running: HelperTurn?
        /// Calls whose callers wait, the running one with them.
        var turns = 0
        var link: HelperLink?
        /// Whether the connection is given up with the running turn.
        var isRetired = false
        /// Ends when the connections that were given up are no more.
        var ending: Task<Void, Never>?
        /// Gives the connection up when nobody has used it for long.
        var idle: Task<Void, any Error>?
    }

    private static let lines = Mutex<[String: HelperLine]>([:])
    private let state = Mutex(State())

    package init() {}

    /// The line of an extension, the same for every field.
    package static func of(_ bundleIdentifier: String) -> HelperLine {
        lines.withLock { lines in
            if let line = lines[bundleIdentifier] { return line }
            let line = HelperLine()
            lines[bundleIdentifier] = line
            return line
        }
    }

    /// Calls, when it is this call's turn.
    ///
    /// - Parameters:
    ///   - end: when the reply has to be there; nil for no such time. The process is given up with it.
    ///   - judge: reads the reply, before the next turn. The process is given up if it throws.
    /// - Throws: ``ForceFieldError``
    package nonisolated(nonsending) func call<Response>(
        _ request: HelperRequest, of client: HelperClient, until end: SteadyInstant?,
        _ judge: ([UInt8]) throws(ForceFieldError) -> Response
    ) async throws(ForceFieldError) -> Response {
        let turn = HelperTurn(request, of: client)
        try enqueue(turn)
        defer { leave(turn) }
        let watchdog = end.map { abandon(turn, .deadlineExceeded, at: $0) }
        defer { watchdog?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await turn.outcome.value
        } onCancel: {
            abandon(turn, .cancelled)
        }
        let reply = try outcome.get()
        do throws(ForceFieldError) { return try judge(reply) } catch {
            giveUp(by: turn)
            throw error
        }
    }

    /// Lets the client's connection go, once its open call is answered.
    package func retire(_ client: HelperClient) {
        state.withLock { state in
            guard state.link?.client === client else { return }
            state.isRetired = true
            if state.running == nil { Self.giveUp(&state) }
        }
    }

    /// Lets the client's connection go, and fails its calls, also later ones.
    package func close(_ client: HelperClient) {
        client.close()
        let running = state.withLock { state in
            if state.running == nil, state.link?.client === client { Self.giveUp(&state) }
            return state.running
        }
        if let running, running.client === client { abandon(running, .terminated(.killedByHost(.shutdown))) }
    }

    /// Whether the client has a connection.
    package func isConnected(_ client: HelperClient) -> Bool { state.withLock { $0.link?.client === client } }
}

// MARK: Turns

extension HelperLine {
    private func enqueue(_ turn: HelperTurn) throws(ForceFieldError) {
        guard !turn.client.isClosed else { throw .closed }
        let waiting = state.withLock { state -> Int? in
            let waiting = state.turns - 1
            guard waiting < turn.client.policy.maxQueued else { return waiting }
            state.turns += 1
            let before = state.last
            state.last = Task {
                await before?.value
                await run(turn)
            }
            return nil
        }
        if let waiting { throw .overloaded(waiting: waiting) }
    }

    /// The caller has what it wanted, or nothing.
    private func leave(_ turn: HelperTurn) {
        state.withLock { $0.turns -= 1 }
        turn.left.give(())
    }

    private func run(_ turn: HelperTurn) async {
        let isWanted = state.withLock { state in
            guard !turn.outcome.isGiven else { return false }
            state.running = turn
            state.idle?.cancel()
            return true
        }
        guard isWanted else { return }
        do {
            let reply = try await reply(to: turn)
            // Too late by a moment: what was promised of the deadline holds.
            if !turn.outcome.give(.success(reply)) { giveUp(by: turn) }
        } catch {
            let error = error as? ForceFieldError ?? .terminated(.killedByOS(.unknown))
            if !error.leavesHelper { giveUp(by: turn) }
            turn.outcome.give(.failure(error))
        }
        await turn.left.value
        state.withLock { end(turn, &$0) }
    }

    private func end(_ turn: HelperTurn, _ state: inout State) {
        state.running = nil
        guard let link = state.link else { return }
        let lifetime = turn.client.policy.lifetime
        guard !state.isRetired, link.requests.load(ordering: .relaxed) < lifetime.requests else {
            return Self.giveUp(&state)
        }
        guard let idle = lifetime.idle else { return }
        state.idle = Task { [weak self] in
            try await Task.sleep(for: idle)
            self?.state.withLock { if $0.running == nil, $0.link === link { Self.giveUp(&$0) } }
        }
    }

    private func reply(to turn: HelperTurn) async throws -> [UInt8] {
        guard !turn.client.isClosed else { throw ForceFieldError.closed }
        while !turn.outcome.isGiven {
            let link = link(for: turn)
            let isFresh = !link.hasBegun.load(ordering: .relaxed)
            do { return try await ask(link, turn) } catch is HelperGone where !isFresh {
                // It ended while nobody used it.
                giveUp(by: turn)
            }
        }
        throw CancellationError()
    }

    private func ask(_ link: HelperLink, _ turn: HelperTurn) async throws -> [UInt8] {
        let process: any HelperProcess
        if link.hasBegun.load(ordering: .relaxed) {
            process = try await link.opened.value.get()
        } else {
            let timeout = abandon(
                turn, .terminated(.setupFailed(.timeout)), at: .now + turn.client.policy.startTimeout)
            defer { timeout.cancel() }
            process = try await link.opened.value.get()
            try await process.begin()
            link.hasBegun.store(true, ordering: .relaxed)
        }
        guard !turn.outcome.isGiven else { throw CancellationError() }
        link.requests.add(1, ordering: .relaxed)
        return try await process.reply(turn.request.method, maxReply: turn.request.maxReply, turn.request.body)
    }
}

// MARK: Connections

extension HelperLine {
    /// The connection of the turn's client: one of another client is given up first.
    private func link(for turn: HelperTurn) -> HelperLink {
        state.withLock { state in
            if let link = state.link {
                if link.client === turn.client, !state.isRetired { return link }
                Self.giveUp(&state)
            }
            let link = HelperLink(for: turn.client, after: state.ending)
            state.link = link
            return link
        }
    }

    /// Ends a call that has no answer yet; if it is its turn, with the process.
    private func abandon(_ turn: HelperTurn, _ error: ForceFieldError) {
        guard turn.outcome.give(.failure(error)) else { return }
        giveUp(by: turn)
    }

    private func abandon(_ turn: HelperTurn, _ error: ForceFieldError, at time: SteadyInstant) -> Task<Void, any Error>
    {
        Task {
            try await Task.sleep(for: SteadyInstant.now.duration(to: time))
            abandon(turn, error)
        }
    }

    private func giveUp(by turn: HelperTurn) {
        state.withLock { if $0.running === turn { Self.giveUp(&$0) } }
    }

    private static func giveUp(_ state: inout State) {
        guard let link = state.link else { return }
        (state.link, state.isRetired) = (nil, false)
        state.idle?.cancel()
        link.opening.cancel()
        state.ending = Task { await link.opening.value?.terminate() }
        link.opened.give(.failure(HelperGone()))
    }
}

extension ForceFieldError {
    /// Whether the process of an extension can go on behind it.
    fileprivate var leavesHelper: Bool {
        switch self {
        case .worker, .requestTooLarge, .closed: true
        default: false
        }
    }
}
