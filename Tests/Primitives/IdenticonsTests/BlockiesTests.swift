import Testing

@testable import Identicons

@Suite("Ethereum's blocks")
struct BlockiesTests {
    /// Computed by another implementation, the package `blockies` for Python, with the colours of CSS.
    @Test(
        "blocks and colours of known addresses are those that other programs draw",
        arguments: [
            (
                "0xf24ff3a9cf04c71dbc94d0b566f7a27b94566cac", ["a8791b", "9a1f6b", "53e1bd"],
                ["11122111", "00111100", "10111101", "01000010", "11111111", "01000010", "01211210", "21111112"]
            ),
            (
                "0x0000000000000000000000000000000000000000", ["da4554", "2c76d1", "c87ba5"],
                ["00100100", "10000001", "01100110", "21111112", "10122101", "10011001", "20000002", "00211200"]
            ),
            (
                "0x", ["1d0d0d", "30210e", "f0d6d1"],
                ["01011010", "01122110", "02211220", "12000021", "11111111", "00111100", "00100100", "02100120"]
            ),
        ])
    func known(address: String, colors: [String], rows: [String]) {
        #expect(Blockies.blocks(of: address) == rows.joined().compactMap(\.wholeNumberValue))
        #expect(Blockies.colors(of: address).map(\.digits) == colors)
    }

    @Test("each block is drawn once, in its place, over the background")
    func shapes() throws {
        let shapes = Identicon(.blockies, of: [UInt8](repeating: 0, count: 20)).shapes
        #expect(shapes.map(\.color.digits) == ["2c76d1", "da4554", "c87ba5"])
        let blocks = Blockies.blocks(of: "0x" + String(repeating: "0", count: 40))
        #expect(
            shapes[1].borders.count == blocks.count { $0 == 1 } && shapes[2].borders.count == blocks.count { $0 == 2 })
        // The third block of the first row.
        #expect(shapes[1].borders[0] == .rectangle(x: 0.25, y: 0, width: 0.125, height: 0.125))
    }
}
