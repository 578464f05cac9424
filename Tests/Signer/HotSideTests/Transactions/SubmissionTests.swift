import HotSide
import HotSideKnownAnswers
import HotSideTestSupport
import StrictJSON
import Substrate
import Synchronization
import Testing
import TextForms

@Suite("Handing a transaction to a node")
struct SubmissionTests {
    private static let block = "0x" + String(repeating: "ab", count: 32)

    private static func status(_ name: String) -> JSON { .object([.init(name: name, value: .string(block))]) }

    private static let extrinsic: [UInt8] = [1, 2, 3]
    private static let hash = "0x" + Blake2b.hash256(extrinsic).hex

    private func submit(
        to nodes: some NodeConnecting, at url: String = "ws://127.0.0.1", genesis: String = NodesTests.westend,
        isFollowed: Bool = true
    ) async throws -> SubmissionStep {
        let hot = HotSide(database: try HotDatabase(), nodes: nodes)
        let genesis = try #require(Hex.decode(genesis).flatMap { Hash256($0) })
        return try await hot.submit(
            Self.extrinsic, to: NodeURL(url), genesis: genesis, isFollowed: isFollowed, report: { _ in })
    }

    private func submit(_ statuses: [JSON], genesis: String = NodesTests.westend) async throws -> SubmissionStep {
        try await submit(to: WatchedNode(statuses: statuses), genesis: genesis)
    }

    /// Whether an error says that the transaction was handed over, and which to look for.
    private static func isWarning(_ error: any Error, code: String) -> Bool {
        let text = "\(error)"
        return (error as? NodeError)?.code == code && text.contains("handed over")
            && text.contains("look for \(hash) before making another") && !text.contains("Try")
    }

    @Test("it is followed until its block is final")
    func followed() async throws {
        let last = try await submit([
            .string("future"), .string("ready"), .object([.init(name: "broadcast", value: .array([]))]),
            Self.status("inBlock"), Self.status("retracted"), Self.status("inBlock"), Self.status("finalized"),
        ])
        #expect(last == .finalized(hash: Self.block))
    }

    @Test("a block that is not final in time is told, as the transaction is in it")
    func notFinal() async throws {
        let last = try await submit([Self.status("inBlock"), Self.status("finalityTimeout"), .string("ready")])
        #expect(last == .notFinalYet(hash: Self.block))
        #expect(last.text.contains("in block \(Self.block)"))
    }

    @Test(
        "one that the node gives up may be in a block all the same",
        arguments: [JSON.string("invalid"), .string("dropped"), status("usurped")])
    func dropped(_ status: JSON) async throws {
        await #expect {
            try await submit([.string("ready"), status])
        } throws: { Self.isWarning($0, code: "TransactionDropped") }
    }

    @Test("one of which nothing more is heard may be in a block", arguments: [[], [JSON.null], [status("ready")]])
    func unheard(_ end: [JSON]) async throws {
        await #expect {
            try await submit([.string("future"), Self.status("inBlock")] + end)
        } throws: { error in
            Self.isWarning(error, code: "TransactionUncertain") && "\(error)".contains("in block \(Self.block)")
        }
    }

    @Test("a node that leaves while it follows has the transaction all the same")
    func leaving() async throws {
        let node = try await TestNode(CapturedNode(calls: Self.genesis), .leavingOnceReady)
        await #expect {
            try await submit(to: Nodes(), at: node.webSocket)
        } throws: { error in
            Self.isWarning(error, code: "TransactionUncertain") && "\(error)".contains("waiting: ready")
        }
        await node.stop()
    }

    private static let genesis = [
        CapturedNode.Call(
            method: "chain_getBlockHash", parameters: [.integer(0)], result: .string("0x" + NodesTests.westend))
    ]

    @Test(
        "an answer that is not its hash is not one that the node has it by",
        arguments: [
            JSON.string("0x" + Blake2b.hash256([1, 2, 4]).hex),
            .null, .integer(1), .string("ok\u{1b}[2J"), .string("0x12"),
            .string(String(repeating: "ab", count: 32)),
        ])
    func noHash(_ answer: JSON) async throws {
        let text = JSON.string("0x" + Hex.encode(Self.extrinsic))
        let node = CapturedNode(
            calls: Self.genesis + [.init(method: "author_submitExtrinsic", parameters: [text], result: answer)])
        await #expect {
            try await submit(to: node, isFollowed: false)
        } throws: { Self.isWarning($0, code: "TransactionUncertain") }
    }

    @Test("one that is handed over and not followed is told by its own hash")
    func handedOver() async throws {
        let text = JSON.string("0x" + Hex.encode(Self.extrinsic))
        let node = CapturedNode(
            calls: Self.genesis + [
                .init(method: "author_submitExtrinsic", parameters: [text], result: .string(Self.hash))
            ])
        #expect(try await submit(to: node, isFollowed: false) == .accepted(hash: Self.hash))
    }

    @Test("where it cannot be followed, nothing is sent")
    func notFollowed() async throws {
        await #expect {
            try await submit(to: CapturedNode(calls: []), at: "http://127.0.0.1")
        } throws: { ($0 as? HotSideError)?.code == "NotSupported" }
    }

    @Test("a node that refuses the transaction does not have it, unless it says that it had", arguments: [1010, 1013])
    func refused(_ code: Int) async throws {
        await #expect {
            try await submit(to: WatchedNode(statuses: [], refusal: code))
        } throws: { error in
            code == 1013
                ? Self.isWarning(error, code: "TransactionUncertain") : (error as? NodeError)?.code == "NodeRefused"
        }
    }

    @Test("a node of another network does not get it")
    func otherNetwork() async throws {
        await #expect {
            try await submit([Self.status("finalized")], genesis: String(repeating: "77", count: 32))
        } throws: { error in
            (error as? NodeError)?.code == "GenesisHashChanged"
        }
    }
}

/// A node of Westend that tells of a transaction what it is given to tell.
private final class WatchedNode: NodeConnecting, NodeConnection {
    private let statuses: Mutex<[JSON]>
    private let refusal: Int?

    /// - Parameter refusal: the code by which it refuses the transaction.
    init(statuses: [JSON], refusal: Int? = nil) {
        self.statuses = Mutex(statuses)
        self.refusal = refusal
    }

    func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R { try await body(self) }

    func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
        if method == "chain_getBlockHash" { return .string("0x" + NodesTests.westend) }
        if let refusal { throw NodeError.refused(method: method, code: refusal, message: "no") }
        return .string("sub")
    }

    func notification(of subscription: JSON) async throws -> JSON? {
        statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
