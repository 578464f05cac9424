/// Comparisons of text by its ASCII letters alone: names of headers, hosts and tokens know no other case.
enum ASCIIText {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    static func lowercased(_ text: some StringProtocol) -> String {
        mapped(text.utf8, lowercased)
    }

    /// The name of a header field as its least careful reader takes it: some read "_" and "-" as one character.
    static func fieldName(_ name: String) -> String {
        mapped(name.utf8) { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : lowercased($0) }
    }

    /// - Parameter change: of ASCII characters into ASCII characters, and of no others.
    private static func mapped(_ text: some Collection<UInt8>, _ change: (UInt8) -> UInt8) -> String {
        String(unsafeUninitializedCapacity: text.count) { bytes in
            var count = 0
            for byte in text {
                bytes[count] = change(byte)
                count += 1
            }
            return count
        }
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
