import NIOHTTP1
import TestSupport
import Testing

@testable import Gate

#if os(Linux)
    import Glibc
#else
    import Darwin
#endif

@Suite("Addresses")
struct AddressTests {
    /// What the C library makes of a text: 16 bytes, IPv4 as mapped.
    private func peer(_ text: String) -> IPAddress? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(v4: UInt32(bigEndian: v4.s_addr)) }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        return withUnsafeBytes(of: &v6) { bytes in
            IPAddress(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    @Test(
        "an address is what the C library takes for it",
        arguments: [
            "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", "1..2.3", "0x1.2.3.4", "::",
            "::1",
            "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1::2::3", ":1", "1:",
            "::ffff:1.2.3.4", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "12345::",
            "::g",
            ":::", "", "fe80::1%eth0", "::+1", "2001:DB8::1", "::1.2.3", "1.2.3.4:5",
        ])
    func known(_ text: String) {
        #expect(IPAddress(text) == peer(text))
    }

    @Test("leading zeros, which some read as octal, are refused")
    func octal() {
        #expect(IPAddress("010.0.0.1") == nil)
        #expect(IPAddress("::ffff:010.0.0.1") == nil)
    }

    @Test("random texts are what the C library takes for them, and addresses are written as RFC 5952 says")
    func random() {
        var random = SplitMix64(state: 3)
        let characters = Array("0123456789abcdefF:::...".unicodeScalars)
        for _ in 0..<20_000 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0..<24, using: &random)).map { _ in
                        characters[Int.random(in: 0..<characters.count, using: &random)]
                    }))
            #expect(IPAddress(text) == peer(text), "\(text)")
            let address = IPAddress(
                high: random.next() & random.next() & random.next(), low: random.next() & random.next() & random.next())
            #expect(IPAddress(address.description) == address)
        }
        for text in ["2001:db8::1", "2001:db8:0:1:1:1:1:1", "::", "1::", "2001:0:0:1::1", "10.0.0.1"] {
            #expect(IPAddress(text)?.description == text)
        }
        #expect(IPAddress("::ffff:10.0.0.1")?.description == "10.0.0.1")
    }

    @Test("a range holds what shares its bits, and no address of the other family")
    func ranges() throws {
        let net = try #require(AddressRange("10.0.0.0/8"))
        #expect(net.contains(IPAddress(v4: 0x0aff_ffff)) && !net.contains(IPAddress(v4: 0x0b00_0000)))
        #expect(net.contains(try #require(IPAddress("::ffff:10.1.1.1"))))
        let six = try #require(AddressRange("2001:db8::/33"))
        #expect(six.contains(try #require(IPAddress("2001:db8:7fff::1"))))
        #expect(!six.contains(try #require(IPAddress("2001:db8:8000::"))))
        #expect(!(try #require(AddressRange("::/0")).contains(IPAddress(v4: 1))))
        #expect(try #require(AddressRange("0.0.0.0/0")).contains(IPAddress(v4: 1)))
        #expect(try #require(AddressRange("192.0.2.7")).contains(IPAddress(v4: 0xc000_0207)))
        for bad in [
            "10.0.0.1/8", "10.0.0.0/33", "::/129", "true", "10.0.0.0/", "10.0.0.0/-1", "/8", "*", "10.0.0.0/8/8",
        ] {
            #expect(AddressRange(bad) == nil, "\(bad)")
        }
    }

    @Test("clients of one IPv6 network are one client")
    func clientKeys() throws {
        #expect(
            ClientKey(try #require(IPAddress("2001:db8::1"))) == ClientKey(try #require(IPAddress("2001:db8::ffff"))))
        #expect(
            ClientKey(try #require(IPAddress("2001:db8:0:1::"))) != ClientKey(try #require(IPAddress("2001:db8::"))))
        #expect(ClientKey(IPAddress(v4: 1)) != ClientKey(IPAddress(v4: 2)))
    }

    private func client(
        _ source: ClientAddressRule.Source, peer: String, _ headers: [(String, String)]
    ) throws -> String {
        let trusted = AddressSet([try #require(AddressRange("10.0.0.0/8")), try #require(AddressRange("fd00::/8"))])
        return ClientAddressRule(trusted: trusted, source: source)
            .client(peer: try #require(IPAddress(peer)), headers: HTTPHeaders(headers)).description
    }

    @Test(
        "the rightmost address that no trusted proxy has is the client's",
        arguments: [
            ("192.0.2.9", ["1.1.1.1"], "192.0.2.9"), ("10.0.0.1", ["1.1.1.1"], "1.1.1.1"),
            ("10.0.0.1", ["6.6.6.6, 1.1.1.1"], "1.1.1.1"), ("10.0.0.1", ["1.1.1.1, 10.0.0.2"], "1.1.1.1"),
            ("10.0.0.1", ["6.6.6.6", "1.1.1.1, 10.0.0.2"], "1.1.1.1"), ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", ["1.1.1.1, nonsense, 10.0.0.2"], "10.0.0.2"), ("10.0.0.1", ["nonsense"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1,"], "10.0.0.1"), ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1:8080"], "1.1.1.1"), ("10.0.0.1", ["[2001:db8::1]:80, fd00::1"], "2001:db8::1"),
            ("10.0.0.1", ["::ffff:1.1.1.1"], "1.1.1.1"), ("::ffff:10.0.0.1", ["1.1.1.1"], "1.1.1.1"),
            ("10.0.0.1", ["1.1.1.1:99999"], "10.0.0.1"), ("10.0.0.1", ["[1.1.1.1]"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1:\u{301}80"], "10.0.0.1"), ("10.0.0.1", [" \u{301}1.1.1.1"], "10.0.0.1"),
        ])
    func forwardedFor(_ peer: String, _ values: [String], _ expected: String) throws {
        #expect(try client(.forwardedFor, peer: peer, values.map { ("X-Forwarded-For", $0) }) == expected)
    }

    @Test(
        "Forwarded is read as RFC 7239 says",
        arguments: [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=192.0.2.43, for=10.0.0.7", "192.0.2.43"), ("for=192.0.2.43, for=unknown", "10.0.0.1"),
            ("for=192.0.2.43, for=\"_gazonk\"", "10.0.0.1"), ("for=192.0.2.43;for=1.1.1.1", "10.0.0.1"),
            ("for=192.0.2.43, by=10.0.0.7", "10.0.0.1"), ("for=\"192.0.2.43", "10.0.0.1"),
            ("for=1.1.1.1, for=\"a,for=2.2.2.2\"", "10.0.0.1"), ("", "10.0.0.1"),
        ])
    func forwarded(_ value: String, _ expected: String) throws {
        #expect(try client(.forwarded, peer: "10.0.0.1", [("Forwarded", value)]) == expected)
    }

    @Test("X-Real-IP counts once, and from a trusted peer")
    func realIP() throws {
        #expect(try client(.realIP, peer: "10.0.0.1", [("X-Real-IP", " 1.1.1.1 ")]) == "1.1.1.1")
        #expect(
            try client(.realIP, peer: "10.0.0.1", [("X-Real-IP", "1.1.1.1"), ("x-real-ip", "2.2.2.2")]) == "10.0.0.1")
        #expect(try client(.realIP, peer: "192.0.2.1", [("X-Real-IP", "1.1.1.1")]) == "192.0.2.1")
    }
}

@Suite("The PROXY preamble")
struct ProxyPreambleTests {
    private static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]
    private static let v2Four = signature + [0x21, 0x11, 0, 15, 192, 0, 2, 1, 10, 0, 0, 1, 0xdc, 4, 1, 0xbb, 3, 0, 0]

    typealias Outcome = Result<ProxyPreamble.Progress, ProxyPreambleError>

    private static func source(_ text: String, _ port: UInt16, _ consumed: Int) -> Outcome {
        .success(
            .complete(source: IPAddress(text).map { ProxyPreamble.Source(address: $0, port: port) }, consumed: consumed)
        )
    }

    static let cases: [(bytes: [UInt8], expectation: ProxyPreamble.Expectation, outcome: Outcome?)] = [
        (
            Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r\nGET".utf8), .required(.any),
            source("192.0.2.1", 56_324, 41)
        ),
        (Array("PROXY TCP6 2001:db8::1 ::1 1 0\r\n\u{16}\u{3}".utf8), .required(.v1), source("2001:db8::1", 1, 32)),
        (Array("PROXY UNKNOWN ffff::1 x\r\n".utf8), .required(.v1), .success(.complete(source: nil, consumed: 25))),
        (Array("PROXY UNKNOWN\r\n".utf8), .required(.v1), .success(.complete(source: nil, consumed: 15))),
        (v2Four + [0x16], .required(.v2), source("192.0.2.1", 56_324, 31)),
        (
            signature + [0x21, 0x21, 0, 36] + [0x20, 1, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [1]
                + Array(repeating: 0, count: 16) + [0, 80, 1, 0xbb], .required(.any), source("2001:db8::1", 80, 52)
        ),
        (signature + [0x20, 0, 0, 0], .required(.any), .success(.complete(source: nil, consumed: 16))),
        (signature + [0x20, 0x11, 0, 3, 9, 9, 9], .required(.any), .success(.complete(source: nil, consumed: 19))),
        (Array("GET / HTTP/1.1\r\n".utf8), .required(.any), .failure(.missing)),
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r\n".utf8), .required(.v2), .failure(.wrongVersion)),
        (v2Four, .required(.v1), .failure(.wrongVersion)),
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\n".utf8), .required(.any), .failure(.malformed(offset: 38))),
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324\r\n".utf8), .required(.any), .failure(.malformed(offset: 6))),
        (Array("PROXY TCP4 ::1 ::1 1 1\r\n".utf8), .required(.any), .failure(.malformed(offset: 11))),
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 65536 1\r\n".utf8), .required(.any), .failure(.malformed(offset: 11))),
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 01 1\r\n".utf8), .required(.any), .failure(.malformed(offset: 11))),
        (Array("PROXY UDP4 192.0.2.1 10.0.0.1 1 1\r\n".utf8), .required(.any), .failure(.malformed(offset: 6))),
        (
            Array(("PROXY UNKNOWN " + String(repeating: "x", count: 100) + "\r\n").utf8), .required(.any),
            .failure(.tooLong)
        ),
        (signature + [0x31, 0x11, 0, 12], .required(.any), .failure(.malformed(offset: 12))),
        (signature + [0x21, 0x12, 0, 12], .required(.any), .failure(.malformed(offset: 13))),
        (signature + [0x21, 0x11, 0, 11], .required(.any), .failure(.malformed(offset: 14))),
        (signature + [0x21, 0x11, 2, 25], .required(.any), .failure(.tooLong)),
        (v2Four, .forbidden, .failure(.notAllowed)),
        (Array("PROXY TCP4".utf8), .forbidden, .failure(.notAllowed)),
        (Array("POST / HTTP/1.1".utf8), .forbidden, .success(.complete(source: nil, consumed: 0))),
        ([0x16, 3, 1], .forbidden, .success(.complete(source: nil, consumed: 0))),
        (Array("PRO".utf8), .forbidden, nil), (Array("PROXY TCP4 192".utf8), .required(.any), nil),
        (Array(v2Four.dropLast()), .required(.any), nil),
    ]

    @Test("a preamble is what it is in every split", arguments: cases.indices)
    func splits(_ index: Int) {
        let (bytes, expectation, outcome) = Self.cases[index]
        for piece in 1...bytes.count {
            #expect(RuleParsers.outcome(expectation, bytes, piece: piece) == outcome)
        }
        for split in 1..<bytes.count {
            var preamble = ProxyPreamble(expectation)
            let result = Result { () throws(ProxyPreambleError) in
                let first = try preamble.feed(bytes[..<split])
                return first == .incomplete ? try preamble.feed(bytes[split...]) : first
            }
            #expect(result == (outcome ?? .success(.incomplete)))
        }
    }

    @Test("any bytes come to the same whole and byte by byte")
    func random() {
        var random = SplitMix64(state: 5)
        for _ in 0..<5_000 {
            var bytes =
                [Self.v2Four, Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r\n".utf8)].randomElement(using: &random)
                ?? []
            bytes = bytes.flipping(bit: Int.random(in: 0..<bytes.count * 8, using: &random))
            #expect(RuleParsers.preamble(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))))
        }
    }
}
