import TestSupport
import Testing
import Tours

@testable import Screens

@Suite("Addresses on lines")
struct MonospacedLinesTests {
    private static let address = Text(address: WestendPayload.bobAddress)

    @Test("groups of four are not torn, and lines are as long as each other")
    func groups() throws {
        let lines = try #require(MonospacedLines(Self.address))
        #expect(lines.lines(of: 59) == [Self.address.plain])
        #expect(lines.lines(of: 58) == ["5FHn eW46 xGXg s5mU iveU 4sbT", "yGBz mstU spZC 92Uh jJM6 94ty"])
        #expect(lines.lines(of: 32) == lines.lines(of: 58))
        #expect(lines.lines(of: 28).map(\.count) == [19, 19, 19])
    }

    @Test("hex is broken into equal parts behind its prefix")
    func hex() throws {
        let digits = WestendPayload.genesis
        let lines = try #require(MonospacedLines(Text(hex: digits)))
        #expect(lines.lines(of: 66) == ["0x" + digits])
        #expect(lines.lines(of: 65) == ["0x" + digits.prefix(32), String(digits.suffix(32))])
        #expect(try #require(MonospacedLines(Text(own: digits, .monospaced))).lines(of: 40).map(\.count) == [32, 32])
    }

    @Test("nothing is lost or added at any width, and no line is longer than it may be", arguments: 9...80)
    func anyWidth(_ width: Int) throws {
        for text in [
            Self.address, Text(hex: WestendPayload.genesis),
            Text(address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        ] {
            let lines = try #require(MonospacedLines(text)).lines(of: width)
            #expect(lines.joined().filter { $0 != " " } == text.plain.filter { $0 != " " })
            #expect(lines.allSatisfy { $0.count <= width })
        }
    }

    @Test("names, paths and short texts are broken as words are")
    func others() {
        let path = Text(own: "//westend//a path of several words//0", .monospaced)
        for text in [path, "1234 1234 1234 1234 1234 1234", Text(address: "5FHneW46"), Text(own: "", .monospaced)] {
            #expect(MonospacedLines(text) == nil)
        }
    }
}
