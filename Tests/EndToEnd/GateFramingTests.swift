import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing
import WebSocketFrames

@Suite("The gate as the end of a WebSocket", .timeLimit(.minutes(30)))
struct GateFramingTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    // MARK: Framings

    /// What a client reads of the bytes `h é ÿ`, the last of which is no UTF-8.
    private static let data: [UInt8] = [0x68, 0xc3, 0xa9, 0xff]

    private struct Reader {
        let framing: String
        var data: [UInt8] = []
        var text = ""
        var events: Set<String> = []

        mutating func read(_ message: [UInt8]) throws {
            switch framing {
            case "binary": data += message
            case "text": text += String(decoding: message, as: UTF8.self)
            case "json":
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data(message)) as? [String: Any])
                events.insert(try #require(object["type"] as? String))
                if let payload = object["payload"] as? String {
                    data += Array(try #require(Data(base64Encoded: payload)))
                }
            default:
                let stream = try #require(Data(base64Encoded: Data(message)))
                data += try RawInflater().expand(Array(stream), limits: RawInflater.Limits(bytes: 1 << 20))
            }
        }
    }

    @Test(
        "a stream, with telnet and without, is spoken to in every framing",
        arguments: ["tcp", "telnet"], ["binary", "text", "json", "legacy"])
    func framing(_ scheme: String, _ framing: String) async throws {
        let isTelnet = scheme == "telnet"
        let (service, arrivals) = try await TrialServer.accepting()
        let gate = try await site.gate(
            GateSite.open + [
                "--upstream-url", "\(scheme)://127.0.0.1:\(service.port)", "--client-framing", framing,
            ])
        let client = try await TrialSocket.open(try site.client(gate))
        let arrival = try #require(await arrivals.first { _ in true })
        // IAC WILL ECHO, the data with its 255 doubled, IAC GA.
        try await arrival.send(isTelnet ? [255, 251, 1] + Self.data + [255, 255, 249] : Self.data)
        var reader = Reader(framing: framing)
        let isText = framing == "text"
        func isDone() -> Bool {
            guard isText ? reader.text.utf8.count >= 5 : reader.data.count >= 4 else { return false }
            return !(isTelnet && framing == "json") || reader.events.count == 3
        }
        while !isDone() { try reader.read(try #require(await client.nextMessage())) }
        if isText { #expect(reader.text == "hé\u{ff}") } else { #expect(reader.data == Self.data) }
        if framing == "json" { #expect(reader.events == (isTelnet ? ["data", "echo", "prompt"] : ["data"])) }

        // A lone LF becomes CR LF in telnet, unless bytes are what is sent.
        let end = isTelnet && framing != "binary" && framing != "legacy" ? "\r\n" : "\n"
        let answer: [UInt8] = isTelnet ? [255, 253, 1] : []
        switch framing {
        case "binary": try await client.send(0x82, Array("look\n".utf8))
        case "json":
            try await client.send("this is no JSON")
            try await client.send(#"{"type":"dance"}"#)
            try await client.send(#"{"type":"input","text":"look\n"}"#)
        case "legacy":
            try await client.send(#"{"connect":1,"host":"elsewhere"}"#)
            try await client.send("look\n")
        default: try await client.send("look\n")
        }
        let expected = answer + Array(((framing == "json" ? "this is no JSON" : "") + "look" + end).utf8)
        var heard: [UInt8] = []
        while heard.count < expected.count {
            guard case .bytes(let bytes) = await arrival.receive() else { break }
            heard += bytes
        }
        #expect(heard == expected)
        if framing == "json" {
            let refusal = try #require(await client.nextMessage())
            #expect(String(decoding: refusal, as: UTF8.self).contains("invalid_request"))
        }
        await arrival.close()
        #expect(await client.closeCode() == 1000)
    }

    // MARK: Compression

    private static let offer = [("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits")]

    @Test("a client that offers it is spoken to in compressed messages, another is not")
    func deflate() async throws {
        let gate = try await site.gate(GateSite.open + ["--ws-deflate", "true"])
        let client = try site.client(gate)
        let socket = try await TrialSocket.open(client, Self.offer)
        #expect(socket["sec-websocket-extensions"].first?.hasPrefix("permessage-deflate") == true)
        let text = Array(String(repeating: "compressible ", count: 1_000).utf8)
        try await socket.connection.send(Self.compressed(text))
        let (first, payload) = try #require(await socket.nextFrame())
        #expect(first == 0xc1)
        #expect(payload.count < 1_000)
        let expanded = try RawInflater().expand(
            payload + [0, 0, 0xff, 0xff], limits: RawInflater.Limits(bytes: 1 << 20, ratio: 1_000))
        #expect(expanded == text)

        let other = try await TrialSocket.open(client)
        #expect(other["sec-websocket-extensions"].isEmpty)
        try await other.connection.send(Self.compressed(text))
        #expect(await other.closeCode() == 1002)
    }

    @Test("a message that would become 64 megabytes becomes none", .enabled(if: GateProcess.showsMemory))
    func bomb() async throws {
        let gate = try await site.gate(GateSite.open + ["--ws-deflate", "true"])
        let client = try site.client(gate)
        let bomb = Self.compressed([UInt8](repeating: 0, count: 64 << 20))
        #expect(bomb.count < 1 << 17)
        let before = try gate.residentBytes()
        for _ in 0..<4 {
            let socket = try await TrialSocket.open(client, Self.offer)
            try await socket.connection.send(bomb)
            #expect(await socket.closeCode() == 1009)
        }
        #expect(try gate.residentBytes() - before < 24 << 20)
    }

    private static func compressed(_ text: [UInt8]) -> [UInt8] {
        var endpoint = WebSocketEndpoint(
            role: .client(maskingKeys: { MaskingKey(0) }), limits: FrameLimits(frame: 1 << 27, message: 1 << 27),
            compression: MessageCompression())
        endpoint.send(.text, text)
        return endpoint.takeOutput()
    }

    // MARK: Bounds

    /// What no side of the gate takes, and the code that says so.
    enum Excess: CaseIterable, Sendable {
        case frame, declared, fragments, text, lateText, control, reserved, unmasked

        var bytes: [UInt8] {
            func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] { TrialSocket.frame(first, payload) }
            let large = [UInt8](repeating: 0, count: 1_000)
            return switch self {
            case .frame: frame(0x82, large + [0])
            case .declared: [0x82, 0xff, 0, 0, 0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0]
            case .fragments: frame(0x02, large) + frame(0x00, large) + frame(0x80, [0])
            case .text: frame(0x81, [0xc3, 0x28])
            case .lateText: frame(0x01, [0xe2, 0x82]) + frame(0x80, [0x41])
            case .control: frame(0x89, [UInt8](repeating: 0, count: 126))
            case .reserved: frame(0x83, [])
            case .unmasked: TrialSocket.frame(0x81, [0x41], isMasked: false)
            }
        }

        var code: Int {
            switch self {
            case .frame, .declared, .fragments: 1009
            case .text, .lateText: 1007
            case .control, .reserved, .unmasked: 1002
            }
        }
    }

    @Test(
        "frames and messages beyond the bounds, and text that is none, end the connection",
        arguments: ["endpoint", "proxy"])
    func bounds(_ role: String) async throws {
        let limits = ["--max-frame-bytes", "1000", "--max-message-bytes", "2000"]
        let back = try await site.gate(GateSite.open + (role == "endpoint" ? limits : []))
        let gate =
            role == "endpoint"
            ? back
            : try await site.gate(
                GateSite.open + limits + [
                    "--upstream-url", "wss://localhost:\(back.port)", "--upstream-tls-ca-path",
                    "\(site.folder)/tls-ca.pem", "--validate-utf8", "true", "--attested-keys-path",
                    site.scratch.path("front.json"),
                ])
        let client = try site.client(gate)
        for excess in Excess.allCases {
            let socket = try await TrialSocket.open(client)
            try await socket.connection.send(excess.bytes)
            #expect(await socket.closeCode() == excess.code, "\(excess)")
        }
        // As much as is allowed passes.
        let socket = try await TrialSocket.open(client)
        let half = [UInt8](repeating: 5, count: 500)
        try await socket.connection.send(TrialSocket.frame(0x02, half) + TrialSocket.frame(0x80, half))
        #expect(await socket.nextMessage() == half + half)
    }
}
