import WebSocketFrames

/// How a stream of bytes, telnet or not, becomes WebSocket messages for a client, and its messages bytes.
///
/// Source: `appattest-gate` section 4.5.
public enum ClientFraming: String, Hashable, Sendable, CaseIterable {
    /// Bytes as binary messages; telnet's events are not told.
    case binary
    /// UTF-8 text; what is no UTF-8 is taken for Latin-1. Telnet's events are not told.
    case text
    /// A JSON object for each event.
    case json
    /// Base64 of a raw DEFLATE stream for each read, as the older proxies have it.
    case legacy
}

/// A message for the client.
public struct ClientMessage: Hashable, Sendable {
    public let isText: Bool
    public let bytes: [UInt8]

    public init(isText: Bool, bytes: [UInt8]) {
        (self.isText, self.bytes) = (isText, bytes)
    }
}

/// What a client's message asks for.
public enum ClientRequest: Hashable, Sendable {
    /// Bytes for the server, which a telnet connection still has to escape.
    case input([UInt8])
    case resize(WindowSize)
    /// A GMCP message; `data` is a JSON text, or empty.
    case message(package: String, data: String)
    case disconnect
    /// The message is not understood; this is the answer.
    case refused(ClientMessage)
    /// The message asks for nothing.
    case nothing
}

/// Puts one connection into a ``ClientFraming``.
public struct ClientCoder {
    private enum Coding {
        case binary
        case text(TextDecoder, LineEnds?)
        case json(JSONCoding, LineEnds?)
        case legacy(LegacyCoding)
    }

    private var coding: Coding

    /// - Parameters:
    ///   - deflater: for ``ClientFraming/legacy``; it keeps nothing between messages, so connections may share it.
    ///   - maximumRequestBytes: of a client's message that is read as JSON.
    ///   - isTelnet: whether a lone LF of what is typed becomes CR LF, as telnet has it; other streams get what was
    ///     sent.
    public init(
        _ framing: ClientFraming, deflater: RawDeflater = RawDeflater(), maximumRequestBytes: Int = 65_536,
        isTelnet: Bool = true
    ) {
        let ends = isTelnet ? LineEnds() : nil
        coding =
            switch framing {
            case .binary: .binary
            case .text: .text(TextDecoder(), ends)
            case .json: .json(JSONCoding(maximumRequestBytes: maximumRequestBytes), ends)
            case .legacy: .legacy(LegacyCoding(deflater: deflater))
            }
    }

    /// - Returns: nil where the framing has no message for the event, or waits for the rest of a character.
    /// - Throws: only ``RawDeflateError/noMemory``, and only in ``ClientFraming/legacy``.
    public mutating func encode(_ event: TelnetEvent) throws(RawDeflateError) -> ClientMessage? {
        switch coding {
        case .binary:
            guard case .data(let bytes) = event else { return nil }
            return ClientMessage(isText: false, bytes: bytes)
        case .text(var decoder, let ends):
            guard case .data(let bytes) = event else { return nil }
            let text = decoder.decode(bytes)
            coding = .text(decoder, ends)
            return text.isEmpty ? nil : ClientMessage(isText: true, bytes: text)
        case .json(var json, let ends):
            defer { coding = .json(json, ends) }
            return json.encode(event)
        case .legacy(let legacy):
            guard case .data(let bytes) = event else { return nil }
            return try legacy.encode(bytes)
        }
    }

    /// Says that the server is gone.
    ///
    /// - Returns: what was held back, and in ``ClientFraming/json`` the reason.
    public mutating func finish(reason: String) -> ClientMessage? {
        switch coding {
        case .text(var decoder, let ends):
            let text = decoder.finish()
            coding = .text(decoder, ends)
            return text.isEmpty ? nil : ClientMessage(isText: true, bytes: text)
        case .json: return JSONCoding.disconnected(reason: reason)
        case .binary, .legacy: return nil
        }
    }

    public mutating func decode(_ message: [UInt8]) -> ClientRequest {
        switch coding {
        case .binary: return .input(message)
        case .text(let decoder, var ends):
            defer { coding = .text(decoder, ends) }
            return .input(ends?.complete(message) ?? message)
        case .json(let json, var ends):
            let request = json.decode(message)
            guard case .input(let text) = request else { return request }
            defer { coding = .json(json, ends) }
            return .input(ends?.complete(text) ?? text)
        case .legacy(var legacy):
            defer { coding = .legacy(legacy) }
            return legacy.decode(message)
        }
    }
}

/// Makes a lone LF the CR LF that ends a line in telnet.
struct LineEnds: Sendable {
    private var isBehindCR = false

    mutating func complete(_ text: [UInt8]) -> [UInt8] {
        var complete: [UInt8] = []
        complete.reserveCapacity(text.count + 2)
        for byte in text {
            if byte == 0x0a, !isBehindCR { complete.append(0x0d) }
            complete.append(byte)
            isBehindCR = byte == 0x0d
        }
        return complete
    }
}
