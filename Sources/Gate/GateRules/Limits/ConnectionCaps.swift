public import AppAttest
internal import Synchronization

/// How many connections may be open: in all, from one client, and with one key.
public final class ConnectionCaps: Sendable {
    public struct Limits: Equatable, Sendable {
        public let total: Int
        public let perClient: Int
        public let perKey: Int
        /// Messages a second of all connections of one client; 0 for no limit.
        public let messagesPerClient: Int

        public init(total: Int, perClient: Int, perKey: Int, messagesPerClient: Int = 0) {
            self.total = total
            self.perClient = perClient
            self.perKey = perKey
            self.messagesPerClient = messagesPerClient
        }
    }

    public enum Refused: Error, Equatable, Sendable {
        case total, perClient, perKey
    }

    private struct Counts: Sendable {
        var total = 0
        var clients: [ClientKey: Client] = [:]
        var keys: [KeyID: Int] = [:]
    }

    private struct Client: Sendable {
        var connections = 0
        let messages: SharedMessageRate?
    }

    public let limits: Limits
    private let counts = Mutex(Counts())

    public init(_ limits: Limits) { self.limits = limits }

    public var total: Int { counts.withLock(\.total) }

    /// Whether one more would be too many, whoever it is.
    public var isFull: Bool { total >= limits.total }

    /// Counts a connection until its lease ends.
    public func admit(_ client: ClientKey, _ key: KeyID?) throws(Refused) -> ConnectionLease {
        let outcome: Result<SharedMessageRate?, Refused> = counts.withLock { counts in
            guard counts.total < limits.total else { return .failure(.total) }
            let new = { [limits] in
                Client(messages: limits.messagesPerClient > 0 ? SharedMessageRate(limits.messagesPerClient) : nil)
            }
            guard counts.clients[client]?.connections ?? 0 < limits.perClient else { return .failure(.perClient) }
            if let key {
                guard counts.keys[key, default: 0] < limits.perKey else { return .failure(.perKey) }
                counts.keys[key, default: 0] += 1
            }
            counts.total += 1
            counts.clients[client, default: new()].connections += 1
            return .success(counts.clients[client]?.messages)
        }
        return ConnectionLease(self, client, key, messages: try outcome.get())
    }

    fileprivate func release(_ client: ClientKey, _ key: KeyID?) {
        counts.withLock { counts in
            counts.total -= 1
            counts.clients[client]?.connections -= 1
            if counts.clients[client]?.connections == 0 { counts.clients[client] = nil }
            guard let key, let open = counts.keys[key] else { return }
            counts.keys[key] = open > 1 ? open - 1 : nil
        }
    }
}

/// One counted connection. It counts until ``end()``, or until nobody holds it.
public final class ConnectionLease: Sendable {
    public let client: ClientKey
    public let key: KeyID?
    /// What all connections of this client count their messages in, if there is such a limit.
    public let messages: SharedMessageRate?
    private let caps: ConnectionCaps
    private let hasEnded = Atomic(false)

    fileprivate init(_ caps: ConnectionCaps, _ client: ClientKey, _ key: KeyID?, messages: SharedMessageRate?) {
        self.caps = caps
        self.client = client
        self.key = key
        self.messages = messages
    }

    public func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { caps.release(client, key) }
    }

    deinit { end() }
}
