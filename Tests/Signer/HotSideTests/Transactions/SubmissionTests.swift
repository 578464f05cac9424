import HotSide
import HotSideKnownAnswers
import StrictJSON
import Substrate
import Synchronization
import Testing
import TextForms

@Suite("Handing a transaction to a node")
struct SubmissionTests {
    private static let block = "0x" + String(repeating: "ab", count: 32)

    private static func status(_ name: String) -> JSON { .object([.init(name: name, value: .string(block))]) }

    private func submit(_ statuses: [JSON], genesis: String = NodesTests.westend) async throws -> SubmissionStep {
        let hot = HotSide(database: try HotDatabase(), nodes: WatchedNode(statuses: statuses))
        let genesis = try #require(Hex.decode(genesis).flatMap { Hash256($0) })
        return try await hot.submit(
            [1, 2, 3], to: NodeURL("ws://127.0.0.1"), genesis: genesis, isFollowed: true, report: { _ in })
    }

    @Test("it is followed until its block is final")
    func followed() async throws {
        let last = try await submit([
            .string("future"), .string("ready"), .object([.init(name: "broadcast", value: .array([]))]),
            Self.status("inBlock"), Self.status("retracted"), Self.status("inBlock"), Self.status("finalized"),
        ])
        #expect(last == .finalized(hash: Self.block))
    }

    @Test(
        "one that the chain drops is told as such",
        arguments: [JSON.string("invalid"), .string("dropped"), status("usurped"), status("finalityTimeout"), .null])
    func dropped(_ status: JSON) async throws {
        await #expect {
            try await submit([.string("ready"), status])
        } throws: { error in
            (error as? NodeError)?.code == "TransactionDropped"
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

    init(statuses: [JSON]) { self.statuses = Mutex(statuses) }

    func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R { try await body(self) }

    func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
        method == "chain_getBlockHash" ? .string("0x" + NodesTests.westend) : .string("sub")
    }

    func notification(of subscription: JSON) async throws -> JSON? {
        statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
