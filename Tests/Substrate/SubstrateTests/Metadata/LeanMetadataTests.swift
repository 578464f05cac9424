import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("Lean metadata")
struct LeanMetadataTests {
    @Test("all documentation goes, every fact stays", arguments: [14, 15, 16] as [UInt8])
    func strips(version: UInt8) throws {
        let blob = TestChain.model.blob(version: version)
        let lean = try LeanMetadata.transform(blob)
        #expect(lean.count < blob.count)
        #expect(!contains(lean, "Move some.") && contains(blob, "Move some."))
        #expect(!contains(lean, "What Version is.") && !contains(lean, "core API"))
        let full = try FullMetadata(lean)
        #expect(full.types.allSatisfy { $0.docs.isEmpty })
        let cards = try TransactionDecoder(metadata: RuntimeMetadata(lean), network: TestChain.network)
            .decodeCall(TestChain.transfer)
        #expect(try cards.map(\.line) == TestChain.decoder(version: version).decodeCall(TestChain.transfer).map(\.line))
    }

    @Test("lean metadata stays as it is", arguments: [14, 15, 16] as [UInt8])
    func idempotent(version: UInt8) throws {
        let lean = try LeanMetadata.transform(TestChain.model.blob(version: version))
        #expect(try LeanMetadata.transform(lean) == lean)
    }

    @Test("what is not metadata is refused")
    func refusal() {
        #expect(throws: MetadataError.notMeta) { try LeanMetadata.transform([1, 2, 3, 4, 15]) }
        #expect(throws: MetadataError.versionNotReadable(13)) { try LeanMetadata.transform(Array("meta".utf8) + [13]) }
    }

    private static let realBlobs = [
        "polkadot_v15", "statemint2000000_v15", "kusama_v15", "moonbeam_v15", "frontier_v15", "westend9122",
        "polkadot9220",
        "acala2012", "polkadot2003000_v16",
    ]

    @Test(
        "every call of a real runtime decodes to the same cards from lean metadata",
        .enabled(if: SharedData.has("signer-wire/metadata")), arguments: realBlobs)
    func everyCall(name: String) throws {
        let blob = try SharedData.bytes("signer-wire/metadata/\(name).scale")
        let lean = try LeanMetadata.transform(blob)
        #expect(try LeanMetadata.transform(lean) == lean)
        let original = TransactionDecoder(metadata: try RuntimeMetadata(blob), network: TestChain.network)
        let stripped = TransactionDecoder(metadata: try RuntimeMetadata(lean), network: TestChain.network)
        #expect(original.metadata.extensions == stripped.metadata.extensions)
        #expect(original.metadata.pallets == stripped.metadata.pallets)
        #expect(original.metadata.version == stripped.metadata.version)
        var generator = CallGenerator(try FullMetadata(blob))
        let calls = generator.allCalls()
        #expect(calls.count > 10)
        for call in calls {
            do throws(DecodingError) {
                let cards = try original.decodeCall(call.bytes)
                let leanCards = try stripped.decodeCall(call.bytes)
                if cards.map(\.facts) != leanCards.map(\.facts) { Issue.record("\(call.name) reads differently") }
            } catch {
                Issue.record("\(call.name): \(error)")
            }
        }
        print("\(name): \(calls.count) calls, lean is \(lean.count * 100 / blob.count)% of \(blob.count) bytes")
    }

    private func contains(_ blob: [UInt8], _ text: String) -> Bool {
        String(decoding: blob, as: UTF8.self).contains(text)
    }
}

extension Card {
    /// All that the card says but documentation.
    fileprivate var facts: String {
        switch kind {
        case .fieldName(let field): "\(line) \(field.type.path)"
        case .fieldNumber(let field): "\(line) \(field.type.path)"
        default: line
        }
    }
}
