import Substrate
import TestSupport
import Testing
import Zstandard

@Suite("Metadata for the air gap")
struct PackedSizeTests {
    private static let folder = "signer-wire/metadata/"
    private static let polkadot = folder + "polkadot_v15.scale"
    /// What surrounds a frame in a payload that an sr25519 key signed: head, key, lengths, genesis, signature.
    private static let around = 3 + 32 + 8 + 32 + 64

    @Test("Polkadot's metadata 15 fit 40 codes of 1,072 bytes, signed", .enabled(if: SharedData.has(polkadot)))
    func size() throws {
        let blob = try SharedData.bytes(Self.polkadot)
        let lean = try LeanMetadata.transform(blob, keepsRuntimeAPIs: false)
        let frame = try ZstdFrame.compress(lean)
        #expect((blob.count + 3 + 4 + 32 + 1_071) / 1_072 == 264)
        #expect((frame.count + Self.around + 1_071) / 1_072 <= 40, "\(frame.count)")
    }

    @Test(
        "without documentation and runtime APIs the metadata hash and all that transactions are read by stay",
        .enabled(if: SharedData.has(polkadot)),
        arguments: [
            "polkadot_v15", "kusama_v15", "moonbeam_v15", "frontier_v15", "polkadot2003000_v16", "polkadot9220",
        ])
    func leaner(_ name: String) throws {
        let full = try RuntimeMetadata(SharedData.bytes(Self.folder + name + ".scale"))
        let lean = try RuntimeMetadata(LeanMetadata.transform(full.blob, keepsRuntimeAPIs: false))
        #expect(lean.specVersion == full.specVersion && lean.specName == full.specName)
        #expect(lean.extensions.map(\.identifier) == full.extensions.map(\.identifier))
        let info = MetadataExtraInfo(
            specVersion: full.specVersion, specName: full.specName, base58Prefix: 0, decimals: 10, tokenSymbol: "UNIT")
        #expect(try MerkleizedMetadata(lean).digest(info).hash == MerkleizedMetadata(full).digest(info).hash)
        // Nothing is left to take away.
        #expect(try LeanMetadata.transform(lean.blob, keepsRuntimeAPIs: false) == lean.blob)
        // Of what stays nothing is lost: leaving the APIs in gives the same but for them.
        let withAPIs = try LeanMetadata.transform(full.blob)
        #expect(withAPIs.count >= lean.blob.count)
        if full.formatVersion < 15 { #expect(withAPIs == lean.blob) }
    }
}
