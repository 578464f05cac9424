import SCALE
import Substrate

/// The small chain of ``TestChain`` in the days when types were text.
enum TextChain {
    static let model: TextMetadataModel = {
        let call = "Box<<T as Config>::Call>"
        return TextMetadataModel(pallets: [
            .init(
                name: "System", index: 0,
                calls: [.init(name: "remark", arguments: [("_remark", "Vec<u8>")], docs: ["Say", "it."])],
                constants: [
                    ("Version", "RuntimeVersion", TestChain.versionConstant), ("SS58Prefix", "u8", [42]),
                ]),
            .init(
                name: "Balances", index: 5,
                calls: ["set_balance", "force", "transfer"].map { .init(name: $0) }
                    + [
                        .init(
                            name: "transfer_keep_alive",
                            arguments: [
                                ("dest", "<T::Lookup as StaticLookup>::Source"), ("value", "Compact<T::Balance>"),
                            ],
                            docs: ["Move some."])
                    ]),
            .init(
                name: "Utility", index: 26,
                calls: [
                    .init(name: "batch", arguments: [("calls", "Vec<<T as Config>::Call>")]),
                    .init(name: "as_derivative", arguments: [("index", "u16"), ("call", call)]),
                ]),
            .init(
                name: "Council", index: 27,
                calls: [
                    .init(
                        name: "propose",
                        arguments: [
                            ("first", "Box<<T as Config<I>>::Proposal>"), ("second", "Box<<T as Config>::Proposal>"),
                        ])
                ]),
            .init(name: "Historical", index: 33),
        ])
    }()

    static let types = TypesTable(entries: [
        .init(
            name: "<T::Lookup as StaticLookup>::Source",
            description: .enumeration([
                .init(name: "Id", content: .type("AccountId")), .init(name: "Index", content: .type("Compact<Index>")),
            ])),
        .init(name: "Index", description: .alias("u32")), .init(name: "Index", description: .alias("u8")),
        .init(name: "Weight", description: .alias("Gas")), .init(name: "Gas", description: .alias("u64")),
        .init(name: "Pair", description: .structure([.init(name: "left", type: "u8"), .init(type: "Index")])),
        .init(name: "Empty", description: .structure([])),
        .init(
            name: "Choice",
            description: .enumeration([
                .init(name: "Nothing", content: .nothing), .init(name: "One", content: .type("u16")),
                .init(name: "Many", content: .fields([.init(name: "a", type: "u8"), .init(name: "b", type: "bool")])),
            ])),
        .init(
            name: "IdentityField",
            description: .enumeration([
                .init(name: "Display", content: .nothing), .init(name: "Legal", content: .nothing),
                .init(name: "Web", content: .nothing),
            ])),
        .init(name: "Loop", description: .alias("Loop")), .init(name: "Ping", description: .alias("Pong")),
        .init(name: "Pong", description: .alias("Ping")), .init(name: "Nest", description: .alias("Vec<Nest>")),
        .init(name: "Grow", description: .alias("Option<Grow>")),
        .init(name: "Inner", description: .structure([.init(name: "inner", type: "Inner")])),
        .init(
            name: "Fork",
            description: .structure([.init(name: "left", type: "Fork2"), .init(name: "right", type: "Fork2")])),
        .init(name: "Fork2", description: .alias("(Fork3, Fork3)")),
        .init(name: "Fork3", description: .alias("[Empty; 4000000000]")),
    ])

    static func decoder(
        _ model: TextMetadataModel = model, version: UInt8 = 13, types: TypesTable? = types
    ) throws -> TextTransactionDecoder {
        TextTransactionDecoder(
            metadata: try TextMetadata(model.blob(version: version)), network: TestChain.network, types: types)
    }

    /// A chain with one call, whose argument is of the type `text`: a value of it stands behind two zero bytes.
    static func echo(_ text: String) -> TextMetadataModel {
        var echo = model
        echo.pallets[0].calls = [.init(name: "echo", arguments: [("value", text)])]
        return echo
    }

    /// The lines of a value's cards, moved to the left margin.
    static func lines(_ text: String, _ value: [UInt8]) throws -> [String] {
        try decoder(echo(text)).decodeCall([0, 0] + value).dropFirst(3).map { card in
            String(repeating: "  ", count: card.indent - 3) + card.kind.line
        }
    }

    static let transfer: [UInt8] = TestChain.transfer

    /// The seven values behind a call.
    static func extensions(
        era: [UInt8] = [0xb5, 0x01], version: UInt32 = TestChain.specVersion, genesis: [UInt8] = TestChain.genesis,
        block: [UInt8] = [UInt8](repeating: 0x22, count: 32)
    ) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(era)
        encoder.compact(46)
        encoder.compact(0)
        encoder.integer(version)
        encoder.integer(UInt32(9))
        encoder.raw(genesis)
        encoder.raw(block)
        return encoder.bytes
    }
}
