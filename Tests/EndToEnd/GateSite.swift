import AppAttest
import AppAttestClient
import AppAttestTestKit
import Foundation
import GateTestKit
import Testing
import WebSocketFrames

/// A test authority of its own, with the gates and devices that use it.
struct GateSite {
    let scratch: Scratch
    let folder: String

    init() async throws {
        scratch = try Scratch()
        let folder = scratch.path("trial")
        self.folder = folder
        try await OwnThread.run { try GateProcess.mintAuthority(folder) }
    }

    /// Neither rates nor numbers are limited: a test is one client that wants much.
    static let unlimited = [
        "--challenge-rate", "off", "--register-rate", "off", "--failed-auth-rate", "off",
        "--max-connections-per-ip", "10000", "--max-connections-per-key", "10000",
    ]

    /// Nothing is encrypted, so that connections live on threads of the gate's own.
    static let plain = ["--inbound-tls-mode", "off", "--upstream-url", "ws://127.0.0.1:9"]

    /// Everybody is let in.
    static let open = ["--require-app-auth", "false"] + unlimited

    func gate(
        _ arguments: [String] = unlimited, log: String? = nil, prelude: String = ":"
    ) async throws -> GateProcess {
        try await GateProcess(["--config", "\(folder)/gate.conf"] + arguments, log: log, prelude: prelude)
    }

    func client(_ gate: GateProcess, _ path: String = "/") throws -> TrialGate {
        try gate.client(path, folder: folder)
    }

    /// - Parameter path: the file in which the device keeps its key; nil for none.
    func device(path: String? = nil) throws -> TrialDevice {
        let authority = try TestAuthority(reading: { try SmallFile.text("\(folder)/\($0)") })
        return try TrialDevice(authority: authority, appID: try #require(Self.appID), path: path)
    }

    static let appID = AppID("TESTTEAM01.com.example.trial")

    func connect(_ phone: TrialDevice, _ gate: TrialGate) async throws -> TrialWebSocket {
        let app = AppAttestClient(service: phone, transport: gate, storage: phone)
        return try await app.connect { try await TrialWebSocket.open(gate, $0.fields) }
    }
}

/// A client's connection and what it leads to.
///
/// - Parameters:
///   - arrivals: of the service; the next is taken.
///   - isWebSocket: whether the service makes its half of a handshake.
/// - Throws: what `open` throws: then nothing is waited for at the service.
func meet(
    _ arrivals: AsyncStream<TrialConnection>, isWebSocket: Bool = true,
    _ open: @escaping @Sendable () async throws -> TrialSocket
) async throws -> (client: TrialSocket, service: TrialSocket) {
    try await withThrowingTaskGroup(of: (client: TrialSocket?, service: TrialSocket?).self) { group in
        group.addTask { (try await open(), nil) }
        group.addTask {
            guard let arrival = await arrivals.first(where: { _ in true }) else { throw CancellationError() }
            return (nil, isWebSocket ? try await TrialSocket.accept(arrival) : TrialSocket(arrival, [], []))
        }
        var (client, service): (TrialSocket?, TrialSocket?)
        for try await ends in group { (client, service) = (client ?? ends.client, service ?? ends.service) }
        return (try #require(client), try #require(service))
    }
}

extension TrialSocket {
    /// A handshake without an assertion.
    static func open(_ gate: TrialGate, _ fields: [(name: String, value: String)] = []) async throws -> TrialSocket {
        let connection = try await gate.open()
        let handshake = [
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        try await connection.send(
            TrialGate.head("GET", at: gate.path, host: "\(gate.host):\(gate.port)", fields: handshake + fields))
        let (reply, rest) = try await connection.reply()
        guard reply.status == 101 else {
            throw GateRefusal(GateAnswer(status: reply.status, retryAfter: nil, body: reply.body))
        }
        return TrialSocket(connection, reply.headers, rest)
    }

    /// The service's half of a handshake.
    ///
    /// - Parameter extraFields: lines that its answer has besides, each with the end of a line.
    static func accept(_ connection: TrialConnection, extraFields: String = "") async throws -> TrialSocket {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while bytes.firstRange(of: end) == nil {
            guard case .bytes(let more) = await connection.receive() else { throw TrialFailure.cutShort }
            bytes += more
        }
        let head = try #require(bytes.firstRange(of: end))
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let fields = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let text = try #require(fields.first { $0.name == "sec-websocket-key" }?.value)
        let key = try #require(HandshakeKey(text))
        try await connection.send(
            Array(
                """
                HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Accept: \(key.accept)\r\n\(extraFields)\r\n
                """.utf8))
        return TrialSocket(connection, fields, Array(bytes[head.upperBound...]))
    }
}

/// A WebSocket whose frames its user makes, from either side of the gate.
final class TrialSocket: Sendable {
    let connection: TrialConnection
    /// The header fields of the answer to the handshake, or of the request that the service got; names are in small
    /// letters.
    let fields: [(name: String, value: String)]
    private let unread: Unread

    private actor Unread {
        var bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func frame(_ connection: TrialConnection) async -> (first: UInt8, payload: [UInt8])? {
            while true {
                if let frame = take() { return frame }
                guard case .bytes(let more) = await connection.receive() else { return nil }
                bytes += more
            }
        }

        private func take() -> (first: UInt8, payload: [UInt8])? {
            guard bytes.count >= 2 else { return nil }
            let form = Int(bytes[1] & 0x7f)
            let lengthEnd = form < 126 ? 2 : form == 126 ? 4 : 10
            let start = lengthEnd + (bytes[1] & 0x80 != 0 ? 4 : 0)
            guard bytes.count >= start else { return nil }
            let count = form < 126 ? form : bytes[2..<lengthEnd].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= start + count else { return nil }
            var payload = Array(bytes[start..<start + count])
            if start > lengthEnd { for index in payload.indices { payload[index] ^= bytes[lengthEnd + index % 4] } }
            defer { bytes.removeFirst(start + count) }
            return (bytes[0], payload)
        }
    }

    init(_ connection: TrialConnection, _ fields: [(name: String, value: String)], _ rest: [UInt8]) {
        (self.connection, self.fields, unread) = (connection, fields, Unread(rest))
    }

    /// All values of a field.
    subscript(name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// - Parameter first: the first byte of the frame.
    static func frame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
        let mask: UInt8 = isMasked ? 0x80 : 0
        // A masking key of zeros is a key too, and changes nothing.
        let key: [UInt8] = isMasked ? [0, 0, 0, 0] : []
        return switch payload.count {
        case ...125: [first, mask | UInt8(payload.count)] + key + payload
        case ...0xffff: [first, mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)] + key + payload
        default:
            [first, mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) } + key
                + payload
        }
    }

    func send(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) async throws {
        try await connection.send(Self.frame(first, payload, isMasked: isMasked))
    }

    func send(_ text: String, isMasked: Bool = true) async throws {
        try await send(0x81, Array(text.utf8), isMasked: isMasked)
    }

    /// The next frame; nil at the end of the connection.
    func nextFrame() async -> (first: UInt8, payload: [UInt8])? { await unread.frame(connection) }

    /// The payload of the next frame with data; nil at the end, or at a close frame.
    func nextMessage() async -> [UInt8]? {
        while let (first, payload) = await nextFrame() {
            switch first & 0x0f {
            case 0...2: return payload
            case 8: return nil
            default: break
            }
        }
        return nil
    }

    /// The code of the close frame that comes, whatever comes before it; nil if none comes before the end.
    func closeCode() async -> Int? {
        while let (first, payload) = await nextFrame() {
            if first & 0x0f == 8 { return payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
        }
        return nil
    }
}
