import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("Metadata")
struct MetadataTests {
    @Test("the index tells name, version, prefix, pallets and extensions", arguments: [14, 15, 16] as [UInt8])
    func index(version: UInt8) throws {
        let metadata = try RuntimeMetadata(TestChain.model.blob(version: version))
        #expect(metadata.formatVersion == version)
        #expect(metadata.specName == "test" && metadata.specVersion == 1234 && metadata.version.transactionVersion == 9)
        #expect(metadata.base58Prefix == 42)
        #expect(metadata.pallets.map(\.name) == ["System", "Balances", "Utility", "Historical"])
        #expect(metadata.pallet(index: 26)?.name == "Utility")
        #expect(metadata.pallet(index: 27) == nil)
        #expect(metadata.outerCallType == UInt32(TestChain.model.id("RuntimeCall")))
        #expect(metadata.extensions.map(\.identifier) == TestChain.model.extensions.map(\.identifier))
        #expect(!metadata.extensionsIncomplete)
        #expect(metadata.typeCount == TestChain.model.types.count)
        try metadata.checkPrefix(of: TestChain.network)
    }

    @Test("the full structures hold everything", arguments: [14, 15, 16] as [UInt8])
    func full(version: UInt8) throws {
        let metadata = try FullMetadata(TestChain.model.blob(version: version))
        #expect(metadata.types.count == TestChain.model.types.count)
        let address = metadata.types[TestChain.model.id("MultiAddress")]
        #expect(address.path == ["sp_runtime", "multiaddress", "MultiAddress"])
        #expect(metadata.docs(address.docs) == "An address.")
        guard case .variant(let variants) = address.definition else {
            Issue.record("MultiAddress is an enum, found \(address.definition)")
            return
        }
        #expect(variants.map(\.name) == ["Id", "Index", "Raw"])
        #expect(variants[0].fields[0].typeName == "AccountId")
        let system = metadata.pallets[0]
        #expect(system.storage?.entries.map(\.name) == ["Number", "Account"])
        #expect(system.storage?.entries[1].key?.hashers == [.blake2x128Concat])
        #expect(Array(metadata.blob[system.constants[1].value]) == [42, 0])
        #expect(metadata.docs(system.constants[0].docs) == "What Version is.")
        #expect((metadata.outerEnums == nil) == (version == 14))
        #expect(metadata.apis.map(\.name) == (version == 14 ? [] : ["Core"]))
        #expect(metadata.extrinsic.extensions.count == 7)
    }

    @Test(
        "a blob that is not metadata of a version that is read is refused",
        arguments: [
            ([], "NotMeta"), (Array("mete".utf8) + [15], "NotMeta"), (Array("meta".utf8), "UnableToDecode"),
            (Array("meta".utf8) + [11], "VersionIncompatible"), (Array("meta".utf8) + [17], "VersionIncompatible"),
            (Array("meta".utf8) + [12], "VersionNotReadable"), (Array("meta".utf8) + [13], "VersionNotReadable"),
            (Array("meta".utf8) + [16], "UnableToDecode"), (Array("meta".utf8) + [15], "UnableToDecode"),
            (Array("meta".utf8) + [15, 3, 0xff, 0xff, 0xff, 0xff], "UnableToDecode"),
            (TestChain.model.blob(version: 15) + [0], "UnableToDecode"),
        ] as [([UInt8], String)])
    func refusals(blob: [UInt8], code: String) {
        let error = #expect(throws: MetadataError.self) { try RuntimeMetadata(blob) }
        #expect(error?.code == code)
        #expect(throws: MetadataError.self) { try FullMetadata(blob) }
    }

    @Test("metadata beyond the limit is refused before it is read")
    func tooLarge() {
        let count = MetadataLimits.blobByteCount + 1
        let blob = Array("meta".utf8) + [UInt8](repeating: 15, count: count - 4)
        let error = #expect(throws: MetadataError.blobTooLarge(byteCount: count)) { try RuntimeMetadata(blob) }
        #expect(error?.code == "PayloadTooLarge")
        #expect(throws: MetadataError.blobTooLarge(byteCount: count)) { try FullMetadata(blob) }
    }

    @Test(
        "a runtime that does not say its name, version or prefix is refused",
        arguments: [
            ("NoSystemPallet", 0), ("NoVersionInConstants", 1), ("RuntimeVersionNotDecodeable", 2),
            ("Base58PrefixNotDecodeable", 3),
        ])
    func constants(code: String, change: Int) {
        var model = TestChain.model
        switch change {
        case 0: model.pallets.removeFirst()
        case 1: model.pallets[0].constants.removeFirst()
        case 2: model.pallets[0].constants[0].value.removeLast(8)
        default: model.pallets[0].constants[1].value = []
        }
        let error = #expect(throws: MetadataError.self) { try RuntimeMetadata(model.blob(version: 15)) }
        #expect(error?.code == code)
    }

    @Test(
        "what selects two pallets or two variants is refused by all readers", arguments: [14, 15, 16] as [UInt8],
        ["pallet index", "pallet name", "variant index"])
    func saidTwice(version: UInt8, kind: String) throws {
        var model = TestChain.model
        switch kind {
        case "pallet index": model.pallets.insert(.init(name: "Early", index: 5, calls: "SystemCall"), at: 1)
        case "pallet name": model.pallets.append(.init(name: "System", index: 99, calls: "BalancesCall"))
        default:
            model.redefine("MultiAddress", .variant([.init(name: "Id", index: 1), .init(name: "Index", index: 1)]))
        }
        let blob = model.blob(version: version)
        let readers: [([UInt8]) throws -> Any] = [
            { try RuntimeMetadata($0) }, { try FullMetadata($0) }, { try LeanMetadata.transform($0) },
        ]
        for read in readers {
            let error = #expect(throws: MetadataError.self) { _ = try read(blob) }
            guard case .unableToDecode(.saidTwice(let offset, kind))? = error else {
                Issue.record("\(kind): \(String(describing: error))")
                continue
            }
            #expect(blob.indices.contains(offset))
        }
    }

    @Test("a prefix in one byte is read, none is allowed, another than the record's is refused")
    func prefixes() throws {
        var model = TestChain.model
        model.pallets[0].constants[1].value = [2]
        let metadata = try RuntimeMetadata(model.blob(version: 15))
        #expect(throws: MetadataError.base58PrefixSpecsMismatch(metadata: 2, specs: 42)) {
            try metadata.checkPrefix(of: TestChain.network)
        }
        model.pallets[0].constants.removeLast()
        #expect(try RuntimeMetadata(model.blob(version: 15)).base58Prefix == nil)
    }

    @Test(
        "real blobs give the facts of the index",
        .enabled(if: SharedData.has("signer-wire/metadata/index.json")))
    func realBlobs() throws {
        for item in try SharedData.json("signer-wire/metadata/index.json").array where item["outcome"].string == "ok" {
            guard let file = item["file"].string, let version = item["format_version"].int, (14...16).contains(version)
            else {
                continue
            }
            let blob = try SharedData.bytes("signer-wire/\(file)")
            let metadata = try RuntimeMetadata(blob)
            #expect(metadata.specName == item["spec_name"].string)
            #expect(Int(metadata.specVersion) == item["spec_version"].int)
            #expect(metadata.blobHash.hex == item["blake2_256"].string)
            #expect(try FullMetadata(blob).types.count == item["type_count"].int)
        }
    }
}
