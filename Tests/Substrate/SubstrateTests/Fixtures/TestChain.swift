import SCALE
import Substrate
import TextForms

/// A small chain: enough types for every rule of the walk.
enum TestChain {
    static let genesis = [UInt8](repeating: 0x11, count: 32)
    static let specVersion: UInt32 = 1234
    static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48") ?? []

    static let network = NetworkSpecs(
        base58Prefix: 42, color: "#000", decimals: 12, scheme: .sr25519,
        genesisHash: Hash256(genesis) ?? Blake2b.hash256([]), logo: "", name: "test", pathID: "//test",
        secondaryColor: "#000", title: "Test", unit: "TST")

    static func decoder(_ model: MetadataModel = model, version: UInt8 = 15) throws -> TransactionDecoder {
        TransactionDecoder(metadata: try RuntimeMetadata(model.blob(version: version)), network: network)
    }

    static var versionConstant: [UInt8] {
        var encoder = ScaleEncoder()
        encoder.string("test")
        encoder.string("test-node")
        encoder.integer(UInt32(1))
        encoder.integer(specVersion)
        encoder.integer(UInt32(0))
        encoder.sequence([1 as UInt32]) { encoder, version in
            encoder.raw([1, 2, 3, 4, 5, 6, 7, 8])
            encoder.integer(version)
        }
        encoder.integer(UInt32(9))
        encoder.integer(UInt8(1))
        return encoder.bytes
    }

    static let model: MetadataModel = {
        var model = MetadataModel()
        addPrimitives(&model)
        addAccounts(&model)
        addShapes(&model)
        addCalls(&model)
        addExtensions(&model)
        model.pallets = [
            .init(
                name: "System", index: 0, calls: "SystemCall",
                constants: [("Version", "bytes", versionConstant), ("SS58Prefix", "u16", [42, 0])]),
            .init(name: "Balances", index: 5, calls: "BalancesCall"),
            .init(name: "Utility", index: 26, calls: "UtilityCall"),
            .init(name: "Historical", index: 33),
        ]
        return model
    }()

    private static func addPrimitives(_ model: inout MetadataModel) {
        let names = [
            "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64", "i128", "i256",
        ]
        for (code, name) in names.enumerated() { model.type(name, .primitive(UInt8(code))) }
        model.type("unit", .tuple([]))
        model.type("bytes", .sequence("u8"))
        model.type("[u8;32]", .array(32, "u8"))
        model.type("Compact<u128>", .compact("u128"))
        model.type("Compact<u32>", .compact("u32"))
        model.type("Compact<()>", .compact("unit"))
    }

    private static func addAccounts(_ model: inout MetadataModel) {
        model.type("AccountId32", path: ["sp_core", "crypto", "AccountId32"], .composite([.init(nil, "[u8;32]")]))
        model.type("AccountId20", path: ["account", "AccountId20"], .composite([.init(nil, "[u8;20]")]))
        model.type("[u8;20]", .array(20, "u8"))
        model.type("H256", path: ["primitive_types", "H256"], .composite([.init(nil, "[u8;32]")]))
        model.type(
            "MultiAddress", path: ["sp_runtime", "multiaddress", "MultiAddress"], docs: ["An address."],
            .variant([
                .init(name: "Id", index: 0, fields: [.init(nil, "AccountId32", typeName: "AccountId")]),
                .init(name: "Index", index: 1, fields: [.init(nil, "Compact<()>", typeName: "AccountIndex")]),
                .init(name: "Raw", index: 2, fields: [.init(nil, "bytes", typeName: "Vec<u8>")]),
            ]))
    }

    private static func addShapes(_ model: inout MetadataModel) {
        model.type(
            "Option<bool>", path: ["Option"],
            .variant([.init(name: "None", index: 0), .init(name: "Some", index: 1, fields: [.init(nil, "bool")])]))
        model.type("(u8,bool)", .tuple(["u8", "bool"]))
        model.type("[u32;2]", .array(2, "u32"))
        model.type("Vec<u32>", .sequence("u32"))
        model.type("Vec<()>", .sequence("unit"))
        model.type("[();max]", .array(.max, "unit"))
        model.type("Lsb0", path: ["bitvec", "order", "Lsb0"], .composite([]))
        model.type("Msb0", path: ["bitvec", "order", "Msb0"], .composite([]))
        model.type("BitsLsb0", .bits(store: "u8", order: "Lsb0"))
        model.type("BitsMsb0", .bits(store: "u16", order: "Msb0"))
        model.type("BadOrder", .bits(store: "u8", order: "u8"))
        model.type("BadStore", .bits(store: "bool", order: "Lsb0"))
        model.type("Pair", .composite([.init(nil, "u8"), .init(nil, "u8")]))
        model.type("Compact<Pair>", .compact("Pair"))
        model.type("Loop", .composite([.init(nil, "Loop")]))
        model.type("CompactLoop", .compact("CompactLoop"))
        model.type("Tree", .composite([.init(nil, "Tree"), .init(nil, "Tree")]))
        model.type("Missing", .sequence("no such type"))
        model.type("Level", .variant([.init(name: "Low", index: 3), .init(name: "High", index: 9)]))
    }

