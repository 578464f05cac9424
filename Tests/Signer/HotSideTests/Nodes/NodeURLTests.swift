import HotSide
import Testing

@Suite("Addresses of nodes")
struct NodeURLTests {
    @Test("scheme, host, port and path are read")
    func parts() throws {
        let url = try NodeURL("wss://rpc.polkadot.io")
        #expect(url.transport == .webSocket && url.isEncrypted)
        #expect((url.host, url.port, url.path) == ("rpc.polkadot.io", 443, "/"))
        let other = try NodeURL("http://127.0.0.1:9944/node?key=1")
        #expect(other.transport == .http && !other.isEncrypted)
        #expect((other.host, other.port, other.path) == ("127.0.0.1", 9944, "/node?key=1"))
        #expect(try NodeURL("ws://[::1]:9944").host == "::1")
        #expect(try NodeURL("wss://[fe80::1%25eth0]").host == "fe80::1%eth0")
        #expect(try NodeURL("wss://xn--bcher-kva.example/%C3%A4").host == "xn--bcher-kva.example")
    }

    @Test(
        "what leads nowhere, or would have to be kept secret, is refused",
        arguments: [
            "", "rpc.polkadot.io", "ftp://node.example", "wss://", "wss://user@node.example",
            "wss://user:word@node.example", "wss://node.example#part", "wss://node.example:0",
            "wss://" + String(repeating: "a", count: 2000), "wss://node.example:70000",
            // What readers of addresses disagree on, and what would be a line of its own in a request.
            "wss://no de.example", "wss://node.example\r\nX: y", "wss://node\\.example", "wss://node%2eexample",
            "wss://node%00.example", "wss://bücher.example", "ws://127.\u{660}.\u{660}.\u{661}", "ws://[::1%25]]",
            "wss://node.example/ä", "wss://node.example/a b", "wss://[::1]x", "wss://node;.example",
        ])
    func refused(_ text: String) {
        #expect {
            _ = try NodeURL(text)
        } throws: { error in
            if case NodeError.badAddress = error { true } else { false }
        }
    }

    @Test(
        "another machine is not asked in the clear unless that is allowed",
        arguments: [
            "ws://node.example", "http://192.168.1.4:9944", "ws://127.0.0.1.evil.example", "ws://127.evil.example.io",
        ])
    func plain(_ text: String) throws {
        #expect {
            _ = try NodeURL(text)
        } throws: { error in
            if case NodeError.plainConnection = error { true } else { false }
        }
        _ = try NodeURL(text, allowsPlain: true)
    }
}
