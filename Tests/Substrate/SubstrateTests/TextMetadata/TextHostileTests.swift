import Foundation
import SCALE
import Substrate
import TestSupport
import Testing

@Suite("Texts of types that are meant to do harm")
struct TextHostileTests {
    /// Runs `body` on a thread with little stack.
    private func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 64 << 10
            thread.start()
        }
    }

    private static func code(_ type: String, _ value: [UInt8]) -> String {
        do {
            _ = try TextChain.lines(type, value)
            return "cards"
        } catch let error as DecodingError {
            return error.code
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "types that contain themselves end as too deep, on a thread with little stack",
        arguments: [
            ("Loop", [0]), ("Ping", [0]), ("Compact<Loop>", [0]), ("Compact<Ping>", [0]), ("Option<Loop>", [1, 1]),
            ("Nest", [UInt8](repeating: 4, count: 5000)), ("Grow", [UInt8](repeating: 1, count: 5000)), ("Inner", [0]),
            (
                String(repeating: "Vec<", count: 200) + "u8" + String(repeating: ">", count: 200),
                [UInt8](repeating: 4, count: 300)
            ),
        ] as [(String, [UInt8])])
    func loops(type: String, value: [UInt8]) async {
        #expect(await onSmallStack { Self.code(type, value) } == "TooDeep")
    }

    @Test("types nest as deep as the limit")
    func depth() {
        func code(_ levels: Int) -> String {
            let type = String(repeating: "Vec<", count: levels - 1) + "bool" + String(repeating: ">", count: levels - 1)
            return Self.code(type, [UInt8](repeating: 4, count: levels - 1) + [1])
        }
        #expect(code(128) == "cards")
        #expect(code(129) == "TooDeep")
    }

    @Test(
        "items of text types that take up no byte end as too many cards",
        arguments: [("Fork", [0]), ("[Empty; 4294967295]", [0]), ("Vec<Empty>", [0xfe, 0xff, 0xff, 0xff, 0])]
            as [(String, [UInt8])])
    func emptyItems(type: String, value: [UInt8]) {
        #expect(Self.code(type, value) == "TooManyCards")
    }

    @Test(
        "a text that is no type is unknown",
        arguments: [
            "", " ", ">", "<", "Vec<u8", "Vec<u8>>", "Vec<>", "Vec<u8)", "Option<(u8>)", "Option<u8>::<u8>", "(u8, u8",
            "(u8)", "()", "(u8, u8, u8, u8, u8)", "(u8, , u8)", "[u8; 4", "[u8, 4]", "[u8; x]", "[u8; ]", "[u8; -1]",
            "[u8; 4294967296]", "[u8; 1; 1]", "[; 1]", "Compact<u8", "vec<u8>", "Vec <u8>", "u8 ", "\u{301}u8",
            String(repeating: "<", count: 5000), "Vec<" + String(repeating: "u", count: 5000) + ">",
            String(repeating: "(", count: 900) + String(repeating: ")", count: 900),
        ])
    func nonsense(type: String) {
        #expect(Self.code(type, [4, 1, 1]) == "UnknownType")
    }

    @Test("a message about an unknown type holds no more than the beginning of a long text")
    func longMessage() throws {
        let decoder = try TextChain.decoder(TextChain.echo(String(repeating: "x", count: 100_000)))
        let error = #expect(throws: DecodingError.self) { try decoder.decodeCall([0, 0, 0]) }
        #expect((error?.description.utf8.count ?? .max) < 200)
    }

    @Test("calls nest as deep as the limit, on a thread with little stack")
    func nesting() async throws {
        let decoder = try TextChain.decoder()
        let codes = await onSmallStack {
            [10, 128, 129, 20_000].map { levels in
                let call = Array(repeatElement([26, 0, 4], count: levels).joined()) + TextChain.transfer
                do throws(DecodingError) {
                    _ = try decoder.decodeCall(call)
                    return "cards"
                } catch { return error.code }
            }
        }
        #expect(codes == ["cards", "cards", "TooDeep", "TooDeep"])
    }

    @Test("cards of text types beyond the limit are refused, and the limit itself is not")
    func cardLimit() throws {
        let decoder = try TextChain.decoder()
        #expect(try decoder.decodeCall(TextChain.transfer, cardLimit: 7).count == 7)
        #expect(throws: DecodingError.tooManyCards(offset: 41)) {
            try decoder.decodeCall(TextChain.transfer, cardLimit: 6)
        }
    }

    @Test("every truncation of a call and of extensions is refused, every bit flip gives cards or a typed error")
    func bytes() throws {
        let decoder = try TextChain.decoder()
        let call = [26, 0, 0x08] + TextChain.transfer + TextChain.transfer
        let extensions = TextChain.extensions()
        for end in call.indices {
            #expect(throws: DecodingError.self) { try decoder.decodeCall(call, in: 0..<end) }
        }
        for end in extensions.indices {
            #expect(throws: DecodingError.self) { try decoder.decodeExtensions(extensions, in: 0..<end) }
        }
        for position in 0..<call.count * 8 { _ = try? decoder.decodeCall(call.flipping(bit: position)) }
        var refused = 0
        for position in 0..<extensions.count * 8
        where (try? decoder.decodeExtensions(extensions.flipping(bit: position))) == nil { refused += 1 }
        #expect(refused >= 288, "each bit of genesis and spec version counts")
    }

    @Test(
        "every truncation of an old blob is refused, every bit flip gives metadata or a typed error",
        arguments: [12, 13] as [UInt8])
    func blobs(version: UInt8) throws {
        let blob = TextChain.model.blob(version: version)
        for end in blob.indices {
            #expect(throws: MetadataError.self) { try TextMetadata(Array(blob[..<end])) }
        }
        let calls = [TextChain.transfer, [26, 0, 0x08] + TextChain.transfer + [0, 0, 0], [27, 0, 0, 0, 0, 0, 0, 0]]
        for position in 0..<blob.count * 8 {
            guard let metadata = try? TextMetadata(blob.flipping(bit: position)) else { continue }
            let decoder = TextTransactionDecoder(
                metadata: metadata, network: TestChain.network, types: TextChain.types)
            _ = try? decoder.decodeExtensions(TextChain.extensions())
            for call in calls { if let cards = try? decoder.decodeCall(call) { _ = cards.map(\.line) } }
        }
    }

    @Test("any types table gives cards or a typed error")
    func tables() throws {
        let table = TextChain.types.scaleEncoded
        let types = ["Choice", "Fork", "Nest", "Compact<Weight>", "Pair", "IdentityFields", "Compact<Ping>", "Inner"]
        for position in 0..<table.count * 8 {
            guard let flipped = try? TypesTable(scaleEncoded: table.flipping(bit: position)) else { continue }
            let decoder = try TextChain.decoder(TextChain.echo(types[position % types.count]), types: flipped)
            if let cards = try? decoder.decodeCall([0, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8]) { _ = cards.map(\.line) }
        }
    }

    @Test(
        "bit flips and truncations of a real blob give metadata or a typed error",
        .enabled(if: SharedData.has("signer-wire/metadata/kusama9090.scale")))
    func realBlob() throws {
        let blob = try SharedData.bytes("signer-wire/metadata/kusama9090.scale")
        let types = try TypesTable(scaleEncoded: SharedData.bytes("signer-wire/types/default_types.scale"))
        var random = SplitMix64(state: 1)
        for _ in 0..<300 {
            let flipped = blob.flipping(bit: Int(random.next() % UInt64(blob.count * 8)))
            guard let metadata = try? TextMetadata(flipped) else { continue }
            let decoder = TextTransactionDecoder(metadata: metadata, network: TestChain.network, types: types)
            _ = try? decoder.decodeCall([4, 3, 0] + TestChain.bob + [4])
        }
        for _ in 0..<300 {
            let end = Int(random.next() % UInt64(blob.count))
            #expect(throws: MetadataError.self) { try TextMetadata(Array(blob[..<end])) }
        }
    }
}
