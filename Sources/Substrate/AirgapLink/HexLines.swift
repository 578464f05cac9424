import Files
import TextForms

/// Lines of hex, each the content of one QR symbol; empty lines are passed over.
struct HexLines: LinkSource {
    private let path: FilePath
    private var lines: InputLines
    private var line = 0

    /// Digits of a line at the most: a version 40 symbol holds 2953 bytes.
    private static let lineLimit = 2 * 2953

    init(path: String) throws(LinkError) {
        do throws(FileError) { self.init(try InputFile(FilePath(path))) } catch { throw LinkError(error) }
    }

    init(standardInput: Void) { self.init(InputFile(standardInput: ())) }

    private init(_ file: InputFile) {
        path = file.path
        // With as many blanks between them.
        lines = InputLines(file, limit: 2 * Self.lineLimit)
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        while let next = try nextLine() {
            line += 1
            guard case .line(let text) = next else { throw .lineTooLong(path: path.string, line: line) }
            let digits = text.filter { $0 != 0x0d && $0 != 0x20 && $0 != 0x09 }
            if digits.isEmpty { continue }
            guard digits.count <= Self.lineLimit else { throw .lineTooLong(path: path.string, line: line) }
            guard let content = Hex.bytes(digits: digits[...]) else { throw .notHex(path: path.string, line: line) }
            return .content(content)
        }
        return nil
    }

    private mutating func nextLine() throws(LinkError) -> InputLines.Line? {
        do throws(FileError) { return try lines.next() } catch { throw LinkError(error) }
    }
}
