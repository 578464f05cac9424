import NIOHTTP1
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("Requests")
struct RequestTests {
    private func head(
        _ method: String = "GET", _ target: String = "/", _ headers: [(String, String)], host: Bool = true
    ) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method), uri: target,
            headers: HTTPHeaders((host ? [("Host", "a")] : []) + headers))
    }

    @Test(
        "what two servers may read differently is refused, and the connection closed",
        arguments: [
            [("Content-Length", "5"), ("Transfer-Encoding", "chunked")],
            [("Content-Length", "5"), ("Content-Length", "5")],
            [("Content-Length", "5, 5")], [("Content-Length", "+5")], [("Content-Length", "")],
            [("Content-Length", "0x5")],
            [("Content-Length", "5 ")], [("Content-Length", "99999999999999999999")],
            [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], [("Transfer-Encoding", "xchunked")],
            [("Transfer-Encoding", "gzip, chunked")], [("Transfer-Encoding", "identity")], [("Host", "b")],
            [("Bad Name", "1")], [("Name ", "1")], [("", "1")], [("Name", "a\u{0}b")], [("Name", "a\rb")],
            [("Name", "a\nX-Gate-Auth: app-attest")], [("Nam\u{e9}", "1")],
        ])
    func smuggling(_ headers: [(String, String)]) {
        let violation = head("POST", "/attest/register", headers.map { ($0.0, $0.1) }).violation
        #expect(violation?.code.status == 400 && violation?.closesConnection == true)
    }

    @Test("chunks are not read in a version that has none, and a host is needed only in the one that has it")
    func olderVersion() {
        func older(_ headers: [(String, String)]) -> HTTPRequestHead {
            HTTPRequestHead(
                version: .http1_0, method: .POST, uri: "/attest/register", headers: HTTPHeaders(headers))
        }
        let chunked = older([("Transfer-Encoding", "chunked")]).violation
        #expect(chunked?.field?.description == "Transfer-Encoding" && chunked?.closesConnection == true)
        #expect(older([]).violation == nil && older([("Content-Length", "5")]).violation == nil)
        #expect(head("POST", "/", [("Transfer-Encoding", "chunked")]).violation == nil)
        #expect(head("GET", "/", [], host: false).violation?.field?.description == "Host")
    }

    @Test(
        "a target is a path of printable characters",
        arguments: [
            "http://a/", "*", "a:443", "", "/a b", "/a#b", "/\u{e9}", "/a\u{7f}",
            "//" + String(repeating: "a", count: 4_095),
        ])
    func targets(_ target: String) {
        #expect(head("GET", target, []).violation != nil)
        #expect(head("GET", "/a?b=%20", []).violation == nil)
    }

    @Test("a head has its bounds")
    func bounds() {
        let field = ("Name", String(repeating: "a", count: HTTPRequestHead.maximumFieldBytes - 8))
        #expect(head("GET", "/", [field]).violation == nil)
        #expect(head("GET", "/", [("Names", field.1)]).violation?.code == .headersTooLarge)
        #expect(head("GET", "/", [field, field]).violation?.code == .headersTooLarge)
        let many = Array(repeating: ("a", "b"), count: HTTPRequestHead.maximumFields - 1)
        #expect(head("GET", "/", many).violation == nil)
        #expect(head("GET", "/", many + [("a", "b")]).violation?.code == .headersTooLarge)
    }

    @Test("a host is there, once, and holds no path", arguments: [[], ["a", "a"], ["a/b"], ["a@b"], ["a b"], ["a,b"]])
    func hosts(_ hosts: [String]) {
        #expect(head("GET", "/", hosts.map { ("Host", $0) }, host: false).violation?.field?.description == "Host")
    }

    @Test("bodies are for registrations alone", arguments: ["/", "/attest/challenge", "/healthz", "/nope"])
    func bodies(_ path: String) async throws {
        let site = try Site()
        #expect(await site.send("GET", path, [("Content-Length", "1")]).status == 400)
        #expect(
            await site.send("GET", path, [("Transfer-Encoding", "chunked")]).headers["connection"] == ["close"])
        #expect(await site.send("GET", path, [("Content-Length", "0")]).status != 400)
    }

    @Test(
        "a handshake is as RFC 6455 has it",
        arguments: [
            (["Connection": "keep-alive, UPGRADE"], 0), (["Upgrade": "WebSocket"], 0), (["Connection": "close"], 400),
            (["Connection": "upgrade, a b"], 400),
            (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZ_=="], 400),
            (["Upgrade": "h2c"], 400), (["Upgrade": "websocket, h2c"], 400), (["Sec-WebSocket-Version": "12"], 426),
            (["Sec-WebSocket-Version": ""], 426), (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZR=="], 400),
            (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ="], 400),
            (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZSE="], 400),
            (["Content-Length": "3"], 400),
        ])
    func handshake(_ changes: [String: String], _ status: Int) throws {
        let fields = Site.handshake.filter { changes[$0.0] == nil } + changes.map { ($0.key, $0.value) }
        if status == 0 {
            #expect(try WebSocketHandshake(head("GET", "/", fields)).accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        } else {
            let refusal = #expect(throws: Refusal.self) { try WebSocketHandshake(head("GET", "/", fields)) }
            #expect(refusal?.code.status == status)
        }
    }

    @Test("Base64 is what RFC 4648 gives, in both alphabets, and nothing else")
    func base64() {
        for (text, plain) in [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            #expect(Base64.decode(text) == Array(plain.utf8) && Base64.encode(Array(plain.utf8)) == text)
            #expect(Base64.decode(text.replacing("=", with: "")) == Array(plain.utf8))
        }
        #expect(Base64.decode("-_-_") == Base64.decode("+/+/"))
        for bad in [
            "Z", "Zg=", "Zg===", "=", "====", "Zh==", "Zm9=", "Zm 8=", "Zm8\n", "Zm8=Zm8=", "Zm8é", "!!!", "Z===",
            "Zg==\n",
        ] {
            #expect(Base64.decode(bad) == nil, "\(bad)")
        }
        var random = SplitMix64(state: 2)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in random.byte() }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "an origin is compared by scheme, host and port",
        arguments: [
            ("https://app.example.com", true), ("HTTPS://App.Example.com:443/", true),
            ("https://app.example.com:8443", false),
            ("https://app.example.com.evil", false), ("http://app.example.com", false), ("null", false), ("", false),
            ("https://app.example.com@evil", false), ("https://app.example.com/path", false),
            ("https://app.example.com:443:443", false), ("https://app.example.com?x", false), ("https://", false),
            ("https://app.example.com:", false), ("https://app.example.com.", false),
            ("https://\u{301}app.example.com", false), ("https://app.example.com/\u{301}", false),
        ])
    func origins(_ text: String, _ isAllowed: Bool) throws {
        let rule = OriginRule(allowed: [try #require(Origin("https://app.example.com/"))])
        #expect(rule.allows(HTTPHeaders([("Origin", text)])) == isAllowed)
        #expect(OriginRule().allows(HTTPHeaders([("Origin", text)])))
    }

    @Test("two origins are none")
    func twoOrigins() throws {
        let rule = OriginRule(allowed: [try #require(Origin("https://a"))], allowsMissing: true)
        #expect(rule.allows(HTTPHeaders()))
        #expect(!rule.allows(HTTPHeaders([("Origin", "https://a"), ("origin", "https://a")])))
    }

    @Test(
        "a path that an upstream may read otherwise is on no list",
        arguments: [
            ("/chat", true), ("/game/1", true), ("/game/", true), ("/game", false), ("/chat/", false),
            ("/chatter", false),
            ("/game/../admin", false), ("/game/%2e%2e/admin", false), ("/game/%2E./admin", false),
            ("/game/a%2fb", false),
            ("/game//admin", false), ("/game/a%5c..%5cb", false), ("/game/a\\b", false), ("/game/%", false),
            ("/game/%+1", false), ("/game/%zz", false), ("/game/%00", false), ("/game/%41", true), ("/GAME/1", false),
            ("/game/./x", false), ("/", false),
            // What takes parameters of a path off before it looks at dots.
            ("/game/..;/admin", false), ("/game/..;x=1/admin", false), ("/game/..%3b/admin", false),
            ("/game/%2e%2e;/admin", false), ("/game/.;/x", false), ("/game/;/x", false), ("/game/;v=1", false),
            ("/game/a;v=1", true), ("/game/a;v=1/b;..", true),
        ])
    func paths(_ path: String, _ isAllowed: Bool) throws {
        let rule = PathRule(allowed: [
            try #require(PathRule.Pattern("/chat")), try #require(PathRule.Pattern("/game/*")),
        ])
        #expect(rule.allows(path[...]) == isAllowed)
        #expect(PathRule().allows(path[...]))
    }

    @Test("plain requests are told where a WebSocket is, and nothing about other paths")
    func plainRequests() async throws {
        let site = try Site(["ALLOWED_PATHS": "/chat, /game/*"])
        #expect(await site.send("GET", "/chat").status == 426)
        #expect(await site.send("POST", "/chat").status == 405)
        #expect(await site.send("GET", "/").status == 404)
        #expect(await site.send("POST", "/nope").status == 404)
        #expect(await site.send("GET", "/nope", Site.handshake).code == "path_not_allowed")
        #expect(await site.send("GET", "/chat", [("Upgrade", "h2c"), ("Connection", "Upgrade")]).status == 426)
        #expect(await site.send("GET", "/attest/other", Site.handshake).status == 404)
    }

    @Test("nothing reaches the upstream that the gate would say itself")
    func upstream() throws {
        let inbound: [(String, String)] = [
            ("Host", "gate.example"), ("Connection", "Upgrade, X-Hop"), ("Upgrade", "websocket"), ("X-Hop", "1"),
            ("Keep-Alive", "1"), ("Proxy-Authorization", "x"), ("TE", "x"), ("X-App-Assert-KeyId", "k"),
            ("x-app-assert-clienthash", "h"), ("X-Gate-Auth", "app-attest"), ("X_Gate_Key", "forged"),
            ("X-Forwarded-For", "6.6.6.6"), ("X_Forwarded_For", "6.6.6.6"), ("X-Forwarded-Host", "evil"),
            ("Forwarded", "for=6.6.6.6"), ("X-Real-IP", "6.6.6.6"), ("X-Request-Id", "forged"), ("Cookie", "c=1"),
            ("Sec-WebSocket-Key", "k"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Protocol", "chat"),
            ("Sec-WebSocket-Extensions", "permessage-deflate"), ("Origin", "https://a"),
        ]
        let id = RequestID(SeededRandom())
        let range = try #require(AddressRange("\(Site.address)"))
        func fields(trusted: Bool, strips: Bool) -> HTTPHeaders {
            UpstreamHeaders(stripsExtensions: strips).fields(
                of: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: HTTPHeaders(inbound)),
                from: Visitor(
                    peer: Site.address, headers: HTTPHeaders(), requestID: id,
                    by: ClientAddressRule(trusted: AddressSet(trusted ? [range] : []), source: .forwardedFor)),
                isTLS: true, identity: .none)
        }
        let plain = fields(trusted: false, strips: true)
        #expect(
            plain.map { "\($0.name)=\($0.value)" } == [
                "Cookie=c=1", "Sec-WebSocket-Protocol=chat", "Origin=https://a", "X-Forwarded-For=192.0.2.1",
                "X-Forwarded-Proto=https", "X-Forwarded-Host=gate.example", "X-Gate-Auth=none", "X-Request-Id=\(id)",
            ])
        let trusted = fields(trusted: true, strips: false)
        #expect(
            trusted["X-Forwarded-For"] == ["6.6.6.6, 192.0.2.1"]
                && trusted["X-Forwarded-Host"] == ["evil"])
        #expect(
            trusted["Sec-WebSocket-Extensions"] == ["permessage-deflate"]
                && trusted["x-gate-auth"] == ["none"])
        #expect(!trusted.contains(name: "X_Gate_Key") && !trusted.contains(name: "X-App-Assert-KeyId"))
    }

    @Test("both names of the nonce may stand, if they say the same")
    func bothNames() throws {
        let nonce = String(repeating: "ab", count: 32)
        func body(_ other: String) -> [UInt8] {
            Array(
                #"{"keyId":"\#(Base64.encode(FormDevice(1).keyID.bytes))","attestation":"o2M","clientData":"\#(nonce)","nonce":"\#(other)","more":[{}]}"#
                    .utf8)
        }
        #expect(try RegisterRequest(body: body(nonce)).attestation == [0xa3, 0x63])
        let refusal = #expect(throws: Refusal.self) {
            try RegisterRequest(body: body(String(repeating: "ac", count: 32)))
        }
        #expect(refusal?.code == .malformedField)
    }

    @Test("no body traps, whatever its bytes")
    func randomBodies() {
        var random = SplitMix64(state: 9)
        let seed = Array(#"{"keyId":"AA","attestation":"o2M=","clientData":"00"}"#.utf8)
        for _ in 0..<5_000 {
            let bytes = seed.flipping(bit: Int.random(in: 0..<seed.count * 8, using: &random))
            _ = try? RegisterRequest(body: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
        }
    }

    @Test("the system's random bytes are as many as wanted, and never the same twice", arguments: [0, 8, 32, 256])
    func systemRandom(count: Int) {
        let draws = (0..<100).map { _ in SystemRandomSource().bytes(count) }
        #expect(draws.allSatisfy { $0.count == count })
        if count > 0 { #expect(Set(draws).count == 100) }
        let names = Set((0..<100).map { _ in RequestID(SystemRandomSource()).description })
        #expect(names.count == 100 && names.allSatisfy { $0.utf8.count == 16 })
    }
}
