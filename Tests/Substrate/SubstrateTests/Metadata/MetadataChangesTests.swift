import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("What differs between two metadata")
struct MetadataChangesTests {
    private func changes(
        in version: UInt8 = 15, _ change: (inout MetadataModel) -> Void
    ) throws -> MetadataChanges {
        var model = TestChain.model
        change(&model)
        let old = try FullMetadata(TestChain.model.blob(version: version))
        return try MetadataChanges(from: old, to: FullMetadata(model.blob(version: version)))
    }

    private func inside(_ types: [String]) -> (MetadataChanges) -> Bool {
        { $0.pallets.isEmpty && $0.extensions.isEmpty && $0.types == types }
    }

    private func calls(_ pallet: String, _ calls: [String]) -> (MetadataChanges) -> Bool {
        { $0.pallets.map(\.name) == [pallet] && $0.pallets.map(\.kind) == [.changed(calls: calls)] }
    }

    @Test("nothing, where only numbers of types, documentation or constants do", arguments: [14, 15, 16] as [UInt8])
    func same(version: UInt8) throws {
        #expect(try changes(in: version) { _ in }.isEmpty)
        let renumbered = try changes(in: version) { model in
            model.types.reverse()
            model.pallets.reverse()
            for position in model.types.indices { model.types[position].docs = ["Said otherwise."] }
            model.pallets[0].constants.append(("New", "u8", [1]))
        }
        #expect(renumbered.isEmpty)
    }

