internal import AppAttest
internal import NIOCore

/// The latest tokens of devices whose keys were let in, in memory alone, and the keys whose devices are to be banned
/// with them.
///
/// Apple's tokens are for one use and last for a short time. The ones that are here are those of devices that came a
/// moment ago, which are those that an operator bans.
struct DeviceTokens: Sendable {
    /// How many tokens are kept; so many bans can wait for Apple in this process.
    static let maximumTokens = 1_024
    /// How long a token may be worth a try.
    static let lifetime = TimeAmount.hours(1)

    private struct Token: Sendable {
        let bytes: [UInt8]
        let at: NIODeadline
    }

    private var tokens = RecentTable<KeyID, Token?>(capacity: Self.maximumTokens)
    private var wanted: [KeyID] = []

    mutating func keep(_ token: [UInt8], of key: KeyID, at now: NIODeadline) {
        tokens.update(key, default: nil) { $0 = Token(bytes: token, at: now) }
    }

    /// Lets go of a token that Apple does not take.
    mutating func drop(_ key: KeyID) {
        if tokens[key] != nil { tokens.update(key, default: nil) { $0 = nil } }
    }

    /// - Returns: nil where there is none, or only an old one.
    func token(of key: KeyID, at now: NIODeadline) -> [UInt8]? {
        guard let token = tokens[key] ?? nil, now - token.at < Self.lifetime else { return nil }
        return token.bytes
    }

    /// Notes that a key's device is to be banned, if there is a token for that.
    mutating func want(_ key: KeyID, at now: NIODeadline) {
        guard wanted.count < Self.maximumTokens, token(of: key, at: now) != nil, !wanted.contains(key) else { return }
        wanted.append(key)
    }

    /// The next key whose device is to be banned.
    mutating func next() -> KeyID? { wanted.isEmpty ? nil : wanted.removeFirst() }
}
