import Substrate
import Testing
import TextForms

@Suite("Calls whose types are text")
struct TextCallTests {
    @Test("a transfer of old metadata reads as the spec's example", arguments: [12, 13] as [UInt8])
    func transfer(version: UInt8) throws {
        let cards = try TextChain.decoder(version: version).decodeCall(TextChain.transfer)
        #expect(
            cards.map(\.line) == [
                "pallet: Balances", "  method: transfer_keep_alive", "    varname: dest",
                "      enum_variant_name: Id",
                "        Id: 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    varname: value",
                "      balance: 100.000000000 mTST",
            ])
        guard case .method(_, let docs) = cards[1].kind else {
            Issue.record("expected a method, found \(cards[1])")
            return
        }
        #expect(docs.text == "Move some.")
    }

    @Test("calls inside calls show their own pallet and method")
    func nested() throws {
        let call = [26, 0, 0x08] + TextChain.transfer + [26, 1, 7, 0, 0, 0, 0x08, 0x68, 0x69]
        let lines = try TextChain.decoder().decodeCall(call).map(\.line)
        #expect(
            lines[0...5] == [
                "pallet: Utility", "  method: batch", "    varname: calls", "      pallet: Balances",
                "        method: transfer_keep_alive", "          varname: dest",
            ])
        #expect(
            lines.suffix(9) == [
                "      pallet: Utility", "        method: as_derivative", "          varname: index",
                "            default: 7", "          varname: call", "            pallet: System",
                "              method: remark", "                varname: _remark",
                "                  bytes: 0x6869",
            ])
    }

    @Test("each call knows its cards and its bytes")
    func places() throws {
        let bytes = [26, 0, 0x08] + TextChain.transfer + [26, 1, 7, 0, 0, 0, 0x08, 0x68, 0x69]
        let call = try TextChain.decoder().readCall(bytes)
        let transfer = 3..<3 + TextChain.transfer.count
        let derived = transfer.upperBound..<bytes.count
        #expect(call.calls.map(\.cards) == [0..<19, 3..<10, 10..<19, 15..<19])
        #expect(call.calls.map(\.bytes) == [0..<bytes.count, transfer, derived, derived.lowerBound + 4..<bytes.count])
    }

    @Test("both proposals of a motion are calls, and a batch of none says so")
    func proposals() throws {
        let lines = try TextChain.decoder().decodeCall([27, 0, 0, 0, 0, 26, 0, 0]).map(\.line)
        #expect(
            lines == [
                "pallet: Council", "  method: propose", "    varname: first", "      pallet: System",
                "        method: remark", "          varname: _remark", "            default: ",
                "    varname: second", "      pallet: Utility", "        method: batch", "          varname: calls",
                "            default: ",
            ])
    }

    @Test(
        "each form of the language has its cards",
        arguments: [
            ("bool", "01", ["default: true"]), ("u8", "ff", ["default: 255"]),
            ("u128", "01000000000000000000000000000000", ["default: 1"]), ("Percent", "07", ["default: 7"]),
            ("Perbill", "07000000", ["default: 7"]), ("PerU16", "0700", ["default: 7"]),
            ("Compact<u64>", "a8", ["default: 42"]), ("Compact<PerU16>", "a8", ["default: 42"]),
            ("Option<bool>", "00", ["none: "]), ("Option<bool>", "01", ["default: True"]),
            ("Option<bool>", "02", ["default: False"]), ("Option<u16>", "00", ["none: "]),
            ("Option<u16>", "010500", ["default: 5"]), ("Option<Option<u8>>", "0100", ["none: "]),
            ("Vec<u8>", "00", ["default: "]), ("Vec<u8>", "086869", ["bytes: 0x6869"]),
            ("Vec<u16>", "00", ["default: "]), ("Vec<u16>", "0801000200", ["default: 1", "default: 2"]),
            ("Vec<bool>", "0401", ["default: true"]),
            ("(u8, bool)", "0700", ["field_number: 1", "  default: 7", "field_number: 2", "  default: false"]),
            ("(u8,bool)", "0700", ["field_number: 1", "  default: 7", "field_number: 2", "  default: false"]),
            (
                "(Vec<(u8, u8)>, [Vec<u8>; 1])", "0401020403",
                [
                    "field_number: 1", "  field_number: 1", "    default: 1", "  field_number: 2", "    default: 2",
                    "field_number: 2", "  bytes: 0x03",
                ]
            ),
            (
                "(u8, u8, u8, u8)", "01020304",
                [
                    "field_number: 1", "  default: 1", "field_number: 2", "  default: 2", "field_number: 3",
                    "  default: 3",
                    "field_number: 4", "  default: 4",
                ]
            ),
            ("[u8; 2]", "0102", ["bytes: 0x0102"]), ("[u16; 2]", "01000200", ["default: 1", "default: 2"]),
            ("[[u8; 1]; 2]", "0102", ["bytes: 0x01", "bytes: 0x02"]),
            ("Balance", "00e87648170000000000000000000000", ["balance: 100.000000000 mTST"]),
            ("Compact<BalanceOf<T, I>>", "00", ["balance: 0 pTST"]),
            ("BalanceOf<T>", "01000000000000000000000000000000", ["balance: 1 pTST"]),
            ("Compact<Index>", "a8", ["default: 42"]),
            ("Compact<Weight>", "13ffffffffffffffff", ["default: 18446744073709551615"]),
            (
                "IdentityFields", "0500000000000000", ["identity_field: Display", "identity_field: Web"]
            ),
            ("IdentityFields", "0000000000000000", []), ("BitVec", "140b", ["bitvec: 11010"]),
            ("BitVec", "00", ["bitvec: "]), ("Index", "01000000", ["default: 1"]),
            ("Weight", "0100000000000000", ["default: 1"]),
            ("Pair", "0102000000", ["field_name: left", "  default: 1", "field_number: 1", "  default: 2"]),
            ("Choice", "00", ["enum_variant_name: Nothing"]),
            ("Choice", "010500", ["enum_variant_name: One", "  default: 5"]),
            ("Choice", "020501", ["field_name: a", "  default: 5", "field_name: b", "  default: true"]),
        ])
    func forms(type: String, hex: String, lines: [String]) throws {
        #expect(try TextChain.lines(type, try #require(Hex.decode(hex))) == lines)
    }

    @Test("what is an account is shown as an address", arguments: ["AccountId", "T::AccountId"])
    func accounts(type: String) throws {
        #expect(
            try TextChain.lines(type, TestChain.bob) == ["Id: 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"])
    }

    @Test(
        "what does not fit its type is refused by its own error",
        arguments: [
            ("bool", "02", "PrimitiveFailure"), ("u16", "01", "DataTooShort"), ("Compact<u32>", "02", "NoCompact"),
            ("Compact<u8>", "0110", "NoCompact"), ("Option<bool>", "03", "UnexpectedOptionVariant"),
            ("Option<u8>", "02", "UnexpectedOptionVariant"), ("Option<u8>", "01", "DataTooShort"),
            ("Vec<u8>", "0861", "DataTooShort"), ("[u8; 2]", "01", "DataTooShort"),
            ("Choice", "03", "UnexpectedEnumVariant"), ("Compact<bool>", "00", "UnexpectedCompactInsides"),
            ("Compact<Pair>", "00", "UnexpectedCompactInsides"), ("Compact<Nobody>", "00", "UnexpectedCompactInsides"),
            ("IdentityFields", "0800000000000000", "IdFields"), ("BitVec", "24ff", "DataTooShort"),
            ("AccountId", "00", "DataTooShort"), ("Nobody", "00", "UnknownType"), ("Nobody", "", "DataTooShort"),
            ("Empty", "", "DataTooShort"), ("u8", "0102", "SomeDataNotUsedMethod"),
        ])
    func misfits(type: String, hex: String, code: String) throws {
        let error = #expect(throws: DecodingError.self) { try TextChain.lines(type, Hex.decode(hex) ?? []) }
        #expect(error?.code == code)
    }

    @Test(
        "what the metadata does not describe is refused",
        arguments: [
            ([], "DataTooShort"), ([5], "DataTooShort"), ([9, 0], "PalletNotFound"), ([33, 0], "NoCallsInPallet"),
            ([5, 4], "MethodNotFound"), ([26, 0], "DataTooShort"), ([26, 0, 4], "DataTooShort"),
            (TextChain.transfer + [0], "SomeDataNotUsedMethod"), (TextChain.transfer.dropLast(), "NoCompact"),
        ] as [([UInt8], String)])
    func refusals(call: [UInt8], code: String) throws {
        let decoder = try TextChain.decoder()
        let error = #expect(throws: DecodingError.self) { try decoder.decodeCall(call) }
        #expect(error?.code == code)
    }

    @Test("without a types table a call is refused and the way out is named; the extensions still read")
    func noTable() throws {
        let decoder = try TextChain.decoder(types: nil)
        let error = #expect(throws: DecodingError.text(.noTypesTable)) { try decoder.decodeCall(TextChain.transfer) }
        #expect(error?.description.contains("types update") == true)
        #expect(try decoder.decodeExtensions(TextChain.extensions()).cards.count == 6)
    }

    @Test("a table without the names of identity fields is refused when they are needed")
    func noIdentityField() throws {
        let decoder = try TextChain.decoder(TextChain.echo("IdentityFields"), types: TypesTable(entries: []))
        #expect(throws: DecodingError.text(.idFields(position: 0))) {
            try decoder.decodeCall([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        }
    }
}
