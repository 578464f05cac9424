import SCALE
import TextForms

@testable import Substrate

/// The small chain of ``TestChain`` with calls that stand inside others, and nothing in it that a Merkle tree cannot
/// describe.
enum ProofChain {
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d") ?? []
    static let bob = TestChain.bob
    static let charlie = Hex.decode("90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22") ?? []

    static let extraInfo = MetadataExtraInfo(
        specVersion: TestChain.specVersion, specName: "test", base58Prefix: 42, decimals: 12, tokenSymbol: "TST")

    static let model: MetadataModel = {
        var model = TestChain.model
        addSigners(&model)
        keepDescribableEchoes(&model)
        addWrapperArguments(&model)
        addWrappers(&model)
        return model
    }()

    /// Types that ``TestChain`` echoes and a leaf can describe.
    static let echoed = TestChain.echoed.filter {
        !["BadOrder", "BadStore", "Compact<Pair>", "CompactLoop", "Missing"].contains($0)
    }

    private static func addSigners(_ model: inout MetadataModel) {
        model.redefine(
            "Era",
            .variant([
                .init(name: "Immortal", index: 0), .init(name: "Mortal181", index: 0xb5, fields: [.init(nil, "u8")]),
            ]))
        model.type("[u8;64]", .array(64, "u8"))
        model.type("[u8;65]", .array(65, "u8"))
        model.type(
            "MultiSignature", path: ["sp_runtime", "MultiSignature"],
            .variant([
                .init(name: "Ed25519", index: 0, fields: [.init(nil, "[u8;64]")]),
                .init(name: "Sr25519", index: 1, fields: [.init(nil, "[u8;64]")]),
                .init(name: "Ecdsa", index: 2, fields: [.init(nil, "[u8;65]")]),
            ]))
        model.signature = "MultiSignature"
        model.types[model.id("UncheckedExtrinsic")].parameters = [
            ("Address", "MultiAddress"), ("Call", "RuntimeCall"), ("Signature", "MultiSignature"), ("Extra", "unit"),
        ]
    }

    private static func keepDescribableEchoes(_ model: inout MetadataModel) {
        guard case .variant(let calls) = model.types[model.id("SystemCall")].definition else { return }
        model.redefine(
            "SystemCall",
            .variant(calls.filter { $0.name != "echo" || echoed.contains($0.fields[0].type) }))
    }

    // MARK: Calls around others

    private static func addWrapperArguments(_ model: inout MetadataModel) {
        model.type("u64c", .compact("u64"))
        model.type("Vec<AccountId32>", .sequence("AccountId32"))
        model.type(
            "Timepoint", path: ["pallet_multisig", "Timepoint"],
            .composite([.init("height", "u32"), .init("index", "u32")]))
        model.type(
            "Option<Timepoint>", path: ["Option"],
            .variant([
                .init(name: "None", index: 0), .init(name: "Some", index: 1, fields: [.init(nil, "Timepoint")]),
            ]))
        model.type(
            "Weight", path: ["sp_weights", "Weight"],
            .composite([.init("ref_time", "u64c"), .init("proof_size", "u64c")]))
        model.type(
            "RawOrigin", path: ["frame_support", "dispatch", "RawOrigin"],
            .variant([
                .init(name: "Root", index: 0), .init(name: "Signed", index: 1, fields: [.init(nil, "AccountId32")]),
                .init(name: "None", index: 2),
            ]))
        model.type(
            "OriginCaller", path: ["test_runtime", "OriginCaller"],
            .variant([
                .init(name: "system", index: 0, fields: [.init(nil, "RawOrigin")]),
                .init(name: "Council", index: 5, fields: [.init(nil, "Level")]),
            ]))
    }

