import Airgap
import Files
import HotSide
import HotSideKnownAnswers
import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms
import Zstandard

@Suite("Updates for vaults", .enabled(if: SharedData.has("signer-wire/metadata/westend9122.scale")))
struct UpdateFileTests {
    private func content() throws -> UpdatePayload.Content {
        let genesis = try #require(Hex.decode(NodesTests.westend).flatMap { Hash256($0) })
        return .metadata(try SharedData.bytes("signer-wire/metadata/westend9122.scale"), genesisHash: genesis)
    }

    private func crypto(_ content: UpdatePayload.Content, _ scheme: SignatureScheme = .sr25519) throws -> [UInt8] {
        var phrase = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        let mnemonic = try Mnemonic(phrase: SecretBytes(movingFrom: &phrase))
        let pair = try KeyPair.derive(from: mnemonic, path: DerivationPath(parsing: "//Alice"), scheme: scheme)
        return pair.multiSigner.scaleEncoded + (try pair.sign(content.signedBytes))
    }

    private func code(_ work: () throws -> Void) -> String {
        do { try work() } catch { return (error as? HotSideError)?.code ?? "\(error)" }
        return "done"
    }

    @Test("a file that waits to be signed is read back as what was written, and nothing else is")
    func roundTrip() throws {
        let metadata = try content()
        let read = try UpdateFile.content(.loadMetadata, metadata.signedBytes)
        #expect(read.content == metadata && read.name == MetadataName(name: "westend", version: 9122))
        let specs = UpdatePayload.Content.specs(
            try HotSide(database: HotDatabase(), nodes: CapturedNode(calls: [])).specs(titled: "westend-sr25519"))
        #expect(try UpdateFile.content(.addSpecs, specs.signedBytes).content == specs)
        for kind in UpdateKind.allCases where kind != .loadMetadata {
            #expect(code { _ = try UpdateFile.content(kind, metadata.signedBytes) } == "PayloadFileBroken")
        }
        for bytes in [[], [0xff], Array(metadata.signedBytes.dropLast()), metadata.signedBytes + [0]] {
            #expect(code { _ = try UpdateFile.content(.loadMetadata, bytes) } == "PayloadFileBroken")
        }
    }

    @Test("a record that no vault takes becomes no update")
    func malformedSpecs() throws {
        let hot = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
        var specs = try hot.specs(titled: "westend-sr25519")
        specs.name = "bifrost_polkadot"
        #expect(code { _ = try UpdateFile.content(.addSpecs, specs.scaleEncoded) } == "done")
        for change in [
            { $0.title = "" }, { $0.name = "West/end" }, { $0.decimals = 39 }, { $0.base58Prefix = 16_384 },
            { $0.pathID = "//westend///password" }, { $0.title = "Westеnd" },
        ] as [(inout NetworkSpecs) -> Void] {
            var changed = specs
            change(&changed)
            #expect(code { _ = try UpdateFile.content(.addSpecs, changed.scaleEncoded) } == "SpecsMalformed")
        }
    }

