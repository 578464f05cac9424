import Substrate
import Testing

@Suite("Extensions of metadata 12 and 13")
struct TextExtensionTests {
    @Test("the seven values read in their fixed order")
    func mortal() throws {
        let extensions = try TextChain.decoder().decodeExtensions(TextChain.extensions())
        #expect(
            extensions.cards.map(\.line) == [
                "era: Mortal, phase: 27, period: 64", "nonce: 46", "tip: 0 pTST", "network: test1234", "tx_version: 9",
                "block_hash: " + String(repeating: "22", count: 32),
            ])
        #expect(extensions.era == .mortal(phase: 27, period: 64))
        #expect(extensions.specVersion == TestChain.specVersion)
        #expect(extensions.parts.isEmpty)
    }

    @Test("an immortal transaction of old metadata names the genesis as its block")
    func immortal() throws {
        let bytes = TextChain.extensions(era: [0], block: TestChain.genesis)
        #expect(try TextChain.decoder().decodeExtensions(bytes).cards[0].kind == .eraImmortal)
    }

    @Test(
        "what contradicts old metadata is refused, in the order of the rules",
        arguments: [
            ([], "ExtensionsOlder"), (TextChain.extensions() + [0], "ExtensionsOlder"),
            (TextChain.extensions().dropLast(), "ExtensionsOlder"),
            (TextChain.extensions(era: [0xf1, 0xff]), "ExtensionsOlder"),
            (TextChain.extensions(version: 7, genesis: [UInt8](repeating: 1, count: 32)), "GenesisHashMismatch"),
            (TextChain.extensions(era: [0], version: 7), "WrongNetworkVersion"),
            (TextChain.extensions(era: [0]), "ImmortalHashMismatch"),
        ] as [([UInt8], String)])
    func refusals(bytes: [UInt8], code: String) throws {
        let decoder = try TextChain.decoder()
        let error = #expect(throws: DecodingError.self) { try decoder.decodeExtensions(bytes) }
        #expect(error?.code == code)
    }

    @Test("the extensions may stand anywhere in the bytes, and offsets count from their start")
    func range() throws {
        let bytes = [1, 2, 3] + TextChain.extensions(genesis: [UInt8](repeating: 1, count: 32))
        let decoder = try TextChain.decoder()
        #expect(throws: DecodingError.genesisHashMismatch(offset: 15)) {
            try decoder.decodeExtensions(bytes, in: 3..<bytes.count)
        }
    }
}
