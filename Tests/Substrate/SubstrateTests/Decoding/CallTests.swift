import SCALE
import Substrate
import Testing
import TextForms

@Suite("Calls")
struct CallTests {
    @Test("a transfer reads as the spec's example", arguments: [14, 15, 16] as [UInt8])
    func transfer(version: UInt8) throws {
        let cards = try TestChain.decoder(version: version).decodeCall(TestChain.transfer)
        #expect(
            cards.map(\.line) == [
                "pallet: Balances", "  method: transfer_keep_alive", "    field_name: dest",
                "      enum_variant_name: Id",
                "        Id: 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    field_name: value",
                "      balance: 100.000000000 mTST",
            ])
    }

    @Test("cards carry the documentation and the type of fields")
    func docs() throws {
        let cards = try TestChain.decoder().decodeCall(TestChain.transfer)
        guard case .method(_, let docs) = cards[1].kind, case .fieldName(let field) = cards[2].kind else {
            Issue.record("expected a method and a field, found \(cards)")
            return
        }
        #expect(docs.text == "Move some.")
        #expect(field.docs.text == "To whom.")
        #expect(field.type.path == "sp_runtime >> multiaddress >> MultiAddress")
        #expect(field.type.docs.text == "An address.")
    }

    @Test("a call inside a call shows its own pallet and method")
    func batch() throws {
        let call = [26, 2, 0x08] + TestChain.transfer + [0, 0, 0x08, 0x68, 0x69]
        let lines = try TestChain.decoder().decodeCall(call).map(\.line)
        #expect(
            lines[0...5] == [
                "pallet: Utility", "  method: batch_all", "    field_name: calls", "      pallet: Balances",
                "        method: transfer_keep_alive", "          field_name: dest",
            ])
        #expect(
            lines.suffix(4) == [
                "      pallet: System", "        method: remark", "          field_name: remark",
                "            text: hi",
            ])
    }

    @Test(
        "each shape of value has its cards",
        arguments: [
            ("bool", "01", ["default: true"]), ("char", "61000000", ["default: a"]), ("str", "086869", ["text: hi"]),
            ("u8", "ff", ["default: 255"]), ("u64", "0100000000000000", ["default: 1"]), ("i8", "ff", ["default: -1"]),
            ("i128", "ffffffffffffffffffffffffffffffff", ["default: -1"]),
            (
                "u256", "0000000000000000000000000000000000000000000000000000000000000080",
                ["default: 57896044618658097711785492504343953926634992332820282019728792003956564819968"]
            ),
            (
                "i256", "0000000000000000000000000000000000000000000000000000000000000080",
                ["default: -57896044618658097711785492504343953926634992332820282019728792003956564819968"]
            ),
            (
                "u256", "0000e8890423c78a000000000000000000000000000000000000000000000000",
                ["default: 10000000000000000000"]
            ),
            ("unit", "", []), ("bytes", "00", ["default: "]), ("bytes", "04ff", ["bytes: 0xff"]),
            ("Compact<u128>", "a8", ["default: 42"]), ("Compact<()>", "", []),
            (
                "AccountId20", "000102030405060708090a0b0c0d0e0f10111213",
                ["Id: 0x000102030405060708090a0b0c0d0e0f10111213"]
            ),
            ("Option<bool>", "00", ["none: "]), ("Option<bool>", "0101", ["default: true"]),
            ("(u8,bool)", "0700", ["field_number: 1", "default: 7", "field_number: 2", "default: false"]),
            ("[u32;2]", "0100000002000000", ["default: 1", "default: 2"]), ("Vec<u32>", "00", ["default: "]),
            ("Vec<u32>", "0403000000", ["default: 3"]), ("Vec<()>", "0c", []),
            ("BitsLsb0", "140b", ["bitvec: 11010"]), ("BitsMsb0", "100080", ["bitvec: 1000"]),
            ("BitsLsb0", "00", ["bitvec: "]),
            ("Pair", "0102", ["field_number: 0", "  default: 1", "field_number: 1", "  default: 2"]),
            ("Level", "09", ["enum_variant_name: High"]), ("MultiAddress", "01", ["enum_variant_name: Index"]),
        ])
    func shapes(type: String, hex: String, lines: [String]) throws {
        let cards = try TestChain.decoder().decodeCall(TestChain.echo(type, try #require(Hex.decode(hex))))
        #expect(cards.dropFirst(2).map { String($0.line.dropFirst(4)) } == lines)
    }

    @Test(
        "what the metadata does not describe is refused by its own error",
        arguments: [
            ([], "DataTooShort"), ([9], "PalletNotFound"), ([33, 0], "NoCallsInPallet"), ([5], "DataTooShort"),
            ([5, 99], "UnexpectedEnumVariant"), ([0, 2, 1], "BalanceNotDescribed"),
            (TestChain.transfer + [0], "SomeDataNotUsedMethod"),
            (TestChain.transfer.dropLast(), "NoCompact"), ([5, 3, 0, 1, 2], "DataTooShort"),
            ([0, 0, 0x08, 0x61], "DataTooShort"),
            (TestChain.echo("bool", [2]), "PrimitiveFailure"),
            (TestChain.echo("char", [0, 0xd8, 0, 0]), "PrimitiveFailure"),
            (TestChain.echo("str", [4, 0xff]), "PrimitiveFailure"),
            (TestChain.echo("Option<bool>", [2]), "UnexpectedOptionVariant"),
            (TestChain.echo("Option<bool>", [1]), "DataTooShort"), (TestChain.echo("BadOrder", [0]), "NotBitOrderType"),
            (TestChain.echo("BadStore", [0]), "NotBitStoreType"),
            (TestChain.echo("Compact<Pair>", [0, 0]), "UnexpectedCompactInsides"),
            (TestChain.echo("Missing", [4, 0]), "V14TypeNotResolved"),
            (TestChain.echo("Compact<u128>", [1, 0]), "NoCompact"),
            (TestChain.echo("Compact<u128>", []), "DataTooShort"),
            (TestChain.echo("Level", [0]), "UnexpectedEnumVariant"),
        ] as [([UInt8], String)])
    func refusals(call: [UInt8], code: String) throws {
        let decoder = try TestChain.decoder()
        let error = #expect(throws: DecodingError.self) { try decoder.decodeCall(call) }
        #expect(error?.code == code)
    }

    @Test("a remark that is not text is shown as bytes")
    func binaryRemark() throws {
        let cards = try TestChain.decoder().decodeCall([0, 0, 0x08, 0xff, 0xfe])
        #expect(cards.last?.kind == .bytes([0xff, 0xfe], text: nil))
    }

    @Test("a call may stand anywhere in the bytes, and offsets count from their start")
    func range() throws {
        let bytes = [1, 2, 3] + TestChain.transfer
        let decoder = try TestChain.decoder()
        #expect(try decoder.decodeCall(bytes, in: 3..<bytes.count).count == 7)
        #expect(throws: DecodingError.palletNotFound(index: 1)) { try decoder.decodeCall(bytes) }
        #expect(throws: DecodingError.dataTooShort(offset: 6)) { try decoder.decodeCall(bytes, in: 3..<8) }
    }

    @Test("the hash of a call is BLAKE2b over its bytes")
    func callHash() {
        #expect(CallHash.of([]).hex == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
    }

    @Test("an account is refused on a network whose prefix has no SS58 form")
    func prefix() throws {
        var network = TestChain.network
        network.base58Prefix = 29972
        let decoder = TransactionDecoder(metadata: try TestChain.decoder().metadata, network: network)
        #expect(throws: DecodingError.addressNotExpressible(prefix: 29972)) {
            try decoder.decodeCall(TestChain.transfer)
        }
    }
}
