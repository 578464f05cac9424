import TestSupport
import Testing
import TextForms

@testable import WebSocketFrames

@Suite("WebSocket: handshake")
struct HandshakeTests {
    @Test("the answer to the key of RFC 6455 section 1.3 is the one that it gives")
    func accept() throws {
        #expect(try #require(HandshakeKey("dGhlIHNhbXBsZSBub25jZQ==")).accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        // Section 4.1 gives this one, whose last bits no byte needs.
        #expect(HandshakeKey("AQIDBAUGBwgJCgsMDQ4PEC==") != nil)
        var random = SplitMix64(state: 1)
        let key = HandshakeKey(using: &random)
        #expect(HandshakeKey(key.text) == key)
    }

    @Test(
        "what is not 16 bytes in Base64 is no key",
        arguments: [
            "", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ== ",
            "dGhlIHNhbXBsZSBub25jZQA=", "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25j-Q==",
            "AQIDBAUGBwgJCgsMDQ4PEBE=", "dGhlIHNhbXBsZSBub25jZQ==dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jé==",
        ])
    func keys(text: String) {
        #expect(HandshakeKey(text) == nil)
    }

    @Test(
        "SHA-1 is that of FIPS 180",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
            (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
            (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        ])
    func sha1(message: String, digest: String) {
        #expect(Hex.encode(SHA1.hash(Array(message.utf8))) == digest)
    }

    @Test("Base64 is that of RFC 4648 section 10")
    func base64() {
        let cases = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
            "foobar": "Zm9vYmFy",
        ]
        for (text, encoded) in cases { #expect(Base64.encode(Array(text.utf8)) == encoded) }
        #expect(Base64.encode([0xfb, 0xff, 0xbf]) == "+/+/")
    }

    @Test("lists of tokens are read over several fields, in letters of either case")
    func tokens() {
        #expect(HeaderTokens.list(["keep-alive, Upgrade", ",x ,, y\t"]) == ["keep-alive", "Upgrade", "x", "y"])
        #expect(HeaderTokens.contains("upgrade", in: ["keep-alive", "UPGRADE"]))
        #expect(!HeaderTokens.contains("upgrade", in: ["upgraded, x-upgrade"]))
        for bad in ["a b", "a;b", "a/b", "\"a\"", "é", "a,\u{0}", "upgrade,("] {
            #expect(HeaderTokens.list([bad]) == nil)
            #expect(!HeaderTokens.contains("upgrade", in: ["upgrade", bad]))
        }
        // Kelvin signs and the like are no letters of a token.
        #expect(!HeaderTokens.contains("k", in: ["\u{212a}"]))
    }

    @Test("extensions are read with their parameters, quoted or not")
    func extensions() throws {
        let list = try #require(
            WebSocketExtension.list(["foo, permessage-deflate; client_max_window_bits; a=\"1\\0\"", "bar ; baz = 2"]))
        #expect(list.map(\.name) == ["foo", "permessage-deflate", "bar"])
        #expect(
            list[1].parameters == [.init(name: "client_max_window_bits", value: nil), .init(name: "a", value: "10")])
        #expect(list[2].parameters == [.init(name: "baz", value: "2")])
        for bad in ["foo; ", "foo; a=", "foo a", "foo; a=\"\"", "foo; a=\"b c\"", "foo; a=\"b", "foo; a=\"b\\", "=;"] {
            #expect(WebSocketExtension.list([bad]) == nil, "\(bad)")
        }
    }

    @Test(
        "offers of permessage-deflate are answered as RFC 7692 section 7.1 says",
        arguments: [
            ("permessage-deflate", ""), ("permessage-deflate; client_max_window_bits", ""),
            ("permessage-deflate; client_max_window_bits=10; server_no_context_takeover", ""),
            ("Permessage-Deflate; server_max_window_bits=15", "; server_max_window_bits=15"),
            ("permessage-deflate; server_max_window_bits=10, permessage-deflate", ""), ("foo, permessage-deflate", ""),
        ])
    func accepted(offer: String, tail: String) throws {
        let offers = try #require(WebSocketExtension.list([offer]))
        let expected = "permessage-deflate; server_no_context_takeover; client_no_context_takeover\(tail)"
        #expect(PermessageDeflate.answer(to: offers) == expected)
    }

    @Test(
        "offers that cannot be kept are declined",
        arguments: [
            "foo", "permessage-deflate; server_max_window_bits=10", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; unknown", "permessage-deflate; client_max_window_bits=16",
            "permessage-deflate; client_max_window_bits=08", "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; client_max_window_bits; client_max_window_bits", "x-webkit-deflate-frame",
        ])
    func declined(offer: String) throws {
        #expect(PermessageDeflate.answer(to: try #require(WebSocketExtension.list([offer]))) == nil)
    }

    @Test("a server may choose only what was offered")
    func answers() throws {
        func list(_ text: String) throws -> [WebSocketExtension] { try #require(WebSocketExtension.list([text])) }
        let offer = try list("permessage-deflate; client_max_window_bits, foo")
        #expect(HandshakeAnswer.areOffered(try list("Permessage-deflate; server_no_context_takeover"), in: offer))
        #expect(HandshakeAnswer.areOffered([], in: []))
        #expect(!HandshakeAnswer.areOffered(try list("bar"), in: offer))
        #expect(!HandshakeAnswer.areOffered(try list("foo, FOO"), in: offer))
        #expect(HandshakeAnswer.isOffered(subprotocol: [], in: ["a"]))
        #expect(HandshakeAnswer.isOffered(subprotocol: ["b"], in: ["a", "c, b"]))
        for bad in [["B"], ["d"], ["a, b"], ["a", "b"], [""], ["a b"]] {
            #expect(!HandshakeAnswer.isOffered(subprotocol: bad, in: ["a, b"]))
        }
        #expect(ExtensionUse(accepted: []) == .none)
        #expect(ExtensionUse(accepted: try list("permessage-deflate; x")) == .permessageDeflate)
        #expect(ExtensionUse(accepted: offer) == .unknown)
    }
}
