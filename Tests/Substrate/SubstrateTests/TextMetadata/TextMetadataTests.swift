import SCALE
import Substrate
import TestSupport
import Testing

@Suite("Metadata whose types are text")
struct TextMetadataTests {
    @Test("a blob gives the facts of its runtime", arguments: [12, 13] as [UInt8])
    func facts(version: UInt8) throws {
        let metadata = try TextMetadata(TextChain.model.blob(version: version))
        #expect(metadata.formatVersion == version)
        #expect(metadata.specName == "test")
        #expect(metadata.specVersion == TestChain.specVersion)
        #expect(metadata.version.transactionVersion == 9)
        #expect(metadata.base58Prefix == 42)
        #expect(metadata.extensions.count == 7)
        #expect(metadata.pallets.map(\.name) == ["System", "Balances", "Utility", "Council", "Historical"])
        #expect(metadata.pallets.map(\.callCount) == [1, 4, 2, 1, nil])
        #expect(metadata.pallets.map(\.constantCount) == [2, 0, 0, 0, 0])
        #expect(metadata.pallet(index: 26)?.name == "Utility")
        #expect(metadata.pallet(index: 1) == nil)
    }

    @Test("the format version decides who reads a blob")
    func formats() throws {
        for version in [12, 13] as [UInt8] {
            guard case .text(let metadata) = try ChainMetadata(TextChain.model.blob(version: version)) else {
                Issue.record("expected text for version \(version)")
                continue
            }
            #expect(metadata.formatVersion == version)
        }
        let registry = try ChainMetadata(TestChain.model.blob(version: 15))
        guard case .registry = registry else {
            Issue.record("expected a registry")
            return
        }
        #expect(registry.specVersion == TestChain.specVersion)
        #expect(throws: MetadataError.versionNotReadable(15)) { try TextMetadata(TestChain.model.blob(version: 15)) }
    }

    @Test(
        "a blob that is not metadata of these versions is refused",
        arguments: [
            ([], "NotMeta"), (Array("mete".utf8) + [12], "NotMeta"), (Array("meta".utf8), "UnableToDecode"),
            (Array("meta".utf8) + [11], "VersionIncompatible"), (Array("meta".utf8) + [12], "UnableToDecode"),
            (Array("meta".utf8) + [13, 0, 4, 0], "NoSystemPallet"),
            (Array("meta".utf8) + [13, 3, 0xff, 0xff, 0xff, 0xff], "UnableToDecode"),
            (TextChain.model.blob(version: 12) + [0], "UnableToDecode"),
            ([UInt8](repeating: 0, count: MetadataLimits.blobByteCount + 1), "PayloadTooLarge"),
        ] as [([UInt8], String)])
    func refusals(blob: [UInt8], code: String) {
        let error = #expect(throws: MetadataError.self) { try ChainMetadata(blob) }
        #expect(error?.code == code)
    }

    @Test("a pallet whose index or name an earlier one has is refused", arguments: [12, 13] as [UInt8])
    func saidTwice(version: UInt8) throws {
        let index = TextChain.model.pallets[1].index
        for (pallet, kind) in [
            (TextMetadataModel.PalletModel(name: "Other", index: index), "pallet index"),
            (TextMetadataModel.PalletModel(name: "System", index: 99), "pallet name"),
        ] {
            var model = TextChain.model
            model.pallets.append(pallet)
            let error = #expect(throws: MetadataError.self) { try TextMetadata(model.blob(version: version)) }
            guard case .unableToDecode(.saidTwice(_, kind))? = error else {
                Issue.record("\(kind): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a map of many keys is known from version 13 only")
    func storageKinds() {
        var blob = TextChain.model.blob(version: 13)
        blob[4] = 12
        let error = #expect(throws: MetadataError.self) { try TextMetadata(blob) }
        guard case .unableToDecode(.unknownIndex(_, "storage entry type", 3)) = error else {
            Issue.record("expected an unknown storage entry type, found \(String(describing: error))")
            return
        }
    }

    @Test("every string must be UTF-8, also where nobody looks")
    func strings() throws {
        let blob = TextChain.model.blob(version: 13)
        for text in ["What Vote is.", "AccountInfo", "Somebody spoke.", "It failed.", "Say"] {
            let place = try #require(blob.firstRange(of: Array(text.utf8))?.lowerBound)
            var broken = blob
            broken[place] = 0xff
            #expect(throws: MetadataError.unableToDecode(.malformed(.invalidUTF8(offset: place)))) {
                try TextMetadata(broken)
            }
        }
    }

    @Test(
        "old metadata that does not say name, version or prefix is refused",
        arguments: [
            ("NoSystemPallet", 0), ("NoVersionInConstants", 1), ("RuntimeVersionNotDecodeable", 2),
            ("Base58PrefixNotDecodeable", 3),
        ])
    func constants(code: String, change: Int) {
        var model = TextChain.model
        switch change {
        case 0: model.pallets.removeFirst()
        case 1: model.pallets[0].constants.removeFirst()
        case 2: model.pallets[0].constants[0].value.removeLast(8)
        default: model.pallets[0].constants[1].value = []
        }
        let error = #expect(throws: MetadataError.self) { try TextMetadata(model.blob(version: 12)) }
        #expect(error?.code == code)
    }

    @Test("another prefix than the record's is refused")
    func prefix() throws {
        var model = TextChain.model
        model.pallets[0].constants[1].value = [2, 0]
        #expect(throws: MetadataError.base58PrefixSpecsMismatch(metadata: 2, specs: 42)) {
            try ChainMetadata(model.blob(version: 12)).checkPrefix(of: TestChain.network)
        }
    }

    @Test(
        "real blobs give the facts of the index, and the first of them at each byte short is refused",
        .enabled(if: SharedData.has("signer-wire/metadata/index.json")))
    func realBlobs() throws {
        for item in try SharedData.json("signer-wire/metadata/index.json").array {
            guard let file = item["file"].string, [12, 13].contains(item["format_version"].int) else { continue }
            let blob = try SharedData.bytes("signer-wire/\(file)")
            guard item["outcome"].string == "ok" else {
                let error = #expect(throws: MetadataError.self) { try TextMetadata(blob) }
                #expect(error?.code == item["error"]["code"].string)
                continue
            }
            let metadata = try TextMetadata(blob)
            #expect(metadata.specName == item["spec_name"].string)
            #expect(Int(metadata.specVersion) == item["spec_version"].int)
            #expect(metadata.blobHash.hex == item["blake2_256"].string)
            #expect(metadata.pallets.map(\.callCount) == item["pallets"].array.map { $0[2].int })
        }
    }
}
