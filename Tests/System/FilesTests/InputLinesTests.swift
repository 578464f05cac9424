import Files
import Foundation
import TestSupport
import Testing

@Suite("Lines of a file")
struct InputLinesTests {
    private func lines(of content: [UInt8], limit: Int) throws -> [InputLines.Line] {
        let folder = try TemporaryFolder()
        let path = try folder.write(content, to: "lines")
        var lines = InputLines(try InputFile(FilePath(path)), limit: limit)
        var read: [InputLines.Line] = []
        while let line = try lines.next() { read.append(line) }
        #expect(try lines.next() == nil)
        return read
    }

    private func text(_ lines: [InputLines.Line]) -> [String] {
        lines.map {
            switch $0 {
            case .line(let bytes): String(decoding: bytes, as: UTF8.self)
            case .tooLong: "(too long)"
            }
        }
    }

    @Test(
        "a line ends with a line feed or with the file, and one above the limit is passed over",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]),
            ("a\r\nb\n", ["a\r", "b"]),
            ("12345\n", ["12345"]), ("123456\n7\n", ["(too long)", "7"]), ("1234567890", ["(too long)"]),
        ])
    func ends(content: String, wanted: [String]) throws {
        #expect(try text(lines(of: Array(content.utf8), limit: 5)) == wanted)
    }

    @Test("lines are counted, those that are empty or too long too")
    func numbers() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a\n\n123456789\nb", to: "lines")
        var lines = InputLines(try InputFile(FilePath(path)), limit: 5)
        var numbers: [Int] = []
        while try lines.next() != nil { numbers.append(lines.number) }
        #expect(numbers == [1, 2, 3, 4])
    }

    @Test("lines are whole wherever the pieces end in which they are read", arguments: [1, 7, 65_535, 65_536, 200_000])
    func pieces(length: Int) throws {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: length)
        let count = max(2, 300_000 / length)
        let content = Array(repeatElement(line + [0x0a], count: count).joined())
        #expect(try lines(of: content, limit: length) == Array(repeating: .line(line), count: count))
        #expect(try lines(of: content, limit: length - 1) == Array(repeating: .tooLong, count: count))
    }

    @Test("millions of empty lines are read in the time of their bytes")
    func empty() throws {
        #expect(try lines(of: [UInt8](repeating: 0x0a, count: 4 << 20), limit: 10).count == 4 << 20)
    }
}
