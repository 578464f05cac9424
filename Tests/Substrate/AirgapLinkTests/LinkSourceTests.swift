import Foundation
import TestSupport
import Testing

@testable import AirgapLink

@Suite("What comes in over the link")
struct LinkSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String { try folder.write(bytes, to: name) }

    private func items(_ names: [String]) throws -> [String] {
        var input = LinkInput(names, reader: PictureReader(Workers.terms()))
        var items: [String] = []
        while let item = try input.next() {
            switch item {
            case .picture(let seen): items.append("\(seen.width)x\(seen.height)")
            case .content(let content): items.append("\(content)")
            case .unread(_, .damaged): items.append("damaged")
            case .unread(_, .lost(let loss)): items.append("\(loss)")
            case .unread(_, .overBudget(let spent)): items.append("\(spent)")
            case .nothing: items.append("nothing")
            }
        }
        return items
    }

    /// A picture of one row.
    private func pgm(_ width: UInt8) -> [UInt8] {
        Array("P5 \(width) 1 255\n".utf8) + [UInt8](repeating: 9, count: Int(width))
    }

    @Test("files, folders in the order of their numbers, and hex lines, one after the other")
    func several() throws {
        let frames = folder.url.appending(path: "frames")
        try FileManager.default.createDirectory(at: frames, withIntermediateDirectories: true)
        for number: UInt8 in [2, 10, 1] {
            try Data(pgm(number)).write(to: frames.appending(path: "frame\(number).pgm"))
        }
        try Data("x".utf8).write(to: frames.appending(path: ".hidden"))
        let film = try file(
            "film.y4m", Array("YUV4MPEG2 W1 H2 Cmono\nFRAME\n".utf8) + [5, 6] + Array("FRAME\n".utf8) + [7, 8])
        let lines = try file("frames.hex", Array("0a0B\r\n\n ff\n12".utf8))
        #expect(
            try items([film, frames.path, lines, try file("two.pgm", pgm(3) + pgm(4))]) == [
                "1x2", "1x2", "1x1", "2x1", "10x1", "[10, 11]", "[255]", "[18]", "3x1", "4x1",
            ])
    }

    @Test("a damaged file does not keep those behind it from being read")
    func damaged() throws {
        #expect(
            try items([
                try file("a.png", [1, 2, 3]), try file("b.y4m", Array("YUV4MPEG2 W1 H1 Cmono\nFRAME\n1FRA".utf8)),
                try file("c.pgm", pgm(9)),
            ])
                == ["damaged", "1x1", "damaged", "9x1"])
    }

    @Test("what cannot be read is refused with what to do")
    func refusals() throws {
        let odd = try file("odd.hex", Array("00\nabc\n".utf8))
        let long = try file("long.hex", [UInt8](repeating: 0x30, count: 20_000))
        let letters = try file("letters.txt", Array("zz\n".utf8))
        let empty = folder.url.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        func error(_ name: String) -> LinkError? {
            var input = LinkInput([name], reader: PictureReader(Workers.terms()))
            do throws(LinkError) { while try input.next() != nil {} } catch { return error }
            return nil
        }
        #expect(error(odd) == .notHex(path: odd, line: 2))
        #expect(error(long) == .lineTooLong(path: long, line: 1))
        #expect(error(letters) == .notHex(path: letters, line: 1))
        #expect(error(empty.path) == .emptyFolder(path: empty.path))
        #expect(error(folder.path("none")) != nil)
    }
}
