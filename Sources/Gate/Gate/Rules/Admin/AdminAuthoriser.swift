internal import AppAttest
internal import Crypto
internal import NIOHTTP1
internal import WebSocketFrames

/// What an operator asks of a running gate.
///
/// Source: `appattest-gate` section 3.12.
enum AdminAction: Equatable, Sendable {
    case metrics
    case keys(after: KeyID?, limit: Int)
    case key(KeyNamePrefix)
    case revoke(KeyNamePrefix)
    /// Revokes the key and has its device banned at Apple.
    case ban(KeyNamePrefix)
    case accountBans(after: AccountTag?, limit: Int)
    /// Bans the account that has this name at the service.
    case banAccount(String)
    case liftBan(account: String)
    case delete(KeyNamePrefix)
    case drain
    case configuration

    static let defaultLimit = 100
    static let maximumLimit = 1_000
}

/// Who may ask. The metrics hold no secret and are anyone's who reaches the listener.
struct AdminAuthoriser: Sendable {
    enum Access: Sendable {
        /// A Unix socket: its permissions have judged already.
        case everyone
        /// TCP without a token: any process of the machine might come.
        case nobody
        case token([UInt8])
    }

    private let isOpen: Bool
    private let tokenHash: SHA256.Digest?

    init(_ access: Access) {
        switch access {
        case .everyone: (isOpen, tokenHash) = (true, nil)
        case .nobody: (isOpen, tokenHash) = (false, nil)
        case .token(let token): (isOpen, tokenHash) = (false, SHA256.hash(data: token))
        }
    }

    func action(_ head: HTTPRequestHead) throws(Refusal) -> AdminAction {
        if let violation = head.violation { throw violation }
        guard isOpen || isForLoopback(head.headers) else { throw Refusal(.malformedHeader, field: "Host") }
        let segments = head.path.split(separator: "/", omittingEmptySubsequences: true)
        switch segments.count {
        case 1 where segments[0] == "metrics":
            try expect(.GET, head)
            return .metrics
        case 2... where segments[0] == "admin":
            guard isOpen || knowsToken(head.headers) else { throw Refusal(.operatorTokenRequired) }
            return try action(segments[1...], head)
        default: throw Refusal(.notFound)
        }
    }

    private func action(_ segments: ArraySlice<Substring>, _ head: HTTPRequestHead) throws(Refusal) -> AdminAction {
        switch (segments.first, segments.count) {
        case ("config", 1):
            try expect(.GET, head)
            return .configuration
        case ("drain", 1):
            try expect(.POST, head)
            return .drain
        case ("keys", 1):
            try expect(.GET, head)
            let page = try page(head) { KeyID(base64: $0) }
            return .keys(after: page.cursor, limit: page.limit)
        case ("keys", 2):
            let name = try name(segments.dropFirst().first)
            guard head.method == .GET || head.method == .DELETE else {
                throw Refusal(.methodNotAllowed).allowing("GET, DELETE")
            }
            return head.method == .GET ? .key(name) : .delete(name)
        case ("keys", 3) where segments.last == "revoke" || segments.last == "ban":
            try expect(.POST, head)
            let name = try name(segments.dropFirst().first)
            return segments.last == "ban" ? .ban(name) : .revoke(name)
        case ("accounts", 1):
            try expect(.GET, head)
            let page = try page(head) { AccountTag(hex: $0) }
            return .accountBans(after: page.cursor, limit: page.limit)
        case ("accounts", 2) where segments.last == "ban" || segments.last == "unban":
            try expect(.POST, head)
            guard case .one(let account) = head.headers.single(AccountHeader.name) else {
                throw Refusal(.malformedHeader, field: "X-Gate-Account")
            }
            return segments.last == "ban" ? .banAccount(account) : .liftBan(account: account)
        default: throw Refusal(.notFound)
        }
    }

    private func expect(_ method: HTTPMethod, _ head: HTTPRequestHead) throws(Refusal) {
        guard head.method == method else { throw Refusal(.methodNotAllowed).allowing(method.rawValue) }
    }

    private func name(_ text: Substring?) throws(Refusal) -> KeyNamePrefix {
        guard let name = text.flatMap({ KeyNamePrefix(String($0)) }) else {
            throw Refusal(.malformedField, field: "sha")
        }
        return name
    }

    /// Which part of a list is asked for.
    private func page<Cursor>(
        _ head: HTTPRequestHead, _ read: (String) -> Cursor?
    ) throws(Refusal) -> (cursor: Cursor?, limit: Int) {
        var cursor: Cursor?
        var limit = AdminAction.defaultLimit
        for pair in head.uri.dropFirst(head.path.count + 1).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            switch parts[0] {
            case "cursor" where value.isEmpty: break
            case "cursor":
                guard let found = read(value) else { throw Refusal(.malformedField, field: "cursor") }
                cursor = found
            case "limit":
                guard let number = ASCIIText.number(value), 1...AdminAction.maximumLimit ~= number else {
                    throw Refusal(.malformedField, field: "limit")
                }
                limit = number
            default: throw Refusal(.malformedField, field: "query")
            }
        }
        return (cursor, limit)
    }

    /// Whether a request was meant for this listener: a page in a browser of this machine may let its own name lead
    /// here.
    private func isForLoopback(_ headers: HTTPHeaders) -> Bool {
        guard case .one(let host) = headers.single("host") else { return false }
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") && (host.utf8.count == 5 || host.hasPrefix("[::1]:")) }
        return HostAndPort.isLoopback(String(host.prefix { $0 != ":" }))
    }

    private func knowsToken(_ headers: HTTPHeaders) -> Bool {
        guard let tokenHash, case .one(let value) = headers.single("authorization"), value.utf8.count <= 4_096,
            HeaderTokens.isEqual(value.prefix(7), to: "bearer ")
        else { return false }
        // Hashes of equal length are compared in constant time.
        return SHA256.hash(data: Array(value.utf8.dropFirst(7))) == tokenHash
    }
}
