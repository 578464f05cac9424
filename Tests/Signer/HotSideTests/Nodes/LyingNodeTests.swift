import Airgap
import HotSide
import HotSideKnownAnswers
import StrictJSON
import Substrate
import TestSupport
import Testing
import TextForms

/// What a node says that answers in the right form, and is wrong.
@Suite("Lying nodes", .enabled(if: SharedData.has("signer-wire/hot/node_westend9122.json")))
struct LyingNodeTests {
    private static let otherGenesis = "0x" + String(repeating: "77", count: 32)

    private func westend() throws -> CapturedNode { try NodesTests.captured() }

    private func changing(_ method: String, _ parameters: [JSON], to result: JSON) throws -> CapturedNode {
        var node = try westend()
        node.calls = [.init(method: method, parameters: parameters, result: result)] + node.calls
        return node
    }

    /// What fails, and that the database is as it was.
    private func refusal(_ nodes: some NodeConnecting, _ work: (HotSide) async throws -> Void) async throws -> String {
        let hot = HotSide(database: try HotDatabase(), nodes: nodes)
        let before = try (hot.addressBook(), hot.metadata().count, hot.blockHistory().count)
        var code = "nothing"
        do { try await work(hot) } catch {
            code = (error as? NodeError)?.code ?? (error as? HotSideError)?.code ?? "\(error)"
        }
        let after = try (hot.addressBook(), hot.metadata().count, hot.blockHistory().count)
        #expect(before == after)
        return code
    }

    private func loading(_ hot: HotSide) async throws { _ = try await hot.loadMetadata(.total, .name("westend")) }

