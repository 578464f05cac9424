import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("The readers of metadata")
struct ReaderAgreementTests {
    @Test("the index, the full structures and the lean form tell the same", arguments: [14, 15, 16] as [UInt8])
    func model(version: UInt8) throws {
        try expectAgreement(TestChain.model.blob(version: version))
        try expectAgreement(ProofChain.model.blob(version: version))
    }

    private static let folder = "signer-wire/metadata"

    @Test(
        "they tell the same of real metadata", .enabled(if: SharedData.has(folder)),
        arguments: ["westend9122", "polkadot1002005_v14", "polkadot_v15", "frontier_v15", "polkadot2003000_v16"])
    func real(name: String) throws {
        try expectAgreement(try SharedData.bytes("\(Self.folder)/\(name).scale"))
    }

    @Test("what the index refuses for its form, the others refuse", arguments: [14, 15, 16] as [UInt8])
    func refusals(version: UInt8) {
        let blob = TestChain.model.blob(version: version)
        var refused = 0
        for position in 0..<blob.count * 8 {
            let flipped = blob.flipping(bit: position)
            guard isMalformed(flipped) else { continue }
            refused += 1
            if (try? FullMetadata(flipped)) != nil { Issue.record("full structures of bit \(position)") }
            if (try? LeanMetadata.transform(flipped)) != nil { Issue.record("lean form of bit \(position)") }
        }
        #expect(refused > blob.count)
    }

    private func isMalformed(_ blob: [UInt8]) -> Bool {
        do throws(MetadataError) {
            _ = try RuntimeMetadata(blob)
            return false
        } catch {
            if case .unableToDecode = error { return true }
            return false
        }
    }

    private func expectAgreement(_ blob: [UInt8]) throws {
        let index = try RuntimeMetadata(blob)
        let full = try FullMetadata(blob)
        let lean = try RuntimeMetadata(LeanMetadata.transform(blob))
        for pallets in [index.pallets, lean.pallets] {
            #expect(pallets.map(\.name) == full.pallets.map(\.name))
            #expect(pallets.map(\.index) == full.pallets.map(\.index))
            #expect(pallets.map(\.callsType) == full.pallets.map(\.callsType))
            #expect(pallets.map(\.constantCount) == full.pallets.map(\.constants.count))
        }
        #expect(index.extensions == full.extrinsic.extensions && lean.extensions == full.extrinsic.extensions)
        #expect(index.typeCount == full.types.count && lean.typeCount == full.types.count)
        #expect(index.version == lean.version && index.base58Prefix == lean.base58Prefix)
        if let parts = full.extrinsic.parts {
            #expect(index.addressType == parts.address && lean.addressType == parts.address)
            #expect(index.outerCallType == parts.call && lean.outerCallType == parts.call)
            #expect(index.signatureType == parts.signature && lean.signatureType == parts.signature)
        }
    }
}