    /// Every type above as the argument of a call of its own: `echo(index)` takes a value of ``echoed``[index].
    static let echoed = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64", "i128", "i256",
        "unit",
        "bytes", "[u8;32]", "Compact<u128>", "Compact<()>", "AccountId32", "AccountId20", "Option<bool>", "(u8,bool)",
        "[u32;2]", "Vec<u32>", "Vec<()>", "[();max]", "BitsLsb0", "BitsMsb0", "BadOrder", "BadStore", "Pair",
        "Compact<Pair>", "Loop", "CompactLoop", "Tree", "Missing", "Level", "MultiAddress", "RuntimeCall",
    ]

    private static func addCalls(_ model: inout MetadataModel) {
        let echoes = echoed.enumerated().map { index, type in
            MetadataModel.Variant(name: "echo", index: UInt8(100 + index), fields: [.init(nil, type)])
        }
        let amounts: [MetadataModel.Variant] = [
            .init(name: "amount", index: 1, fields: [.init("value", "u128", typeName: "BalanceOf<T>")]),
            .init(name: "bad_amount", index: 2, fields: [.init("value", "bool", typeName: "Balance")]),
        ]
        model.type(
            "SystemCall", path: ["frame_system", "pallet", "Call"],
            .variant(
                [
                    .init(
                        name: "remark", index: 0, fields: [.init("remark", "bytes", typeName: "Vec<u8>")],
                        docs: ["Say", "it."])
                ]
                    + amounts + echoes))
        model.type(
            "BalancesCall", path: ["pallet_balances", "pallet", "Call"],
            .variant([
                .init(
                    name: "transfer_keep_alive", index: 3,
                    fields: [
                        .init("dest", "MultiAddress", typeName: "AccountIdLookupOf<T>", docs: ["To whom."]),
                        .init("value", "Compact<u128>", typeName: "T::Balance"),
                    ], docs: ["Move some."])
            ]))
        model.type(
            "UtilityCall", path: ["pallet_utility", "pallet", "Call"],
            .variant([
                .init(
                    name: "batch_all", index: 2, fields: [.init("calls", "Vec<RuntimeCall>")], docs: ["All or nothing."]
                )
            ]))
        model.type("Vec<RuntimeCall>", .sequence("RuntimeCall"))
        model.type(
            "RuntimeCall", path: ["test_runtime", "RuntimeCall"],
            .variant([
                .init(name: "System", index: 0, fields: [.init(nil, "SystemCall")]),
                .init(name: "Balances", index: 5, fields: [.init(nil, "BalancesCall")]),
                .init(name: "Utility", index: 26, fields: [.init(nil, "UtilityCall")]),
            ]))
        model.type("UncheckedExtrinsic", parameters: [("Address", nil), ("Call", "RuntimeCall")], .composite([]))
    }

    private static func addExtensions(_ model: inout MetadataModel) {
        model.type("Era", path: ["sp_runtime", "generic", "era", "Era"], .composite([]))
        model.type("CheckMortality", path: ["frame_system", "CheckMortality"], .composite([.init(nil, "Era")]))
        model.type("CheckNonce", path: ["frame_system", "CheckNonce"], .composite([.init(nil, "Compact<u32>")]))
        model.type(
            "ChargeTransactionPayment", path: ["pallet", "ChargeTransactionPayment"],
            .composite([.init(nil, "Compact<u128>", typeName: "BalanceOf<T>")]))
        model.type(
            "Mode", path: ["Mode"], .variant([.init(name: "Disabled", index: 0), .init(name: "Enabled", index: 1)]))
        model.type(
            "Option<hash>", path: ["Option"],
            .variant([.init(name: "None", index: 0), .init(name: "Some", index: 1, fields: [.init(nil, "[u8;32]")])]))
        model.extensions = [
            ("CheckSpecVersion", "unit", "u32"), ("CheckTxVersion", "unit", "u32"), ("CheckGenesis", "unit", "H256"),
            ("CheckMortality", "CheckMortality", "H256"), ("CheckNonce", "CheckNonce", "unit"),
            ("ChargeTransactionPayment", "ChargeTransactionPayment", "unit"),
            ("CheckMetadataHash", "Mode", "Option<hash>"),
        ]
    }

    // MARK: Bytes

    static let transfer: [UInt8] = [5, 3, 0] + bob + [0x07, 0x00, 0xe8, 0x76, 0x48, 0x17]

    /// The data of all extensions.
    ///
    /// - Parameter metadataHash: what is signed for it; nil switches the check off.
    static func extensions(
        era: [UInt8] = [0xb5, 0x01], version: UInt32 = specVersion, genesis: [UInt8] = genesis,
        block: [UInt8] = [UInt8](repeating: 0x22, count: 32), metadataHash: Hash256? = nil
    ) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(era)
        encoder.compact(46)
        encoder.compact(0)
        encoder.bool(metadataHash != nil)
        encoder.integer(version)
        encoder.integer(UInt32(9))
        encoder.raw(genesis)
        encoder.raw(block)
        encoder.option(metadataHash) { $0.value($1) }
        return encoder.bytes
    }

    /// A call whose argument is of the type `name` of ``echoed``.
    static func echo(_ name: String, _ value: [UInt8]) -> [UInt8] {
        [0, UInt8(100 + (echoed.firstIndex(of: name) ?? 155))] + value
    }
}
