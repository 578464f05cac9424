import Substrate
import Testing

@Suite("Extensions")
struct ExtensionTests {
    @Test("the extensions of a mortal transaction read in order", arguments: [14, 15, 16] as [UInt8])
    func mortal(version: UInt8) throws {
        let bytes = TestChain.extensions()
        let extensions = try TestChain.decoder(version: version).decodeExtensions(bytes)
        #expect(
            extensions.cards.map(\.line) == [
                "era: Mortal, phase: 27, period: 64", "nonce: 46", "tip: 0 pTST", "enum_variant_name: Disabled",
                "network: test1234", "tx_version: 9", "block_hash: " + String(repeating: "22", count: 32), "none: ",
            ])
        #expect(extensions.era == .mortal(phase: 27, period: 64))
        #expect(extensions.blockHash.bytes == [UInt8](repeating: 0x22, count: 32))
        #expect(extensions.parts.map(\.identifier).last == "CheckMetadataHash")
        #expect(extensions.parts[2].additional == 13..<45)
        #expect(extensions.parts.last?.additional == bytes.count - 1..<bytes.count)
    }

    @Test("an immortal transaction names the genesis as its block")
    func immortal() throws {
        let bytes = TestChain.extensions(era: [0], block: TestChain.genesis)
        #expect(try TestChain.decoder().decodeExtensions(bytes).cards[0].kind == .eraImmortal)
    }

    @Test(
        "what contradicts is refused, in the order of the rules",
        arguments: [
            (TestChain.extensions(genesis: [UInt8](repeating: 1, count: 32)), "GenesisHashMismatch"),
            (TestChain.extensions(version: 7), "WrongNetworkVersion"),
            (TestChain.extensions(version: 7) + [0], "WrongNetworkVersion"),
            (TestChain.extensions() + [0], "SomeDataNotUsedExtensions"),
            (TestChain.extensions(era: [0]) + [0], "SomeDataNotUsedExtensions"),
            (TestChain.extensions(era: [0]), "ImmortalHashMismatch"), (TestChain.extensions(era: [0xf1, 0xff]), "Era"),
            ([], "DataTooShort"),
        ] as [([UInt8], String)])
    func refusals(bytes: [UInt8], code: String) throws {
        let decoder = try TestChain.decoder()
        let error = #expect(throws: DecodingError.self) { try decoder.decodeExtensions(bytes) }
        #expect(error?.code == code)
    }

    @Test(
        "metadata without one of the four facts cannot serve",
        arguments: [
            ("CheckMortality", "NoBlockHash"), ("CheckSpecVersion", "NoVersionExt"), ("CheckGenesis", "NoGenesisHash"),
        ])
    func missing(identifier: String, code: String) throws {
        var model = TestChain.model
        model.extensions.removeAll { $0.identifier == identifier }
        let decoder = try TestChain.decoder(model)
        #expect(decoder.metadata.extensionsIncomplete)
        var bytes = identifier == "CheckMortality" ? [] : [0xb5, 0x01] as [UInt8]
        bytes += [0xb8, 0, 0]
        if identifier != "CheckSpecVersion" { bytes += [0xd2, 4, 0, 0] }
        bytes += [9, 0, 0, 0]
        if identifier != "CheckGenesis" { bytes += TestChain.genesis }
        if identifier != "CheckMortality" { bytes += TestChain.genesis }
        bytes += [0]
        let error = #expect(throws: DecodingError.self) { try decoder.decodeExtensions(bytes) }
        #expect(error?.code == code)
    }

    @Test("of several amounts that extensions take, the largest counts as the tip", arguments: [5, 9] as [UInt8])
    func tips(first: UInt8) throws {
        var model = TestChain.model
        let extra = "ChargeTransactionPayment"
        model.extensions.append((identifier: extra, type: extra, additional: "unit"))
        // Era, nonce, tip and mode stand in front of what is signed beside them.
        var bytes = TestChain.extensions()
        bytes[3] = first << 2
        bytes.insert((14 - first) << 2, at: 5)
        #expect(try TestChain.decoder(model).decodeExtensions(bytes).tip == 9)
    }

    @Test(
        "a fact that stands there twice is refused",
        arguments: [
            (("CheckSpecVersion", "unit", "u32"), "SpecVersionTwice"),
            (("CheckGenesis", "unit", "H256"), "GenesisHashTwice"),
            (("CheckMortality", "unit", "H256"), "BlockHashTwice"), (("Other", "CheckMortality", "unit"), "EraTwice"),
        ])
    func twice(item: (String, String, String), code: String) throws {
        var model = TestChain.model
        model.extensions.append((identifier: item.0, type: item.1, additional: item.2))
        var bytes = TestChain.extensions()
        if code == "EraTwice" { bytes.insert(contentsOf: [0], at: 5) }
        let tail = code == "SpecVersionTwice" ? [0xd2, 4, 0, 0] : TestChain.genesis
        let decoder = try TestChain.decoder(model)
        let error = #expect(throws: DecodingError.self) { try decoder.decodeExtensions(bytes + tail) }
        #expect(error?.code == code)
    }
}
