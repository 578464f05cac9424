import Telnet
import TestSupport
import Testing
import TextForms
import WebSocketFrames

@Suite("ClientCoder")
struct ClientCoderTests {
    private func text(_ message: ClientMessage?) -> String? {
        message.map { $0.isText ? String(decoding: $0.bytes, as: UTF8.self) : "binary" }
    }

    private func ask(_ request: String, _ framing: ClientFraming = .json) -> ClientRequest {
        var coder = ClientCoder(framing)
        return coder.decode(Array(request.utf8))
    }

    private let others: [TelnetEvent] = [
        .prompt, .echo(isSuppressed: true), .message(package: "a", data: ""), .msdp([1]), .discarded(.gmcp),
    ]

    @Test("binary passes bytes both ways, and nothing else")
    func binary() throws {
        var coder = ClientCoder(.binary)
        #expect(try coder.encode(.data([0, 0xff, 10])) == ClientMessage(isText: false, bytes: [0, 0xff, 10]))
        for event in others { #expect(try coder.encode(event) == nil) }
        #expect(coder.decode([10, 0xff]) == .input([10, 0xff]))
        #expect(coder.finish(reason: "x") == nil)
    }

    @Test("text holds back a character that is cut, and takes for Latin-1 what is none")
    func textual() throws {
        var coder = ClientCoder(.text)
        #expect(text(try coder.encode(.data([0x41, 0xe2]))) == "A")
        #expect(try coder.encode(.data([0x82])) == nil)
        #expect(text(try coder.encode(.data([0xac, 0xe9, 0x20]))) == "€é ")
        #expect(text(try coder.encode(.data([0xf0, 0x9f, 0x98]))) == nil)
        #expect(text(try coder.encode(.data([0x41]))) == "ð\u{9f}\u{98}A")
        #expect(text(try coder.encode(.data([0xc0, 0x80, 0xed, 0xa0, 0x80, 0xff]))) == "À\u{80}í\u{a0}\u{80}ÿ")
        for event in others { #expect(try coder.encode(event) == nil) }
        #expect(try coder.encode(.data([0xf0, 0x9f])) == nil)
        #expect(text(coder.finish(reason: "x")) == "ð\u{9f}")
        #expect(coder.finish(reason: "x") == nil)
    }

    @Test("text is UTF-8 whatever comes, and UTF-8 comes through, wherever it is cut")
    func textProperties() throws {
        var random = SplitMix64(state: 9)
        let sample = Array("Эх, чужак! 日本語 😀 plain".utf8)
        for round in 0..<2_000 {
            let bytes = round % 2 == 0 ? sample : (0..<20).map { _ in random.byte() }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            var coder = ClientCoder(.text)
            let parts = [
                try coder.encode(.data(Array(bytes[..<cut]))), try coder.encode(.data(Array(bytes[cut...]))),
                coder.finish(reason: ""),
            ]
            for part in parts.compactMap({ $0 }) { #expect(String(validating: part.bytes, as: UTF8.self) != nil) }
            if round % 2 == 0 { #expect(parts.compactMap { $0?.bytes }.flatMap { $0 } == sample) }
        }
    }

    @Test("a lone LF becomes CR LF in text and JSON, over messages too, and nowhere else")
    func lineEnds() {
        #expect(ask("a\nb\r\n\n", .text) == .input(Array("a\r\nb\r\n\r\n".utf8)))
        #expect(ask(#"{"type":"input","text":"a\n"}"#) == .input(Array("a\r\n".utf8)))
        #expect(ask("look\n") == .input(Array("look\r\n".utf8)))
        #expect(ask("a\n", .binary) == .input([0x61, 10]) && ask("a\n", .legacy) == .input([0x61, 10]))
        var coder = ClientCoder(.text)
        #expect(coder.decode([13]) == .input([13]))
        #expect(coder.decode([10, 10]) == .input([10, 13, 10]))
    }

    @Test("JSON tells every event, numbered")
    func json() throws {
        var coder = ClientCoder(.json)
        #expect(text(try coder.encode(.data([0xff, 0xfe]))) == #"{"type":"data","seq":1,"payload":"//4="}"#)
        #expect(
            text(try coder.encode(.message(package: "Char.Vitals", data: #"{"hp": 1}"#)))
                == #"{"type":"gmcp","seq":2,"package":"Char.Vitals","data":{"hp": 1}}"#)
        #expect(
            text(try coder.encode(.message(package: "a\"", data: #"{"a":1,"a":2}"#)))
                == #"{"type":"gmcp","seq":3,"package":"a\"","data":"{\"a\":1,\"a\":2}"}"#)
        #expect(
            text(try coder.encode(.message(package: "x", data: "")))
                == #"{"type":"gmcp","seq":4,"package":"x","data":""}"#)
        #expect(text(try coder.encode(.echo(isSuppressed: true))) == #"{"type":"echo","seq":5,"suppressed":true}"#)
        #expect(text(try coder.encode(.prompt)) == #"{"type":"prompt","seq":6}"#)
        #expect(try coder.encode(.msdp([1])) == nil)
        #expect(try coder.encode(.discarded(.msdp)) == nil)
        #expect(text(coder.finish(reason: "upstream_lost")) == #"{"type":"disconnected","reason":"upstream_lost"}"#)
    }

    @Test("requests in JSON are taken")
    func requests() {
        #expect(ask(#"{"type":"naws","width":65535,"height":1}"#) == .resize(WindowSize(columns: 65_535, rows: 1)))
        #expect(
            ask(#"{"type":"gmcp","package":"Core.Ping","data":{"a":[1.0,"é"]}}"#)
                == .message(package: "Core.Ping", data: #"{"a":[1.0,"é"]}"#))
        #expect(ask(#"{"type":"gmcp","package":"x"}"#) == .message(package: "x", data: ""))
        #expect(ask(#"{"type":"disconnect"}"#) == .disconnect)
    }

    @Test(
        "what is no object of JSON is a player's line",
        arguments: ["north", "42", "\"hi\"", "[1]", "{", "{broken}", "", "null", "{\"type\":\"input\"} x"])
    func lines(line: String) {
        #expect(ask(line) == .input(Array(line.utf8)))
    }

    @Test(
        "an object that is no request is refused by its field",
        arguments: [
            ("{}", "type"), (#"{"type":"resume"}"#, "type"), (#"{"type":1}"#, "type"), (#"{"type":"input"}"#, "text"),
            (#"{"type":"input","text":1}"#, "text"), (#"{"type":"naws","width":0,"height":1}"#, "width"),
            (#"{"type":"naws","width":65536,"height":1}"#, "width"),
            (#"{"type":"naws","width":80,"height":1.5}"#, "height"),
            (#"{"type":"gmcp"}"#, "package"), (#"{"type":"gmcp","package":"a b"}"#, "package"),
            (#"{"type":"gmcp","package":""}"#, "package"), (#"{"type":"input","type":"naws"}"#, ""),
        ])
    func refused(request: String, field: String) {
        guard case .refused(let answer) = ask(request) else {
            Issue.record("it is taken")
            return
        }
        let text = text(answer) ?? ""
        #expect(text.hasPrefix(#"{"type":"error","code":"invalid_request","field":"\#(field)","message":""#))
    }

    @Test("legacy sends Base64 of a whole raw DEFLATE stream for each read")
    func legacy() throws {
        var coder = ClientCoder(.legacy)
        let long = Array(String(repeating: "You stand in a long corridor. ", count: 3_000).utf8)
        for bytes in [Array("hello".utf8), [], long] {
            let message = try #require(try coder.encode(.data(bytes)))
            let stream = try #require(base64(message.bytes))
            #expect(try RawInflater().expand(stream, limits: .init(bytes: 1 << 20, ratio: 2_000)) == bytes)
        }
        // The stream that zlib makes of "hello".
        #expect(
            text(try coder.encode(.data(Array("hello".utf8)))) == Base64.encode([0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0]))
        for event in others { #expect(try coder.encode(event) == nil) }
    }

    @Test("legacy swallows a request to connect, if it comes first")
    func legacyConnect() {
        var coder = ClientCoder(.legacy)
        let connect = Array(#"{"connect":1,"host":"mud.example","port":4000}"#.utf8)
        #expect(coder.decode(connect) == .nothing)
        #expect(coder.decode(connect) == .input(connect))
        #expect(ask(#"{"disconnect":1}"#, .legacy) == .input(Array(#"{"disconnect":1}"#.utf8)))
    }

    private func base64(_ text: [UInt8]) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var (bits, count, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
        for letter in text where letter != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
