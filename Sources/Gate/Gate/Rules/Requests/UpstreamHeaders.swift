internal import NIOHTTP1
internal import WebSocketFrames

/// What of a request goes on to the upstream, and what the gate tells it.
///
/// Source: `appattest-gate` section 3.8.
struct UpstreamHeaders: Sendable {
    /// Whether the offer of extensions stays behind.
    let stripsExtensions: Bool

    init(stripsExtensions: Bool = false) { self.stripsExtensions = stripsExtensions }

    /// The fields to send upstream beside `Host` and the handshake's own, which the dialer writes.
    ///
    /// - Parameter isTLS: whether the client's connection is encrypted.
    func fields(
        of head: HTTPRequestHead, from visitor: Visitor, isTLS: Bool, identity: Identity
    ) -> HTTPHeaders {
        let nominated = HeaderTokens.list(head.headers["connection"]) ?? []
        var result = HTTPHeaders()
        for field in head.headers {
            if nominated.contains(where: { HeaderTokens.isEqual($0, to: field.name) })
                || isRemoved(ASCIIText.fieldName(field.name), isPeerTrusted: visitor.isPeerTrusted)
            {
                continue
            }
            result.add(name: field.name, value: field.value)
        }
        func before(_ name: String) -> [String] { visitor.isPeerTrusted ? head.headers[name] : [] }
        let chain = before("x-forwarded-for") + [visitor.peer.description]
        result.add(name: "X-Forwarded-For", value: chain.joined(separator: ", "))
        result.add(
            name: "X-Forwarded-Proto", value: before("x-forwarded-proto").first ?? (isTLS ? "https" : "http"))
        if let host = before("x-forwarded-host").first ?? head.headers["host"].first {
            result.add(name: "X-Forwarded-Host", value: host)
        }
        result.add(contentsOf: identity.fields)
        result.add(name: "X-Request-Id", value: visitor.requestID.description)
        return result
    }

    private func isRemoved(_ name: String, isPeerTrusted: Bool) -> Bool {
        switch Self.owners[name] {
        case .hop: true
        case .proxies: !isPeerTrusted
        case .extensions: stripsExtensions
        case nil: Self.ofTheGate.contains { ASCIIText.has(name, prefix: $0) }
        }
    }

    private enum Owner { case hop, proxies, extensions }

    private static let owners: [String: Owner] = {
        var owners: [String: Owner] = ["sec-websocket-extensions": .extensions]
        for name in ofProxies { owners[name] = .proxies }
        for name in ofThisHop { owners[name] = .hop }
        return owners
    }()

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
