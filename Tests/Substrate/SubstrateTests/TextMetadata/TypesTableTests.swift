import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("The types table")
struct TypesTableTests {
    /// An alias, an enum of each kind of variant, a struct, written down by hand.
    private static let bytes: [UInt8] =
        Hex.decode(
            "0c" + "0441" + "00" + "087538" + "0442" + "01" + "0c" + "0458" + "00" + "0459" + "01" + "0441" + "045a"
                + "02"
                + "0400087538" + "0443" + "02" + "04" + "010466" + "0441") ?? []

    @Test("a table reads as it is written, and is written as it was read")
    func known() throws {
        let table = try TypesTable(scaleEncoded: Self.bytes)
        #expect(table["A"] == .alias("u8"))
        #expect(
            table["B"]
                == .enumeration([
                    .init(name: "X", content: .nothing), .init(name: "Y", content: .type("A")),
                    .init(name: "Z", content: .fields([.init(type: "u8")])),
                ]))
        #expect(table["C"] == .structure([.init(name: "f", type: "A")]))
        #expect(table["D"] == nil)
        #expect(table.scaleEncoded == Self.bytes)
        #expect(try TypesTable(scaleEncoded: TextChain.types.scaleEncoded) == TextChain.types)
    }

    @Test("the first entry of a name wins, and names are compared byte by byte")
    func names() {
        #expect(TextChain.types["Index"] == .alias("u32"))
        let table = TypesTable(entries: [.init(name: "\u{e9}", description: .alias("u8"))])
        #expect(table["\u{e9}"] == .alias("u8"))
        #expect(table["e\u{301}"] == nil)
    }

    @Test("every truncation is refused, every bit flip gives a table or a typed error")
    func hostile() {
        let bytes = TextChain.types.scaleEncoded
        for end in bytes.indices {
            #expect(throws: ScaleError.self) { try TypesTable(scaleEncoded: Array(bytes[..<end])) }
        }
        for position in 0..<bytes.count * 8 {
            let flipped = bytes.flipping(bit: position)
            if let table = try? TypesTable(scaleEncoded: flipped) { #expect(table.scaleEncoded == flipped) }
        }
    }

    @Test(
        "what is no table is refused",
        arguments: [
            [0x04, 0x04, 0x41, 3], [0x04, 0x04, 0x42, 1, 0x04, 0x04, 0x58, 3], [0, 0], [0x03, 0xff, 0xff, 0xff, 0xff],
            [0x04, 0x04, 0xff, 0, 0],
        ] as [[UInt8]])
    func refusals(bytes: [UInt8]) {
        #expect(throws: ScaleError.self) { try TypesTable(scaleEncoded: bytes) }
    }

    @Test(
        "the table of the old wallet has its known hash",
        .enabled(if: SharedData.has("signer-wire/types/default_types.scale")))
    func realTable() throws {
        let bytes = try SharedData.bytes("signer-wire/types/default_types.scale")
        let table = try TypesTable(scaleEncoded: bytes)
        #expect(table.entries.count == 200)
        #expect(table.hash.hex == "d091a5a24a97e18dfe298b167d8fd5a2add10098c8792cba21c39029a9ee0aeb")
        #expect(table.scaleEncoded == bytes)
    }
}
