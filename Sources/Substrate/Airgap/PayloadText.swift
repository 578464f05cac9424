import TextForms

/// A payload as people hand it over beside codes: typed, pasted, or in a file.
package enum PayloadText {
    /// Bytes of text that a person types at the most. Widgets hold a little more (65,535 bytes) and cut the rest away.
    package static let typedLimit = 60_100

    /// Reads hex as it is typed, in either case, with or without 0x, and with blanks and line breaks around it.
    ///
    /// - Returns: nil for an odd number of digits or any other character.
    package static func bytes(ofHex text: String) -> [UInt8]? {
        Hex.decode(String(decoding: trimmed(Array(text.utf8)), as: UTF8.self))
    }

    /// Reads the content of a file: the payload's bytes, or its hex.
    ///
    /// A payload starts with the byte 53 hex, which is the letter S; the digit 5 starts a payload that is written as
    /// hex.
    ///
    /// - Returns: nil for an odd number of digits.
    package static func bytes(ofContent content: [UInt8]) -> [UInt8]? {
        let text = trimmed(content)
        let digits = text.starts(with: Array("0x".utf8)) ? text.dropFirst(2) : text
        guard !digits.isEmpty, digits.allSatisfy({ Hex.value($0) != nil }) else { return content }
        return Hex.decode(String(decoding: digits, as: UTF8.self))
    }

    /// Without blanks and line breaks at both ends.
    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return bytes[first...last]
    }
}
