/// An address, or bytes as hex, on lines that are about as long as each other: no group of four is torn, and the last
/// line is not a scrap of which nobody knows where it belongs.
package struct MonospacedLines: Hashable, Sendable {
    /// All of it on one line.
    package let text: String
    /// What a line begins and ends at: groups, or single digits.
    private let parts: [Substring]
    private let gap: String
    /// Signs before the first part.
    private let head: String

    /// Signs that a line holds at the least, and that a text has which is broken so.
    package static let (shortest, least) = (9, 24)

    /// Nil where the text is something else: names, paths and numbers are broken as words are.
    package init?(_ text: Text) {
        guard text.runs.count == 1, let run = text.runs.first, run.style == .monospaced,
            run.text.utf8.count >= Self.least
        else { return nil }
        self.text = run.text
        let hex = run.text.hasPrefix("0x") ? run.text.dropFirst(2) : run.text[...]
        if hex.utf8.allSatisfy(Self.isHexDigit) {
            (head, gap) = (run.text.hasPrefix("0x") ? "0x" : "", "")
            parts = hex.indices.map { hex[$0...$0] }
        } else {
            (head, gap) = ("", " ")
            parts = run.text.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.dropLast().allSatisfy({ $0.utf8.count == 4 }), (1...4).contains(parts.last?.utf8.count ?? 0),
                parts.allSatisfy({ $0.utf8.allSatisfy(Self.isSign) })
            else { return nil }
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    private static func isSign(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

    /// The lines, each of so many signs at the most.
    package func lines(of signs: Int) -> [String] {
        guard text.utf8.count > signs else { return [text] }
        let width = (parts.first?.utf8.count ?? 1) + gap.utf8.count
        let most = max(1, (max(signs - head.utf8.count, 1) + gap.utf8.count) / width)
        let count = (parts.count + most - 1) / most
        let length = (parts.count + count - 1) / count
        return stride(from: 0, to: parts.count, by: length).map { start in
            (start == 0 ? head : "") + parts[start..<min(start + length, parts.count)].joined(separator: gap)
        }
    }
}
