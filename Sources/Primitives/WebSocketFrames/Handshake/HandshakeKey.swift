import TextForms

/// The value of `Sec-WebSocket-Key`.
///
/// Source: RFC 6455 sections 4.1 and 4.2.
public struct HandshakeKey: Hashable, Sendable {
    /// 24 characters of Base64.
    public let text: String

    /// Reads the header of a client.
    ///
    /// - Returns: nil unless it is 16 bytes in Base64. (The four bits that no byte needs are free: the RFC's own
    ///   example sets them.)
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[22...] == [UInt8(ascii: "="), UInt8(ascii: "=")] else { return nil }
        for byte in bytes[..<22] {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                continue
            default: return nil
            }
        }
        self.text = String(text)
    }

    /// A key to ask a server with.
    ///
    /// - Parameter random: a CSPRNG.
    public init(using random: inout some RandomNumberGenerator) {
        // Each word may be a call of the system: two, not one for each byte.
        let words = (random.next(), random.next())
        self.init(nonce: withUnsafeBytes(of: words) { Array($0) })
    }

    /// The same of bytes that were drawn.
    ///
    /// - Parameter nonce: 16 bytes of a CSPRNG.
    package init(nonce: [UInt8]) { text = Base64.encode(nonce) }

    /// What the server's `Sec-WebSocket-Accept` must be.
    public var accept: String {
        Base64.encode(SHA1.hash(Array(text.utf8) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
    }
}
