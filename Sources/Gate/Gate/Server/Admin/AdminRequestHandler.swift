internal import AppAttest
internal import NIOCore
internal import NIOHTTP1

/// Answers the operators' requests. One for each connection.
///
/// Source: `appattest-gate` section 3.12.
final class AdminRequestHandler: RequestHandler {
    private let server: GateServer
    private let executor: LoopExecutor
    private let authoriser: AdminAuthoriser

    init(_ server: GateServer, on executor: LoopExecutor) {
        self.server = server
        self.executor = executor
        authoriser = AdminAuthoriser(server.adminAccess)
    }

    func refuse(_ refusal: Refusal) -> Answer { refusal.answer(requestID: server.gate.requestID()) }

    func receive(_ head: HTTPRequestHead, on http: HTTPConversation) {
        do throws(Refusal) {
            let action = try authoriser.action(head)
            executor.run { [server] in
                await server.answer(action)
            } then: {
                http.answer($0)
            }
        } catch {
            http.answer(refuse(error))
        }
    }
}

extension GateServer {
    fileprivate func answer(_ action: AdminAction) async -> Answer {
        do throws(Refusal) {
            switch action {
            case .metrics: return AdminAnswers.metrics(metrics())
            case .configuration: return AdminAnswers.configuration(configuration)
            case .drain:
                Task { await drain() }
                return AdminAnswers.done()
            case .keys(let cursor, let limit):
                return AdminAnswers.keys(
                    try await ask { try await parts.keys.keys(after: cursor, limit: limit) }, limit: limit)
            case .key(let name): return try await withKey(name) { key throws(Refusal) in AdminAnswers.key(key) }
            case .revoke(let name):
                return try await withKey(name) { key throws(Refusal) in
                    let revocation = Revocation(at: parts.clock.now, reason: "operator")
                    _ = try await ask { try await parts.keys.revoke(key.id, revocation) }
                    closeConnections(of: key.id, because: .keyRevoked)
                    return AdminAnswers.done()
                }
            case .ban(let name):
                return try await withKey(name) { key throws(Refusal) in
                    let revocation = Revocation(at: parts.clock.now, reason: "operator")
                    _ = try await ask { try await parts.keys.ban(key.id, revocation) }
                    closeConnections(of: key.id, because: .keyBanned)
                    gate.wantDeviceBans([key.id])
                    return AdminAnswers.done()
                }
            case .accountBans(let cursor, let limit):
                return AdminAnswers.bans(
                    try await ask { try await parts.keys.bans(after: cursor, limit: limit) }, limit: limit)
            case .banAccount(let name):
                let keys = try await gate.banAccount(name, reason: "operator")
                for key in keys { closeConnections(of: key, because: .keyRevoked) }
                return AdminAnswers.banned(keys: keys.count)
            case .liftBan(let name):
                try await gate.liftBan(ofAccount: name)
                return AdminAnswers.done()
            case .delete(let name):
                return try await withKey(name) { key throws(Refusal) in
                    _ = try await ask { try await parts.keys.delete(key.id) }
                    closeConnections(of: key.id, because: .keyDeleted)
                    return AdminAnswers.done()
                }
            }
        } catch {
            return error.answer(requestID: gate.requestID())
        }
    }

    private func withKey(
        _ name: KeyNamePrefix, _ act: (AttestedKey) async throws(Refusal) -> Answer
    ) async throws(Refusal) -> Answer {
        let found = try await ask { try await parts.keys.keys(named: name) }
        guard let key = found.first else { throw Refusal(.notFound) }
        return found.count > 1 ? AdminAnswers.ambiguous() : try await act(key)
    }

    private func ask<Value>(_ work: () async throws -> Value) async throws(Refusal) -> Value {
        do { return try await work() } catch {
            parts.events.record(GateEvent(.storeFailed, .error, detail: "\(error)"))
            throw Refusal(.storeUnavailable)
        }
    }

    /// Ends the connections of a key that gets in no more.
    func closeConnections(of key: KeyID, because name: GateEvent.Name) {
        var event = GateEvent(name, .warning)
        event.key = KeyName(key)
        parts.events.record(event)
        connections.expel(key: key, .policyViolation)
    }
}
