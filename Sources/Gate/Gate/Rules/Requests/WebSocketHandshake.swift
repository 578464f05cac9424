internal import Crypto
internal import TextForms

/// The opening handshake of RFC 6455, as far as the server judges it.
///
/// Source: `appattest-gate` section 3.3, step 2.
public struct WebSocketHandshake: Equatable, Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 bytes in Base64, chosen by the client.
    public let key: String

    public init(_ head: RequestHead) throws(Refusal) {
        guard head.method == "GET" else { throw Refusal(.methodNotAllowed).allowing("GET, HEAD") }
        guard head.version == .http11 else { throw Self.malformed("version") }
        guard head.headers.tokens("connection").contains("upgrade") else { throw Self.malformed("Connection") }
        guard head.headers.tokens("upgrade") == ["websocket"] else { throw Self.malformed("Upgrade") }
        switch head.headers.single("sec-websocket-version") {
        case .one("13"): break
        case .several: throw Self.malformed("Sec-WebSocket-Version")
        default: throw Refusal(.webSocketVersion).adding("Sec-WebSocket-Version", "13")
        }
        guard case .one(let key) = head.headers.single("sec-websocket-key"), key.utf8.count == 24,
            Base64.decode(key)?.count == 16
        else { throw Self.malformed("Sec-WebSocket-Key") }
        guard head.bodyLength == 0 else { throw Self.malformed("Content-Length").closing() }
        self.key = key
    }

    private static func malformed(_ field: StaticString) -> Refusal { Refusal(.malformedHandshake, field: field) }

    /// The value of `Sec-WebSocket-Accept` that answers this handshake.
    public var accept: String {
        Base64.encode(Array(Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))))
    }
}
