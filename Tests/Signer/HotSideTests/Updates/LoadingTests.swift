import Airgap
import HotSide
import HotSideKnownAnswers
import StrictJSON
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Loading metadata and records", .enabled(if: SharedData.has("signer-wire/hot/node_westend9122.json")))
struct LoadingTests {
    private func side(_ nodes: some NodeConnecting = CapturedNode(calls: [])) throws -> HotSide {
        HotSide(database: try HotDatabase(), nodes: nodes)
    }

    private func blob(_ name: String) throws -> [UInt8] { try SharedData.bytes("signer-wire/metadata/\(name).scale") }

    private func node(_ blob: [UInt8], block: String = String(repeating: "bb", count: 32)) throws -> CapturedNode {
        let text = JSON.string("0x" + Hex.encode(blob))
        return CapturedNode(calls: [
            .init(method: "chain_getBlockHash", parameters: [], result: .string("0x" + block)),
            .init(method: "chain_getBlockHash", parameters: [.integer(0)], result: .string("0x" + NodesTests.westend)),
            .init(method: "state_getMetadata", parameters: [.string("0x" + block)], result: text),
            .init(method: "state_getMetadata", parameters: [], result: text),
        ])
    }

    private func code(_ work: () async throws -> Void) async -> String {
        do { try await work() } catch {
            return (error as? NodeError)?.code ?? (error as? HotSideError)?.code ?? "\(error)"
        }
        return "nothing"
    }

    @Test("each set flag asks, stores and writes what it says")
    func setFlags() async throws {
        let node = try NodesTests.captured()
        for (flag, stored, written, again) in [
            (SetFlag.direct, 0, true, true), (.known, 1, true, false), (.populate, 1, false, false),
            (.total, 1, true, true),
        ] {
            let hot = try side(node)
            let first = try await hot.loadMetadata(flag, .name("westend"))
            #expect(first.map(\.isNew) == [true] && first.map(\.isWritten) == [written], "\(flag)")
            #expect(try hot.metadata().count == stored, "\(flag)")
            #expect(try hot.blockHistory().count == stored, "\(flag)")
            let second = try await hot.loadMetadata(flag, .name("westend"))
            #expect(second.map(\.isWritten) == [again], "\(flag)")
        }
        let hot = try side()
        #expect(await code { _ = try await hot.loadMetadata(.fromDatabase, .name("westend")) } == "MetadataNotFound")
    }

    @Test("what could not be written is not stored either, and stays news")
    func unwritten() async throws {
        struct DiskFull: Error {}
        let node = try NodesTests.captured()
        let hot = try side(node)
        await #expect(throws: DiskFull.self) {
            _ = try await hot.loadMetadata(.known, .name("westend"), write: { _ in throw DiskFull() })
        }
        #expect(try hot.metadata().isEmpty && hot.blockHistory().isEmpty)
        var written: [Bool] = []
        let again = try await hot.loadMetadata(
            .known, .name("westend"),
            write: { written.append($0.isWritten) })
        #expect(written == [true] && again.map(\.isNew) == [true])