    private static func addWrappers(_ model: inout MetadataModel) {
        let call = MetadataModel.Field("call", "RuntimeCall", typeName: "Box<CallOf<T>>")
        let calls = MetadataModel.Field("calls", "Vec<RuntimeCall>")
        let real = MetadataModel.Field("real", "MultiAddress")
        let others = MetadataModel.Field("other_signatories", "Vec<AccountId32>")
        let pallets: [(name: String, index: UInt8, calls: [(String, UInt8, [MetadataModel.Field])])] = [
            (
                "Utility", 26,
                [
                    ("batch", 0, [calls]), ("as_derivative", 1, [.init("index", "u16"), call]),
                    ("batch_all", 2, [calls]), ("dispatch_as", 3, [.init("as_origin", "OriginCaller"), call]),
                    ("if_else", 6, [.init("main", "RuntimeCall"), .init("fallback", "RuntimeCall")]),
                ]
            ),
            (
                "Proxy", 30,
                [
                    ("proxy", 0, [real, .init("force_proxy_type", "Option<bool>"), call]),
                    (
                        "proxy_announced", 9,
                        [.init("delegate", "MultiAddress"), real, .init("force_proxy_type", "Option<bool>"), call]
                    ),
                ]
            ),
            (
                "Multisig", 31,
                [
                    ("as_multi_threshold_1", 0, [others, call]),
                    (
                        "as_multi", 1,
                        [
                            .init("threshold", "u16"), others, .init("maybe_timepoint", "Option<Timepoint>"), call,
                            .init("max_weight", "Weight"),
                        ]
                    ),
                ]
            ),
            ("Sudo", 32, [("sudo", 0, [call]), ("sudo_as", 3, [.init("who", "MultiAddress"), call])]),
            ("Scheduler", 34, [("schedule", 0, [.init("when", "u32"), call])]),
            (
                "Assets", 50,
                [
                    (
                        "transfer", 8,
                        [
                            .init("id", "Compact<u32>"), .init("target", "MultiAddress"),
                            .init("amount", "Compact<u128>", typeName: "T::Balance"),
                        ]
                    )
                ]
            ),
        ]
        for pallet in pallets { add(pallet.name, index: pallet.index, pallet.calls, to: &model) }
    }

    /// Adds a pallet with its calls, or redefines the calls of one that is there.
    static func add(
        _ pallet: String, index: UInt8, _ calls: [(String, UInt8, [MetadataModel.Field])], to model: inout MetadataModel
    ) {
        let definition = MetadataModel.Definition.variant(
            calls.map { .init(name: $0.0, index: $0.1, fields: $0.2, docs: ["Some call."]) })
        let type = "\(pallet)Call"
        guard model.id(type) == model.types.count else { return model.redefine(type, definition) }
        model.type(type, path: ["pallet_\(pallet.lowercased())", "pallet", "Call"], definition)
        model.pallets.append(.init(name: pallet, index: index, calls: type))
        guard case .variant(var outer) = model.types[model.id("RuntimeCall")].definition else { return }
        outer.append(.init(name: pallet, index: index, fields: [.init(nil, type)]))
        model.redefine("RuntimeCall", .variant(outer))
    }
}

// MARK: Metadata, trees, proofs

extension ProofChain {
    static func metadata(_ model: MetadataModel = model, version: UInt8 = 15) throws -> RuntimeMetadata {
        try RuntimeMetadata(model.blob(version: version))
    }

    static func tree(_ model: MetadataModel = model, version: UInt8 = 15) throws -> MerkleizedMetadata {
        try MerkleizedMetadata(metadata(model, version: version))
    }

    /// The proof of a call, with extensions that sign the metadata hash.
    static func proof(_ call: [UInt8], _ tree: MerkleizedMetadata? = nil) throws -> [UInt8] {
        let tree = try tree ?? Self.tree()
        let extensions = TestChain.extensions(metadataHash: tree.digest(extraInfo).hash)
        return try tree.proof(call: call, extensions: extensions, extraInfo: extraInfo)
    }

    /// What a proof makes of a call and extensions.
    static func decode(
        _ proof: [UInt8], call: [UInt8], extensions: [UInt8]
    ) throws -> ProofTransactionDecoder.Decoded {
        let decoder = ProofTransactionDecoder(proof: try MetadataProof(proof), network: TestChain.network)
        let bytes = call + extensions
        return decoder.decode(
            bytes, call: 0..<call.count, extensions: call.count..<bytes.count, genesis: TestChain.network.genesisHash)
    }
}