    @Test("random bytes are refused by every kind and never trap")
    func random() throws {
        let real = try content().signedBytes.prefix(400)
        var generator = SplitMix64(state: 104)
        for _ in 0..<500 {
            var bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes = Array(real.prefix(Int.random(in: 0..<real.count, using: &generator))) + bytes
            }
            for kind in UpdateKind.allCases { _ = try? UpdateFile.content(kind, bytes) }
            _ = try? UpdateCrypto(sufficient: bytes)
        }
    }

    @Test(
        "a vault's word makes a payload that a vault reads with its key",
        arguments: [
            SignatureScheme.sr25519, .ed25519, .ecdsa,
        ])
    func vouched(_ scheme: SignatureScheme) throws {
        let content = try content()
        let update = try UpdateCrypto(sufficient: crypto(content, scheme)).payload(content)
        guard case .update(let read) = try Payload(update) else {
            Issue.record("no update")
            return
        }
        #expect(read.content == content && read.signer?.scheme == scheme)
        #expect(try Payload(UpdateCrypto.alice(scheme).payload(content)) == Payload(update) || scheme == .sr25519)
    }

    @Test("a word for other content, or cut off, is refused")
    func badWord() throws {
        let content = try content()
        let other = UpdatePayload.Content.specs(
            try HotSide(database: HotDatabase(), nodes: CapturedNode(calls: [])).specs(titled: "westend-sr25519"))
        let word = try crypto(other)
        #expect(code { _ = try UpdateCrypto(sufficient: word).payload(content) } == "BadSignature")
        for bytes in [Array(word.dropLast()), word + [0], [3] + word.dropFirst(), []] {
            #expect(code { _ = try UpdateCrypto(sufficient: bytes) } == "SufficientCryptoBroken")
        }
        let (key, signature) = (Array(word[1..<33]), Array(word[33...]))
        #expect(
            code { _ = try UpdateCrypto(scheme: .ecdsa, verifier: key, signature: signature) } == "PublicKeyWrongLength"
        )
        #expect(
            code { _ = try UpdateCrypto(scheme: .ed25519, verifier: key, signature: [1]) } == "SignatureWrongLength")
    }

    @Test("packed metadata are the lean ones, smaller by far, and come back from their file")
    func packed() throws {
        guard case .metadata(let blob, let genesis) = try content() else { return }
        let packed = try UpdatePayload.Content.packed(ChainMetadata(blob), genesisHash: genesis)
        guard case .packedMetadata(let frame, _) = packed else {
            Issue.record("not packed")
            return
        }
        #expect(packed.signedBytes.count * 4 < blob.count)
        let lean = try ZstdFrame.expand(frame.frame, to: frame.byteCount, limit: PackedMetadata.byteLimit)
        #expect(lean == (try LeanMetadata.transform(blob, keepsRuntimeAPIs: false)))
        let read = try UpdateFile.content(.loadPackedMetadata, packed.signedBytes)
        #expect(read.content == packed && read.name == MetadataName(name: "westend", version: 9122))
        let old = try ChainMetadata(SharedData.bytes("signer-wire/metadata/westend9010.scale"))
        #expect(code { _ = try UpdatePayload.Content.packed(old, genesisHash: genesis) } == "NotPackable")
    }

    @Test("paths are read one a line; what no vault takes is left out and named")
    func paths() {
        let list = PathList("//a\n\n//b/soft\r\n//c///password\nplain\n//a\n/\n//c///\u{301}password\n")
        #expect(list.paths == ["//a", "//b/soft"])
        #expect(list.dropped.map(\.line) == [4, 5, 7, 8])
    }

    @Test("the payload of paths is the one that vaults read")
    func derivations() throws {
        let hot = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
        let bytes = try hot.derivations(PathList("//a\n//b"), titled: "westend-sr25519")
        guard case .paths(let paths) = try Payload(bytes) else {
            Issue.record("no paths")
            return
        }
        #expect(paths.paths == ["//a", "//b"] && paths.network.genesisHash.hex == NodesTests.westend)
        #expect(throws: HotSideError.self) { _ = try hot.derivations(PathList(""), titled: "x") }
    }

    @Test("test payloads are read as what they are said to be", arguments: [1, 100])
    func testPayloads(_ count: Int) throws {
        guard case .derivations(let export) = try Payload(TestPayloads.keyExport(count: count)),
            case .bulk(let bulk) = try Payload(TestPayloads.bulk(count: count))
        else {
            Issue.record("something else")
            return
        }
        #expect(export.seeds.map(\.keys.count) == [count] && bulk.members.count == count)
        #expect(export.seeds[0].keys[0].path == "//0")
    }

    @Test("a release gets the newest metadata without documentation, and never older ones")
    func release() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.path("release"))
        let hot = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
        for name in ["westend9111", "westend9122", "polkadot_v15"] {
            try hot.store(metadata: SharedData.bytes("signer-wire/metadata/\(name).scale"))
        }
        let made = try hot.release(to: path, makesMissing: true)
        #expect(made.map(\.file) == ["polkadot.metadata", "westend.metadata"] && made.allSatisfy(\.isWritten))
        #expect(try hot.release(to: path, makesMissing: false).allSatisfy { !$0.isWritten })
        let old = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
        try old.store(metadata: SharedData.bytes("signer-wire/metadata/westend9111.scale"))
        #expect(code { _ = try old.release(to: path, makesMissing: false) } == "EarlierVersion")
    }
}
