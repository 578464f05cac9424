internal import NIOHTTP1

/// What a gate says to a question of its own process.
public struct GateDecision: Sendable {
    /// The status of the answer that a client would get: 204 where it may pass.
    public let status: Int
    /// The fields of that answer; of one that may pass, who it is (`X-Gate-Key`, `X-Gate-App-Id` …).
    public let fields: [(name: String, value: String)]
    /// The body of that answer: JSON with the reason, or nothing.
    public let body: [UInt8]
}

extension GateServer {
    /// Decides about a request that came to the service by another way, as `FORWARD_AUTH_PATH` does for other proxies.
    ///
    /// The nonce and the counter of a good assertion are used up.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the request, in their order.
    ///   - peer: the IP address of the socket's other end.
    public func decide(_ fields: [(name: String, value: String)], from peer: String) async -> GateDecision {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: HTTPHeaders(fields.map { ($0.name, $0.value) }))
        guard let address = IPAddress(peer), head.headers.malformedPart == nil else {
            return GateDecision(
                Refusal(.malformedHeader).answer(requestID: gate.requestID(), showsReason: false))
        }
        let visitor = Visitor(
            peer: address, headers: head.headers, requestID: gate.requestID(), by: configuration.addresses)
        return GateDecision(await gate.forwardAuthentication(head, from: visitor))
    }
}

extension GateDecision {
    fileprivate init(_ answer: Answer) {
        self.init(status: answer.status, fields: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
    }
}
