import Foundation
import HotSide
import HotSideKnownAnswers
import HotSideTestSupport
import StrictJSON
import Substrate
import TestSupport
import Testing

private let hasNode = SharedData.has("signer-wire/hot/node_westend9122.json")

/// Nodes that are sockets of this machine.
@Suite("Nodes on the network", .enabled(if: hasNode))
struct NodesTests {
    static let westend = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"

    static func captured(_ name: String = "westend9122") throws -> CapturedNode {
        try CapturedNode(file: "hot/node_\(name).json", in: SharedData.url("signer-wire"))
    }

    /// What a node may take here: a test waits for a bad one as long.
    static let limits: NodeLimits = {
        var limits = NodeLimits()
        limits.connection = .milliseconds(500)
        limits.answer = .milliseconds(500)
        limits.notification = .milliseconds(500)
        limits.answerByteCount = 1 << 20
        return limits
    }()

    @Test("metadata come over a WebSocket and by plain requests, as they were captured", arguments: ["ws", "http"])
    func fetch(_ scheme: String) async throws {
        let node = try await TestNode(try Self.captured())
        let url = try NodeURL("\(scheme)://127.0.0.1:\(node.port)")
        let fetched = try await Nodes().withNode(at: url) { try await $0.fetchMetadata() }
        #expect(fetched.metadata.blob == (try SharedData.bytes("signer-wire/metadata/westend9122.scale")))
        #expect(fetched.genesisHash.hex == Self.westend)
        #expect(fetched.name == MetadataName(name: "westend", version: 9122))
        await node.stop()
    }

    @Test("a node that pings before it answers is answered, and answers")
    func pings() async throws {
        let node = try await TestNode(try Self.captured(), .pingFirst)
        let genesis = try await Nodes().withNode(at: try NodeURL(node.webSocket)) { try await $0.genesisHash() }
        #expect(genesis.hex == Self.westend)
        await node.stop()
    }

    @Test("metadata 15 come by the runtime call; a form that is not offered is refused")
    func formats() async throws {
        let node = try await TestNode(try Self.captured("polkadot_v15"))
        let url = try NodeURL(node.webSocket)
        let fetched = try await Nodes().withNode(at: url) { try await $0.fetchMetadata(.version15) }
        #expect(fetched.metadata.formatVersion == 15)
        let old = try await TestNode(try Self.captured())
        await #expect {
            try await Nodes().withNode(at: try NodeURL(old.webSocket)) { try await $0.fetchMetadata(.version16) }
        } throws: { error in
            (error as? NodeError)?.code == "NodeRefused"
        }
    }

    @Test("a runtime is asked for metadata at the block that they are noted at")
    func sameBlock() async throws {
        let node = try await TestNode(try Self.captured("polkadot_v15"))
        let url = try NodeURL(node.webSocket)
        let block = try await Nodes().withNode(at: url) { try await $0.fetchMetadata(.version15) }.blockHash
        let calls = node.questions.filter { $0.contains("state_call") }
        #expect(calls.count == 2 && calls.allSatisfy { $0.contains("\"0x\(block.hex)\"]") }, "\(calls)")
        await node.stop()
    }

    @Test(
        "a bad node is told by its fault, within the time it may take",
        arguments: [
            ("ws", TestNode.Conduct.truncated, "MalformedAnswer"), ("http", .truncated, "MalformedAnswer"),
            ("ws", .noise, "MalformedAnswer"), ("http", .noise, "MalformedAnswer"),
            ("ws", .endlessPings, "MalformedAnswer"), ("ws", .wrongID, "WrongID"), ("http", .wrongID, "WrongID"),
            ("ws", .endless, "AnswerTooLarge"), ("http", .endless, "AnswerTooLarge"),
            ("ws", .endlessPieces, "AnswerTooLarge"), ("http", .endlessPieces, "AnswerTooLarge"),
            ("ws", .slow, "TimedOut"), ("ws", .silent, "TimedOut"), ("http", .silent, "TimedOut"),
            ("ws", .closing, "ConnectionClosed"), ("http", .closing, "Unreachable"),
        ])
    func bad(_ scheme: String, _ conduct: TestNode.Conduct, _ code: String) async throws {
        let node = try await TestNode(try Self.captured(), conduct)
        let url = try NodeURL("\(scheme)://127.0.0.1:\(node.port)")
        // Only who is to be late is waited for a short time: a machine may be slow.
        var limits = NodeLimits()
        limits.answerByteCount = Self.limits.answerByteCount
        let chosen = code == "TimedOut" ? Self.limits : limits
        await #expect {
            try await Nodes(limits: chosen).withNode(at: url) { try await $0.fetchMetadata() }
        } throws: { error in
            (error as? NodeError)?.code == code
        }
        await node.stop()
    }

    @Test("nobody at the address is told as such", arguments: ["ws", "http"])
    func nobody(_ scheme: String) async throws {
        // A port that no program takes.
        let url = try NodeURL("\(scheme)://127.0.0.1:1")
        await #expect {
            try await Nodes().withNode(at: url) { try await $0.genesisHash() }
        } throws: { error in
            (error as? NodeError)?.code == "Unreachable"
        }
    }

    @Test("a certificate that nobody vouches for is not taken")
    func noTLS() async throws {
        // A node without TLS is none that speaks it.
        let node = try await TestNode(try Self.captured())
        for scheme in ["wss", "https"] {
            let url = try NodeURL("\(scheme)://127.0.0.1:\(node.port)")
            await #expect(throws: NodeError.self) {
                try await Nodes(limits: Self.limits).withNode(at: url) { try await $0.genesisHash() }
            }
        }
    }
}
