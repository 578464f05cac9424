import TestSupport
import Testing
import WebSocketFrames

@Suite("RawDeflate")
struct RawDeflateTests {
    private let limits = RawInflater.Limits(bytes: 1 << 22, ratio: 2_000)

    private func error(_ bytes: [UInt8], _ limits: RawInflater.Limits) -> RawDeflateError? {
        do throws(RawDeflateError) { _ = try RawInflater().expand(bytes, limits: limits) } catch { return error }
        return nil
    }

    @Test("what one compresses the other expands, at sizes around every buffer, again and again")
    func roundTrip() throws {
        var random = SplitMix64(state: 1)
        let (deflater, inflater) = (RawDeflater(), RawInflater())
        let sizes = [0, 1, 100, 16_383, 16_384, 16_385, 32_768, 65_535, 65_536, 65_537, 131_072, 400_000]
        for (round, size) in (sizes + sizes).enumerated() {
            let letters: UInt64 = round < sizes.count ? 2 : 256
            let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next() % letters) }
            for ending in [RawDeflater.Ending.final, .flushed] {
                let stream = try bytes.withUnsafeBytes { try deflater.compress($0, ending: ending) }
                #expect(try inflater.expand(stream, limits: limits) == bytes)
                #expect(stream.suffix(4).elementsEqual([0, 0, 0xff, 0xff]) == (ending == .flushed))
            }
        }
    }

    @Test("streams may follow each other, and one that is cut is refused")
    func streams() throws {
        let hello: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        #expect(try RawInflater().expand(hello + hello, limits: limits) == Array("HelloHello".utf8))
        for end in 1..<hello.count { #expect(error(Array(hello[..<end]), limits) == .malformed) }
        #expect(error([0x07], limits) == .malformed)
    }

    @Test("an output stops at its bounds")
    func bounds() throws {
        let zeros = [UInt8](repeating: 0, count: 1_000_000)
        let stream = try zeros.withUnsafeBytes { try RawDeflater().compress($0, ending: .final) }
        #expect(error(stream, .init(bytes: 1_000_000, ratio: 1_100)) == nil)
        #expect(error(stream, .init(bytes: 999_999, ratio: 1_100)) == .tooLarge(limit: 999_999))
        #expect(error(stream, .init(bytes: 1_000_000)) == .tooDense(limit: 200))
        #expect(error(stream, .init(bytes: 1_000_000, ratioFreeBytes: 1_000_000)) == nil)
        #expect(error([], .init(bytes: 0)) == nil)
    }

    @Test("an inflater that has refused one stream takes the next")
    func recovers() throws {
        let inflater = RawInflater()
        #expect(throws: RawDeflateError.malformed) { try inflater.expand([0xff, 0xff], limits: limits) }
        let hello: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        #expect(try inflater.expand(hello, limits: limits) == Array("Hello".utf8))
    }
}
