internal import NIOHTTP1
internal import TextForms
internal import WebSocketFrames

/// The opening handshake of RFC 6455, as far as the server judges it.
///
/// Source: `appattest-gate` section 3.3, step 2.
struct WebSocketHandshake: Equatable, Sendable {
    /// The client's key, which ``accept`` answers.
    let key: HandshakeKey

    init(_ head: HTTPRequestHead) throws(Refusal) {
        guard head.method == .GET else { throw Refusal(.methodNotAllowed).allowing("GET, HEAD") }
        guard head.version == .http1_1 else { throw Self.malformed("version") }
        guard head.headers.lists("upgrade", in: "connection") else { throw Self.malformed("Connection") }
        guard head.headers.isOnly("websocket", in: "upgrade") else { throw Self.malformed("Upgrade") }
        switch head.headers.single("sec-websocket-version") {
        case .one("13"): break
        case .several: throw Self.malformed("Sec-WebSocket-Version")
        default: throw Refusal(.webSocketVersion).adding("Sec-WebSocket-Version", value: "13")
        }
        // The bits that no byte needs have to be zero, which the RFC does not ask for.
        guard case .one(let text) = head.headers.single("sec-websocket-key"), let key = HandshakeKey(text),
            Base64.decode(text, .standard) != nil
        else { throw Self.malformed("Sec-WebSocket-Key") }
        guard head.bodyFraming == .empty else { throw Self.malformed("Content-Length").closing() }
        self.key = key
    }

    private static func malformed(_ field: StaticString) -> Refusal { Refusal(.malformedHandshake, field: field) }

    /// The value of `Sec-WebSocket-Accept` that answers this handshake.
    var accept: String { key.accept }
}
