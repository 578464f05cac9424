import Files

/// Lines of hex, each the content of one QR symbol; empty lines are passed over.
struct HexLines: LinkSource {
    private let file: InputFile
    private var waiting: [UInt8] = []
    private var line = 0

    /// Digits of a line at the most: a version 40 symbol holds 2953 bytes.
    private static let lineLimit = 2 * 2953
    private static let pieceSize = 1 << 20

    init(path: String) throws(LinkError) {
        do throws(FileError) { file = try InputFile(FilePath(path)) } catch { throw LinkError(error) }
    }

    init(standardInput: Void) {
        file = InputFile(standardInput: ())
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        while let text = try nextLine() {
            line += 1
            let digits = text.filter { $0 != 0x0d && $0 != 0x20 && $0 != 0x09 }
            if digits.isEmpty { continue }
            guard digits.count <= Self.lineLimit else { throw .lineTooLong(path: file.path.string, line: line) }
            guard let content = Self.bytes(digits) else { throw .notHex(path: file.path.string, line: line) }
            return .content(content)
        }
        return nil
    }

    private mutating func nextLine() throws(LinkError) -> [UInt8]? {
        while true {
            if let end = waiting.firstIndex(of: 0x0a) {
                defer { waiting.removeSubrange(...end) }
                return Array(waiting[..<end])
            }
            guard waiting.count <= 2 * Self.lineLimit else {
                throw .lineTooLong(path: file.path.string, line: line + 1)
            }
            let piece = try readPiece()
            if piece.isEmpty {
                defer { waiting = [] }
                return waiting.isEmpty ? nil : waiting
            }
            waiting += piece
        }
    }

    private func readPiece() throws(LinkError) -> [UInt8] {
        do throws(FileError) { return try file.read(upTo: Self.pieceSize) } catch { throw LinkError(error) }
    }

    private static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