    @Test("another genesis than the stored one is refused, and nothing is written")
    func otherGenesis() async throws {
        let node = try changing("chain_getBlockHash", [.integer(0)], to: .string(Self.otherGenesis))
        #expect(try await refusal(node, loading) == "GenesisHashChanged")
        #expect(
            try await refusal(node) { _ = try await $0.addSpecs(.populate, .name("westend-sr25519")) }
                == "ValuesChanged")
    }

    @Test("a genesis that changes while one asks is refused")
    func changingGenesis() async throws {
        #expect(try await refusal(ForgetfulNode(node: try westend()), loading) == "GenesisHashChanged")
    }

    @Test(
        "answers of the wrong shape are told by what they should have been",
        arguments: [
            ("chain_getBlockHash", [JSON.integer(0)], JSON.string("0x1234"), "UnexpectedGenesisHashFormat"),
            ("chain_getBlockHash", [.integer(0)], .null, "UnexpectedGenesisHashFormat"),
            ("chain_getBlockHash", [], .array([]), "UnexpectedBlockHashFormat"),
            ("chain_getBlockHash", [], .string("1b2b"), "UnexpectedBlockHashFormat"),
        ])
    func shapes(_ method: String, _ parameters: [JSON], _ result: JSON, _ code: String) async throws {
        #expect(try await refusal(changing(method, parameters, to: result), loading) == code)
    }

    @Test(
        "what is no metadata is refused",
        arguments: [
            (JSON.string("0xzz"), "UnexpectedMetadataFormat"), (.integer(5), "UnexpectedMetadataFormat"),
            (.string("0x" + Hex.encode(Array("meta".utf8)) + "63"), "MetadataBroken"),
            (.string("0x00112233"), "MetadataBroken"), (.string("0x"), "MetadataBroken"),
        ])
    func noMetadata(_ result: JSON, _ code: String) async throws {
        let block = JSON.string("0x1b2b0a177ad4f3f93f9a56dae700e938a40201a5beabbda160a74c70e612c66a")
        #expect(try await refusal(changing("state_getMetadata", [block], to: result), loading) == code)
    }

    @Test("random bytes in the place of metadata never trap")
    func randomMetadata() async throws {
        let block = JSON.string("0x1b2b0a177ad4f3f93f9a56dae700e938a40201a5beabbda160a74c70e612c66a")
        let real = try SharedData.bytes("signer-wire/metadata/westend9122.scale")
        var generator = SplitMix64(state: 106)
        for round in 0..<40 {
            var blob = real
            for _ in 0...round {
                blob[Int.random(in: 5..<blob.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if round % 4 == 0 { blob.removeLast(Int.random(in: 1..<blob.count, using: &generator)) }
            let node = try changing("state_getMetadata", [block], to: .string("0x" + Hex.encode(blob)))
            // What decodes all the same is other metadata of the same version, or of another name.
            let hot = HotSide(database: try HotDatabase(), nodes: node)
            _ = try? await loading(hot)
        }
    }

    @Test("metadata of another network are refused, whatever genesis the node names")
    func otherNetwork() async throws {
        let polkadot = try NodesTests.captured("polkadot_v15")
        let genesis = JSON.string("0x" + NodesTests.westend)
        let node = CapturedNode(
            calls: [.init(method: "chain_getBlockHash", parameters: [.integer(0)], result: genesis)] + polkadot.calls)
        #expect(try await refusal(node, loading) == "OtherNetwork")
    }

    @Test("a record that no vault takes is not made, whoever says what is wrong with it")
    func malformed() async throws {
        let properties = { (decimals: Int, unit: String) in
            JSON.object([
                .init(name: "ss58Format", value: .integer(42)),
                .init(name: "tokenDecimals", value: .integer(decimals)),
                .init(name: "tokenSymbol", value: .string(unit)),
            ])
        }
        let url = try NodeURL("ws://127.0.0.1")
        for (decimals, unit, title) in [
            (200, "WND", nil), (12, "W\u{7}ND", nil), (12, "W\u{435}ND", nil), (12, "WND", ""),
            (12, "WND", String(repeating: "w", count: 257)), (12, "WND", "West\u{202e}end"),
        ] as [(Int, String, String?)] {
            let node = try changing("system_properties", [], to: properties(decimals, unit))
            let overrides = NetworkOverrides(scheme: .ed25519, title: title)
            for (flag, reference) in [
                (SetFlag.direct, Reference.url(url)), (.total, .name("westend-sr25519")),
            ] {
                let code = try await refusal(node) {
                    _ = try await $0.addSpecs(
                        flag, reference, overrides: overrides,
                        write: { _ in Issue.record("what is refused is not written") })
                }
                #expect(code == "SpecsMalformed", "\(decimals) \(unit) \(title ?? "")")
            }
        }
        let titled = try await refusal(try westend()) {
            _ = try await $0.addSpecs(.fromDatabase, .name("westend-sr25519"), overrides: NetworkOverrides(title: ""))
        }
        #expect(titled == "SpecsMalformed")
    }

    @Test("properties that are no object are refused", arguments: [JSON.null, .array([]), .string("x")])
    func properties(_ result: JSON) async throws {
        let code = try await refusal(changing("system_properties", [], to: result)) {
            _ = try await $0.addSpecs(.populate, .name("westend-sr25519"))
        }
        #expect(code == "UnexpectedSystemPropertiesFormat")
    }

    @Test(
        "a network whose token or prefix changes is refused",
        arguments: [("tokenDecimals", JSON.integer(10)), ("tokenSymbol", .string("XND"))])
    func changedToken(_ name: String, _ value: JSON) async throws {
        let properties = JSON.object(
            [("ss58Format", JSON.integer(42)), ("tokenDecimals", .integer(12)), ("tokenSymbol", .string("WND"))].map {
                .init(name: $0.0, value: $0.0 == name ? value : $0.1)
            })
        let code = try await refusal(changing("system_properties", [], to: properties)) {
            _ = try await $0.addSpecs(.populate, .name("westend-sr25519"), overrides: NetworkOverrides(title: "W"))
        }
        #expect(code == "ValuesChanged")
    }

    @Test("two nodes that tell different things are both refused")
    func twoNodes() async throws {
        let other = try changing(
            "state_getMetadata",
            [.string("0x1b2b0a177ad4f3f93f9a56dae700e938a40201a5beabbda160a74c70e612c66a")],
            to: .string("0x" + Hex.encode(try SharedData.bytes("signer-wire/metadata/westend9111.scale"))))
        let nodes = TwoNodes(first: try westend(), second: other)
        let second = try NodeURL("ws://127.0.0.2")
        #expect(
            try await refusal(nodes) { _ = try await $0.loadMetadata(.total, .name("westend"), comparing: second) }
                == "NodesDisagree")
        let same = TwoNodes(first: try westend(), second: try westend())
        let hot = HotSide(database: try HotDatabase(), nodes: same)
        #expect(try await hot.loadMetadata(.total, .name("westend"), comparing: second).count == 1)
    }
}

/// A node that names another genesis each time it is asked.
private struct ForgetfulNode: NodeConnecting {
    let node: CapturedNode

    func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R { try await body(Forgetful(node: node)) }

    private actor Forgetful: NodeConnection {
        let node: CapturedNode
        var hasAnswered = false

        init(node: CapturedNode) { self.node = node }

        func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
            guard method == "chain_getBlockHash", !parameters.isEmpty else {
                return try await node.call(method, parameters)
            }
            defer { hasAnswered = true }
            return hasAnswered
                ? .string("0x" + String(repeating: "77", count: 32)) : try await node.call(method, parameters)
        }

        func notification(of subscription: JSON) async throws -> JSON? { nil }
    }
}

/// One node at 127.0.0.2, and another everywhere else.
private struct TwoNodes: NodeConnecting {
    let first: CapturedNode
    let second: CapturedNode

    func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R { try await body(url.host == "127.0.0.2" ? second : first) }
}
