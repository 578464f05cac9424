/// What of a request goes on to the upstream, and what the gate tells it.
///
/// Source: `appattest-gate` section 3.8.
public struct UpstreamHeaders: Sendable {
    public struct Context: Sendable {
        /// The address of the socket's other end, or that of the PROXY preamble.
        public let peer: IPAddress
        public let isPeerTrusted: Bool
        public let isTLS: Bool
        public let identity: Identity
        public let requestID: RequestID

        public init(peer: IPAddress, isPeerTrusted: Bool, isTLS: Bool, identity: Identity, requestID: RequestID) {
            self.peer = peer
            self.isPeerTrusted = isPeerTrusted
            self.isTLS = isTLS
            self.identity = identity
            self.requestID = requestID
        }
    }

    /// Whether the offer of extensions stays behind.
    public let stripsExtensions: Bool

    public init(stripsExtensions: Bool = false) { self.stripsExtensions = stripsExtensions }

    /// The fields to send upstream beside `Host` and the handshake's own, which the dialer writes.
    public func fields(of head: RequestHead, _ context: Context) -> HeaderFields {
        let nominated = Set(head.headers.tokens("connection"))
        var result = HeaderFields(
            head.headers.fields.filter { field in
                let name = ASCIIText.lowercased(field.name)
                return !nominated.contains(name) && !isRemoved(name, isPeerTrusted: context.isPeerTrusted)
            })
        func before(_ name: String) -> [String] { context.isPeerTrusted ? head.headers.values(name) : [] }
        let chain = before("x-forwarded-for") + [context.peer.description]
        result.append("X-Forwarded-For", chain.joined(separator: ", "))
        result.append("X-Forwarded-Proto", before("x-forwarded-proto").first ?? (context.isTLS ? "https" : "http"))
        if let host = before("x-forwarded-host").first ?? head.headers.values("host").first {
            result.append("X-Forwarded-Host", host)
        }
        for field in context.identity.fields { result.append(field.name, field.value) }
        result.append("X-Request-Id", context.requestID.description)
        return result
    }

    private func isRemoved(_ name: String, isPeerTrusted: Bool) -> Bool {
        // Some upstreams read both as one character.
        let name = name.utf8.contains(UInt8(ascii: "_")) ? Self.withHyphens(name) : name
        if Self.ofThisHop.contains(name) || Self.ofTheGate.contains(where: { name.hasPrefix($0) }) { return true }
        if Self.ofProxies.contains(name) { return !isPeerTrusted }
        return stripsExtensions && name == "sec-websocket-extensions"
    }

    private static func withHyphens(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }

    /// The fields that belong to this hop: those of RFC 9110, section 7.6.1, of the handshake, and of the gate's own
    /// answer.
    private static let ofThisHop: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade", "content-length", "host", "sec-websocket-key", "sec-websocket-version",
        "sec-websocket-accept", "x-request-id",
        // Of no request: to some upstreams it is the variable that names their own proxy.
        "proxy",
    ]

    /// The fields in which proxies of all kinds tell whose request it is: only those of a trusted proxy are passed on.
    private static let ofProxies: Set<String> = [
        "forwarded", "x-real-ip", "true-client-ip", "cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4",
        "fastly-client-ip", "fly-client-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for",
        "x-appengine-user-ip", "x-azure-clientip", "x-azure-socketip", "x-envoy-external-address", "x-remote-ip",
        "x-remote-addr", "x-original-url", "x-rewrite-url", "x-original-host", "forwarded-for", "client-ip",
    ]

    /// The gate writes them itself; what a trusted proxy says in them is in what it writes.
    private static let ofTheGate = [AssertionHeaders.prefix, "x-gate-", "x-forwarded-"]
}