    @Test("nothing, between the forms in which one runtime is described")
    func forms() throws {
        for (old, new) in [(14, 15), (15, 14), (15, 16), (16, 14)] as [(UInt8, UInt8)] {
            let model = ProofChain.model
            #expect(
                try MetadataChanges(
                    from: FullMetadata(model.blob(version: old)), to: FullMetadata(model.blob(version: new))
                ).isEmpty, "\(old) \(new)")
        }
    }

    private static let address = "sp_runtime::multiaddress::MultiAddress"

    @Test("what is inside a type with the same name is told, however far down")
    func insides() throws {
        let swapped = try changes { model in
            model.redefine(
                "MultiAddress",
                .variant([
                    .init(name: "Id", index: 2, fields: [.init(nil, "AccountId32", typeName: "AccountId")]),
                    .init(name: "Index", index: 1, fields: [.init(nil, "Compact<()>", typeName: "AccountIndex")]),
                    .init(name: "Raw", index: 0, fields: [.init(nil, "bytes", typeName: "Vec<u8>")]),
                ]))
        }
        #expect(inside([Self.address])(swapped))
        let longer = try changes { $0.redefine("AccountId32", .composite([.init(nil, "[u8;20]")])) }
        #expect(inside(["sp_core::crypto::AccountId32"])(longer))
        // Calls inside of calls are selected by this type, whatever the pallets' own numbers are.
        let outer = try changes { model in
            model.redefine(
                "RuntimeCall",
                .variant([
                    .init(name: "System", index: 5, fields: [.init(nil, "SystemCall")]),
                    .init(name: "Balances", index: 0, fields: [.init(nil, "BalancesCall")]),
                    .init(name: "Utility", index: 26, fields: [.init(nil, "UtilityCall")]),
                ]))
        }
        #expect(outer.pallets.isEmpty && outer.types.contains("test_runtime::RuntimeCall"))
        // Calls are told from other variants by the numbers of their types.
        let twin = try changes { model in
            model.types.append(model.types[model.id("BalancesCall")])
            model.types[model.types.count - 1].name = "Twin"
            model.pallets[1].calls = "Twin"
        }
        #expect(!twin.isEmpty)
        let letter = try changes { model in
            model.types[model.id("MultiAddress")].path[2] = "MultiAddres\u{73}\u{301}"
        }
        #expect(!letter.isEmpty)
    }

    @Test("a call is told whose number, name or arguments are others")
    func arguments() throws {
        func transfer(_ change: (inout MetadataModel.Variant) -> Void) throws -> MetadataChanges {
            try changes { model in
                guard case .variant(var calls) = model.types[model.id("BalancesCall")].definition else { return }
                change(&calls[0])
                model.redefine("BalancesCall", .variant(calls))
            }
        }
        let name = "transfer_keep_alive"
        #expect(calls("Balances", [name])(try transfer { $0.index = 7 }))
        #expect(calls("Balances", ["burn", name])(try transfer { $0.name = "burn" }))
        #expect(calls("Balances", [name])(try transfer { $0.fields[1].name = "fee" }))
        #expect(calls("Balances", [name])(try transfer { $0.fields[1].type = "Compact<u32>" }))
        #expect(calls("Balances", [name])(try transfer { $0.fields[1].typeName = "u128" }))
        #expect(calls("Balances", [name])(try transfer { $0.fields.swapAt(0, 1) }))
        #expect(calls("Balances", [name])(try transfer { $0.fields.removeLast() }))
        // A parameter of a type belongs to who uses it.
        let option = try changes { $0.redefine("(u8,bool)", .tuple(["u8", "u8"])) }
        #expect(calls("System", ["echo"])(option) && option.types == [])
    }

    @Test("pallets that are new, gone or have another number are told")
    func pallets() throws {
        let others = try changes { model in
            model.pallets[3].name = "Modern"
            model.pallets[1].index = 6
        }
        #expect(others.pallets.map(\.name) == ["Balances", "Historical", "Modern"])
        #expect(others.pallets.map(\.kind) == [.changed(calls: []), .removed, .added])
    }

    @Test("extensions that are others are told: what follows a call is read by them")
    func extensions() throws {
        #expect(try changes { $0.extensions.swapAt(0, 1) }.extensions == ["CheckSpecVersion", "CheckTxVersion"])
        #expect(try changes { $0.extensions[6].type = "unit" }.extensions == ["CheckMetadataHash"])
        #expect(try changes { $0.extensions[2].additional = "u32" }.extensions == ["CheckGenesis"])
        #expect(try changes { _ = $0.extensions.popLast() }.extensions == ["CheckMetadataHash"])
        #expect(try inside(["Mode"])(changes { $0.redefine("Mode", .variant([.init(name: "Disabled", index: 0)])) }))
    }

    @Test("a type that holds itself many times is compared once")
    func circles() throws {
        func model(_ count: Int) -> MetadataModel {
            var model = TestChain.model
            model.type("bomb", .tuple(Array(repeating: "bomb", count: count)))
            model.type("chain0", .tuple(["u8"]))
            for position in 1..<2_000 { model.type("chain\(position)", .tuple(["chain\(position - 1)"])) }
            model.redefine(
                "BalancesCall",
                .variant([.init(name: "burst", index: 3, fields: [.init(nil, "bomb"), .init(nil, "chain1999")])]))
            return model
        }
        let large = try FullMetadata(model(10_000).blob(version: 15))
        #expect(MetadataChanges(from: large, to: large).isEmpty)
        let small = try FullMetadata(model(9_999).blob(version: 15))
        #expect(calls("Balances", ["burst"])(MetadataChanges(from: large, to: small)))
    }

    @Test("real metadata are the same as themselves, and others when two variants trade places")
    func westend() throws {
        var blob = try ShippedChain.westend.blob()
        let old = try FullMetadata(blob)
        #expect(MetadataChanges(from: old, to: old).isEmpty)
        let start = try #require(blob.position(of: "ProxyType", from: 0))
        let any = try #require(blob.position(of: "Any", from: start)) + 5
        let cancel = try #require(blob.position(of: "CancelProxy", from: start)) + 13
        blob.swapAt(any, cancel)
        let changes = MetadataChanges(from: old, to: try FullMetadata(blob))
        #expect(inside(["westend_runtime::ProxyType"])(changes))
    }
}

extension [UInt8] {
    /// Where `name` stands as a string of SCALE, behind `start`.
    fileprivate func position(of name: String, from start: Int) -> Int? {
        let needle = [UInt8(name.utf8.count) << 2] + Array(name.utf8)
        return indices.dropFirst(start).first { self[$0...].starts(with: needle) }
    }
}