        let other = try side(CapturedNode.assetHub(in: SharedData.url("signer-wire")))
        let (url, known) = (try NodeURL("ws://127.0.0.1"), try other.addressBook().map(\.title))
        await #expect(throws: DiskFull.self) {
            _ = try await other.addSpecs(
                .populate, .url(url), overrides: NetworkOverrides(scheme: .sr25519), write: { _ in throw DiskFull() })
        }
        #expect(try other.addressBook().map(\.title) == known)
    }

    @Test("two versions are kept: the third pushes out the oldest, with its blocks")
    func twoVersions() async throws {
        let database = try HotDatabase()
        for name in ["westend9000", "westend9010", "westend9070"] {
            let hot = HotSide(database: database, nodes: try node(blob(name)))
            _ = try await hot.loadMetadata(.populate, .name("westend"))
        }
        let hot = HotSide(database: database, nodes: CapturedNode(calls: []))
        #expect(try hot.metadata().map(\.key.version) == [9010, 9070])
        #expect(try hot.blockHistory().map(\.key.version).sorted() == [9010, 9070])
    }

    @Test("older metadata, and others of the same version, are refused, and nothing is written")
    func earlier() async throws {
        let database = try HotDatabase()
        try HotSide(database: database, nodes: CapturedNode(calls: [])).store(metadata: blob("westend9111"))
        for (name, expected) in [("westend9070", "EarlierVersion"), ("changed", "SameVersionDifferentMetadata")] {
            var bytes = try blob(name == "changed" ? "westend9111" : name)
            if name == "changed" {
                // A letter in the documentation.
                let place = try #require(
                    bytes.firstRange(of: Array("Make a transfer".utf8))?.lowerBound
                        ?? bytes.firstRange(of: Array(" The ".utf8))?.lowerBound)
                bytes[place + 1] ^= 0x20
            }
            let hot = HotSide(database: database, nodes: try node(bytes))
            let refusal = await code {
                _ = try await hot.loadMetadata(
                    .total, .name("westend"), write: { _ in Issue.record("what is refused is not written") })
            }
            #expect(refusal == expected)
            #expect(try hot.metadata().map(\.metadata.blob) == [try blob("westend9111")])
            #expect(try hot.blockHistory().isEmpty)
        }
    }

    @Test("blocks at which the same metadata were seen are logged one after the other, sixteen at the most")
    func blocks() async throws {
        let database = try HotDatabase()
        let metadata = try blob("westend9000")
        for number in 10..<30 {
            let hot = HotSide(
                database: database, nodes: try node(metadata, block: String(repeating: "\(number)", count: 32)))
            _ = try await hot.loadMetadata(.known, .name("westend"))
        }
        let history = try HotSide(database: database, nodes: CapturedNode(calls: [])).blockHistory()
        #expect(history.map { $0.blocks.blocks.count } == [BlockHistory.limit])
        #expect(history[0].blocks.blocks.last?.hex == String(repeating: "29", count: 32))
    }

    @Test("with --pass-errors a network that fails stops none of the others, and is named")
    func passErrors() async throws {
        let hot = try side(try NodesTests.captured())
        var failed: [String] = []
        let loaded = try await hot.loadMetadata(.populate, .all, passesErrors: true) { report in
            if report.failure != nil { failed.append(report.network) }
        }
        #expect(loaded.map(\.name.name) == ["westend"])
        #expect(failed == ["kusama", "polkadot"])
        #expect(await code { _ = try await hot.loadMetadata(.populate, .all) } == "GenesisHashChanged")
    }

    @Test("combinations without a meaning are not supported")
    func notSupported() async throws {
        let hot = try side()
        let url = try NodeURL("ws://127.0.0.1")
        for flag in [SetFlag.fromDatabase, .known, .populate, .total] {
            #expect(await code { _ = try await hot.loadMetadata(flag, .url(url)) } == "NotSupported")
        }
        for (flag, reference, overrides) in [
            (SetFlag.fromDatabase, Reference.all, NetworkOverrides(title: "x")), (.fromDatabase, .url(url), .init()),
            (.direct, .all, .init()), (.direct, .name("westend-sr25519"), .init()), (.direct, .url(url), .init()),
            (.known, .name("westend-sr25519"), .init()), (.populate, .all, .init()), (.total, .all, .init()),
            (.total, .url(url), .init()),
        ] {
            #expect(await code { _ = try await hot.addSpecs(flag, reference, overrides: overrides) } == "NotSupported")
        }
    }

    @Test("a network is added by its address, gets a second scheme, and goes again")
    func networkLife() async throws {
        let hot = try side(try NodesTests.captured("moonbase1802"))
        let url = try NodeURL("ws://127.0.0.1:9946")
        let added = try await hot.addSpecs(.total, .url(url), overrides: NetworkOverrides(scheme: .ethereum))
        #expect(added.map(\.specs.title) == ["moonbase-ethereum"] && added[0].isNew)
        #expect(
            await code {
                _ = try await hot.addSpecs(.populate, .url(url), overrides: NetworkOverrides(scheme: .ethereum))
            }
                == "UKeyUrlInDb")
        let elsewhere = try NodeURL("ws://127.0.0.1:1")
        #expect(
            await code {
                _ = try await hot.addSpecs(
                    .populate, .url(elsewhere), overrides: NetworkOverrides(scheme: .ethereum),
                    write: { _ in Issue.record("what is refused is not written") })
            }
                == "UKeyHashInDb")
        #expect(
            await code { _ = try await hot.addSpecs(.populate, .name("moonbase-ethereum")) } == "SpecsInDb")
        let second = try await hot.addSpecs(
            .total, .name("moonbase-ethereum"), overrides: NetworkOverrides(scheme: .ecdsa))
        #expect(second[0].specs.scheme == .ecdsa && second[0].specs.title == "moonbase-ecdsa")
        #expect(try hot.addressBook().count == 5)
        _ = try await hot.loadMetadata(.populate, .name("moonbase"))
        try hot.remove(title: "moonbase-ethereum")
        #expect(try hot.metadata().count == 1)
        try hot.remove(title: "moonbase-ecdsa")
        #expect(try hot.metadata().isEmpty && hot.blockHistory().isEmpty)
        #expect(await code { try hot.remove(title: "moonbase-ecdsa") } == "TitleNotFound")
    }

    @Test("the token that a person has chosen of several stays chosen, and a node that has another one is told")
    func severalTokens() async throws {
        let url = try NodeURL("ws://127.0.0.1:9946")
        let database = try HotDatabase()
        func side(_ decimals: JSON, _ units: JSON) throws -> HotSide {
            var node = try NodesTests.captured("moonbase1802")
            let properties = JSON.object([
                .init(name: "ss58Format", value: .integer(1287)), .init(name: "tokenDecimals", value: decimals),
                .init(name: "tokenSymbol", value: units),
            ])
            node.calls = [.init(method: "system_properties", parameters: [], result: properties)] + node.calls
            return HotSide(database: database, nodes: node)
        }
        let several = try side(.array([.integer(18), .integer(10)]), .array([.string("DEV"), .string("ABC")]))
        let token = TokenProperties.Token(decimals: 18, unit: "DEV")
        _ = try await several.addSpecs(
            .total, .url(url), overrides: NetworkOverrides(scheme: .sr25519, token: token))
        let second = try await several.addSpecs(
            .total, .name("moonbase-sr25519"), overrides: NetworkOverrides(scheme: .ed25519))
        #expect(second.map(\.specs.unit) == ["DEV"] && second.map(\.specs.decimals) == [18])
        let titled = try await several.addSpecs(
            .populate, .name("moonbase-sr25519"), overrides: NetworkOverrides(title: "Moon"))
        #expect(titled.map(\.specs.title) == ["Moon"])
        for other in [
            NetworkOverrides(scheme: .ecdsa, token: .init(decimals: 10, unit: "ABC")),
            .init(scheme: .ecdsa, token: .init(decimals: 9, unit: "DEV")),
        ] {
            #expect(
                await code { _ = try await several.addSpecs(.total, .name("moonbase-sr25519"), overrides: other) }
                    == "ValuesChanged")
        }
        let single = try side(.integer(10), .string("ABC"))
        #expect(
            await code {
                _ = try await single.addSpecs(
                    .total, .name("moonbase-sr25519"), overrides: NetworkOverrides(scheme: .ecdsa))
            } == "ValuesChanged")
    }

    @Test("a node that may not be asked any more stops none of the others")
    func addressNotAllowed() async throws {
        let database = try HotDatabase()
        let nodes = try NodesTests.captured("moonbase1802")
        let url = try NodeURL("ws://nodes.example:9946", allowsPlain: true)
        let all = HotSide(database: database, nodes: nodes, allowsPlain: true)
        _ = try await all.addSpecs(.populate, .url(url), overrides: NetworkOverrides(scheme: .ethereum))
        let hot = HotSide(database: database, nodes: try NodesTests.captured())
        let line = try #require(try await hot.watch().first { $0.name == "moonbase" })
        guard case .failed(let error) = line.outcome else {
            Issue.record("it was asked")
            return
        }
        #expect("\(error)".contains("--allow-plain") && line.url == url.text, "\(error)")
        let loaded = try await hot.loadMetadata(.populate, .all, passesErrors: true)
        #expect(loaded.map(\.name.name) == ["westend"])
    }

    @Test("metadata of a stored version in another form are news only where they say the same")
    func otherForm() async throws {
        let hot = try side()
        try hot.store(metadata: blob("polkadot_v15"))
        var forged = try blob("polkadot1002005_v14")
        let version = [0x15, 0x4a, 0x0f, 0x00] as [UInt8]
        let stored = [0x2a, 0x46, 0x0f, 0x00] as [UInt8]
        forged.replace(version, with: stored)
        #expect(await code { try hot.store(metadata: forged) } == "SameVersionDifferentMetadata")
        #expect(try hot.metadata().map(\.metadata.formatVersion) == [15])
    }

    @Test("watching says which networks have a new version, and changes nothing")
    func watch() async throws {
        let hot = try side(try NodesTests.captured())
        try hot.store(metadata: blob("westend9111"))
        let lines = try await hot.watch()
        #expect(lines.map(\.name) == ["kusama", "polkadot", "westend"])
        guard case .failed = lines[0].outcome, case .newVersion(stored: 9111) = lines[2].outcome else {
            Issue.record("\(lines)")
            return
        }
        #expect(lines[2].version == 9122)
        #expect(try hot.metadata().map(\.key.version) == [9111])
        try hot.store(metadata: blob("westend9122"))
        guard case .current = try await hot.watch()[2].outcome else {
            Issue.record("the stored version is the chain's")
            return
        }
    }
}
