/// Comparisons of text by its ASCII letters alone: names of headers, hosts and tokens know no other case.
enum ASCIIText {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.lazy.map { lowercased($0) }, as: UTF8.self)
    }

    /// - Parameter prefix: in lower case.
    static func has(_ text: String, prefix: String) -> Bool {
        text.utf8.count >= prefix.utf8.count && zip(text.utf8, prefix.utf8).allSatisfy { lowercased($0) == $1 }
    }

    /// The text without so many bytes at its beginning and its end, each of them an ASCII character.
    static func dropping(first: Int, last: Int = 0, _ text: some StringProtocol) -> Substring {
        Substring(Substring(text).utf8.dropFirst(first).dropLast(last))
    }

    /// The text without spaces and tabs at both ends.
    static func trimmed(_ text: Substring) -> Substring {
        // By bytes: a mark that combines with a space would make one character of both.
        var bytes = text.utf8
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }

    /// The members of a list, trimmed, without empty ones.
    static func list(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).compactMap { Substring($0) }.map { String(trimmed($0)) }
            .filter { !$0.isEmpty }
    }

    /// A number of decimal digits alone.
    static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
