import Foundation
import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("Hostile metadata and bytes")
struct HostileTests {
    @Test("types that contain themselves end as too deep", arguments: ["Loop", "CompactLoop", "Tree"])
    func loops(type: String) throws {
        let decoder = try TestChain.decoder()
        let error = #expect(throws: DecodingError.self) { try decoder.decodeCall(TestChain.echo(type, [0, 0, 0])) }
        #expect(error?.code == "TooDeep")
    }

    @Test("items that take up no byte end as too many cards")
    func emptyItems() throws {
        let decoder = try TestChain.decoder()
        for call in [TestChain.echo("[();max]", []), TestChain.echo("Vec<()>", [0x03, 0xff, 0xff, 0xff, 0xff])] {
            let error = #expect(throws: DecodingError.self) { try decoder.decodeCall(call) }
            #expect(error?.code == "TooManyCards")
        }
    }

    @Test("cards beyond the limit are refused, and the limit itself is not")
    func cardLimit() throws {
        let decoder = try TestChain.decoder()
        #expect(try decoder.decodeCall(TestChain.transfer, cardLimit: 7).count == 7)
        #expect(throws: DecodingError.tooManyCards(offset: 41)) {
            try decoder.decodeCall(TestChain.transfer, cardLimit: 6)
        }
    }

    @Test("calls nest as deep as the limit, on a thread with a small stack")
    func nesting() async throws {
        let decoder = try TestChain.decoder()
        let codes = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: [10, 42, 43, 20_000].map { levels in
                        let call = Array(repeatElement([26, 2, 4], count: levels).joined()) + TestChain.transfer
                        do throws(DecodingError) {
                            _ = try decoder.decodeCall(call)
                            return "cards"
                        } catch { return error.code }
                    })
            }
            thread.stackSize = 64 << 10
            thread.start()
        }
        #expect(codes == ["cards", "TooDeep", "TooDeep", "TooDeep"])
    }

    @Test("every truncation of a call and of extensions is refused")
    func truncations() throws {
        let decoder = try TestChain.decoder()
        let call = [26, 2, 0x08] + TestChain.transfer + TestChain.transfer
        for end in call.indices {
            #expect(throws: DecodingError.self) { try decoder.decodeCall(call, in: 0..<end) }
        }
        let extensions = TestChain.extensions()
        for end in extensions.indices {
            #expect(throws: DecodingError.self) { try decoder.decodeExtensions(extensions, in: 0..<end) }
        }
    }

    @Test("every bit flip of a call, of extensions and of random bytes gives cards or a typed error")
    func flips() throws {
        let decoder = try TestChain.decoder()
        let call = [26, 2, 0x08] + TestChain.transfer + TestChain.transfer
        for position in 0..<call.count * 8 { _ = try? decoder.decodeCall(call.flipping(bit: position)) }
        let extensions = TestChain.extensions()
        var refused = 0
        for position in 0..<extensions.count * 8 {
            if (try? decoder.decodeExtensions(extensions.flipping(bit: position))) == nil { refused += 1 }
        }
        #expect(refused >= 288, "each bit of genesis and spec version counts")
        var random = SplitMix64(state: 7)
        for _ in 0..<3000 {
            let bytes = [0, random.byte(), 26, 5].shuffled(using: &random) + (0..<40).map { _ in random.byte() }
            _ = try? decoder.decodeCall(bytes)
            _ = try? decoder.decodeExtensions(bytes)
        }
    }

    @Test(
        "every truncation of a blob is refused, every bit flip gives metadata or a typed error",
        arguments: [14, 15, 16] as [UInt8])
    func blobs(version: UInt8) throws {
        let blob = TestChain.model.blob(version: version)
        for end in blob.indices {
            #expect(throws: MetadataError.self) { try RuntimeMetadata(Array(blob[..<end])) }
            #expect(throws: MetadataError.self) { try FullMetadata(Array(blob[..<end])) }
            #expect(throws: MetadataError.self) { try LeanMetadata.transform(Array(blob[..<end])) }
        }
        let echoes = TestChain.echoed.map { TestChain.echo($0, [4, 0, 1, 2, 3]) }
        for position in 0..<blob.count * 8 {
            let flipped = blob.flipping(bit: position)
            _ = try? FullMetadata(flipped)
            guard let metadata = try? RuntimeMetadata(flipped) else { continue }
            let decoder = TransactionDecoder(metadata: metadata, network: TestChain.network)
            _ = try? decoder.decodeExtensions(TestChain.extensions())
            for call in [TestChain.transfer, echoes[position % echoes.count]] {
                if let cards = try? decoder.decodeCall(call) { _ = cards.map(\.line) }
            }
        }
    }

    @Test(
        "bit flips of a real blob give metadata or a typed error",
        .enabled(if: SharedData.has("signer-wire/metadata/polkadot_v15.scale")))
    func realBlob() throws {
        let blob = try SharedData.bytes("signer-wire/metadata/polkadot_v15.scale")
        var random = SplitMix64(state: 1)
        for _ in 0..<300 {
            let position = Int(random.next() % UInt64(blob.count * 8))
            let flipped = blob.flipping(bit: position)
            _ = try? FullMetadata(flipped)
            guard let metadata = try? RuntimeMetadata(flipped) else { continue }
            let decoder = TransactionDecoder(metadata: metadata, network: TestChain.network)
            _ = try? decoder.decodeCall([5, 3, 0] + TestChain.bob + [4])
        }
        for _ in 0..<300 {
            let end = Int(random.next() % UInt64(blob.count))
            #expect(throws: MetadataError.self) { try RuntimeMetadata(Array(blob[..<end])) }
        }
    }
}
