import Foundation
import TestSupport

/// What came back on a request.
struct Reply: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    var body: [UInt8] = []

    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func member(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return object?[name].map { "\($0)" }
    }

    var code: String? { member("code") }
}

struct Frame: Equatable, Sendable {
    let first: UInt8
    let isMasked: Bool
    let payload: [UInt8]

    var opcode: UInt8 { first & 0x0f }
    var closeCode: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
}

struct NotStrict: Error { let reason: String }

extension RawClient {
    /// The head of a message: its first line and its fields.
    func readHead() async throws -> (start: String, fields: [(name: String, value: String)]) {
        try await read { bytes in
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            let start = lines.removeFirst()
            let fields = try lines.map { line in
                guard let colon = line.firstIndex(of: ":"), !line.hasPrefix(" ") else { throw NotStrict(reason: line) }
                return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
            }
            return ((start, fields), end.upperBound)
        }
    }

    func reply(toHead: Bool = false) async throws -> Reply {
        let (start, fields) = try await readHead()
        guard start.hasPrefix("HTTP/1.1 "), let status = Int(start.dropFirst(9).prefix(3)) else {
            throw NotStrict(reason: start)
        }
        var reply = Reply(status: status, fields: fields)
        guard status != 101, status != 204, status != 100, !toHead else { return reply }
        guard let text = reply.values("Content-Length").first, let count = Int(text) else {
            throw NotStrict(reason: "no length")
        }
        reply.body = try await read(count: count)
        return reply
    }

    func request(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = [],
        version: String = "HTTP/1.1"
    ) async throws -> Reply {
        try await send(Self.bytes(method, target, fields, body: body, version: version))
        return try await reply(toHead: method == "HEAD")
    }

    /// Asks on a connection of its own, which brings the request along: who listens has no time to miss it in.
    static func request(
        unix path: String, _ method: String, _ target: String, _ fields: [(String, String)] = []
    ) async throws -> Reply {
        try await connect(unix: path, preamble: bytes(method, target, fields)).reply(toHead: method == "HEAD")
    }

    private static func bytes(
        _ method: String, _ target: String, _ fields: [(String, String)], body: [UInt8] = [],
        version: String = "HTTP/1.1"
    ) -> [UInt8] {
        var text = "\(method) \(target) \(version)\r\n"
        if version == "HTTP/1.1", !fields.contains(where: { $0.0 == "Host" }) { text += "Host: gate.test\r\n" }
        if !body.isEmpty, !fields.contains(where: { $0.0 == "Content-Length" || $0.0 == "Transfer-Encoding" }) {
            text += "Content-Length: \(body.count)\r\n"
        }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    // MARK: WebSocket

    static let handshake = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    /// The answer of the server to ``handshake`` (RFC 6455 section 1.3).
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    static func frame(_ first: UInt8, _ payload: [UInt8], key: [UInt8]? = [0x37, 0xfa, 0x21, 0x3d]) -> [UInt8] {
        let mask: UInt8 = key == nil ? 0 : 0x80
        var bytes = [first]
        switch payload.count {
        case ...125: bytes.append(mask | UInt8(payload.count))
        case ...0xffff: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard let key else { return bytes + payload }
        return bytes + key + payload.masked(by: key)
    }

    func send(text: String) async throws { try await send(Self.frame(0x81, Array(text.utf8))) }

    func send(close code: Int) async throws {
        try await send(Self.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xff)]))
    }

    func readFrame() async throws -> Frame {
        try await read { bytes in
            guard bytes.count >= 2 else { return nil }
            let form = Int(bytes[1] & 0x7f)
            let lengthEnd = form < 126 ? 2 : form == 126 ? 4 : 10
            let isMasked = bytes[1] & 0x80 != 0
            let start = lengthEnd + (isMasked ? 4 : 0)
            guard bytes.count >= start else { return nil }
            let count = form < 126 ? form : bytes[2..<lengthEnd].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= start + count else { return nil }
            var payload = Array(bytes[start..<start + count])
            if isMasked { for index in payload.indices { payload[index] ^= bytes[lengthEnd + index % 4] } }
            return (Frame(first: bytes[0], isMasked: isMasked, payload: payload), start + count)
        }
    }

    /// The next frame that is no ping.
    func readMessage() async throws -> Frame {
        while true {
            let frame = try await readFrame()
            if frame.opcode != 9 { return frame }
        }
    }
}
