internal import AppAttest
internal import NIOCore
internal import Synchronization

/// How many connections may be open: in all, from one client, and with one key.
///
/// A key whose signature was good has a share of its own where its client's connections are spent by others behind the
/// same address.
/// Source: `appattest-gate` section 3.7.
final class ConnectionCaps: Sendable {
    struct Limits: Equatable, Sendable {
        let total: Int
        let perClient: Int
        let perKey: Int
        /// Messages a second of all connections of one client; 0 for no limit.
        let messagesPerClient: Int
        /// Connections of one key that do not count for its client when that has all it may have.
        let keyShare: Int

        init(total: Int, perClient: Int, perKey: Int, messagesPerClient: Int = 0, keyShare: Int = 1) {
            self.keyShare = keyShare
            self.total = total
            self.perClient = perClient
            self.perKey = perKey
            self.messagesPerClient = messagesPerClient
        }
    }

    enum Refused: Error, Equatable, Sendable {
        case total, perClient, perKey
    }

    private struct Counts: Sendable {
        var total = 0
        var clients: [ClientKey: Client] = [:]
        var keys: [KeyID: Key] = [:]
    }

    private struct Client: Sendable {
        /// The open connections that count against the client's limit.
        var connections = 0
        /// The open connections that are on their keys' own shares.
        var shares = 0
        let messages: SharedMessageRate?
    }

    private struct Key: Sendable {
        var connections = 0
        /// How many of the key's connections are on its own share.
        var shares = 0
        let messages: SharedMessageRate?
    }

    /// Which part of a client's messages each key has by itself when the client's are spent.
    static let messageShare = 16

    let limits: Limits
    private let counts = Mutex(Counts())

    init(_ limits: Limits) { self.limits = limits }

    var total: Int { counts.withLock(\.total) }

    /// Whether one more connection would be too many, whatever client it is of.
    var isFull: Bool { total >= limits.total }

    /// The keys that have connections.
    var keys: [KeyID] { counts.withLock { Array($0.keys.keys) } }

    /// Counts a connection until its lease ends.
    func admit(_ client: ClientKey, _ key: KeyID?) throws(Refused) -> ConnectionLease {
        let outcome: Result<ConnectionLease.Terms, Refused> = counts.withLock { counts in
            guard counts.total < limits.total else { return .failure(.total) }
            var own = counts.clients[client] ?? Client(messages: rate(limits.messagesPerClient))
            var ofKey: Key?
            if let key {
                let share = limits.messagesPerClient == 0 ? 0 : max(1, limits.messagesPerClient / Self.messageShare)
                ofKey = counts.keys[key] ?? Key(messages: rate(limits.keyShare > 0 ? share : 0))
            }
            let isShare = own.connections >= limits.perClient
            guard !isShare || ofKey.map({ $0.shares < limits.keyShare }) == true else { return .failure(.perClient) }
            guard ofKey?.connections ?? 0 < limits.perKey else { return .failure(.perKey) }
            counts.total += 1
            if isShare { own.shares += 1 } else { own.connections += 1 }
            counts.clients[client] = own
            if let key {
                ofKey?.connections += 1
                if isShare { ofKey?.shares += 1 }
                counts.keys[key] = ofKey
            }
            return .success(
                ConnectionLease.Terms(isShare: isShare, messages: own.messages, ofKey: ofKey?.messages))
        }
        return ConnectionLease(of: self, client: client, key: key, try outcome.get())
    }

    private func rate(_ limit: Int) -> SharedMessageRate? { limit > 0 ? SharedMessageRate(limit) : nil }

    fileprivate func release(_ client: ClientKey, _ key: KeyID?, isShare: Bool) {
        counts.withLock { counts in
            counts.total -= 1
            if var own = counts.clients[client] {
                if isShare { own.shares -= 1 } else { own.connections -= 1 }
                counts.clients[client] = own.connections + own.shares > 0 ? own : nil
            }
            guard let key, var ofKey = counts.keys[key] else { return }
            ofKey.connections -= 1
            if isShare { ofKey.shares -= 1 }
            counts.keys[key] = ofKey.connections > 0 ? ofKey : nil
        }
    }
}

/// One counted connection. It counts until ``end()``, or until the last reference to it goes.
final class ConnectionLease: Sendable {
    let client: ClientKey
    let key: KeyID?
    /// Whether it is on the key's own share, because its client has all that it may have.
    var isShare: Bool { terms.isShare }
    /// What all connections of this client count their messages in, if there is such a limit.
    var messages: SharedMessageRate? { terms.messages }
    private let caps: ConnectionCaps
    private let terms: Terms
    private let hasEnded = Atomic(false)

    fileprivate struct Terms: Sendable {
        let isShare: Bool
        let messages: SharedMessageRate?
        let ofKey: SharedMessageRate?
    }

    fileprivate init(of caps: ConnectionCaps, client: ClientKey, key: KeyID?, _ terms: Terms) {
        self.caps = caps
        self.client = client
        self.key = key
        self.terms = terms
    }

    /// Counts messages for the client, and, where that has spent its own, for the key.
    func count(_ messages: Int, at now: NIODeadline) -> MessageRate.Verdict {
        verdict { $0.count(messages, at: now) }
    }

    /// What that would say.
    func verdict(on messages: Int, at now: NIODeadline) -> MessageRate.Verdict {
        verdict { $0.verdict(on: messages, at: now) }
    }

    private func verdict(_ ask: (SharedMessageRate) -> MessageRate.Verdict) -> MessageRate.Verdict {
        let verdict = terms.messages.map(ask) ?? .within
        guard verdict != .within, let ofKey = terms.ofKey else { return verdict }
        return ask(ofKey) == .within ? .within : verdict
    }

    func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) {
            caps.release(client, key, isShare: terms.isShare)
        }
    }

    deinit { end() }
}
