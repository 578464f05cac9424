/// Judges text that may come in pieces, at the first byte that cannot be UTF-8, without making a string of it.
///
///     var check = UTF8Check()
///     for piece in pieces {
///         if let offset = check.firstError(in: piece) { … }
///     }
///     let isText = check.isComplete
///
/// Source: The Unicode Standard, table 3-7.
package struct UTF8Check: Hashable, Sendable {
    /// Bytes of the character at the end of what was read that are there, if it is not whole: 0 to 3. After an error,
    /// those of the character that the wrong byte does not go on with.
    package private(set) var pending = 0
    /// Bytes that the character still needs.
    private var missing = 0
    /// The least and the greatest value that its next byte may have.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xbf

    package init() {}

    /// Whether the text may end here.
    package var isComplete: Bool { missing == 0 }

    /// Reads on.
    ///
    /// - Returns: the offset, in these bytes, of the first one with which the text can no longer become UTF-8. Nothing
    ///   may be read after it.
    package mutating func firstError(in bytes: UnsafeRawBufferPointer) -> Int? {
        // Kept in registers.
        var (pending, missing, low, high) = (pending, missing, low, high)
        defer { (self.pending, self.missing, self.low, self.high) = (pending, missing, low, high) }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if missing > 0 {
                guard byte >= low, byte <= high else { return index }
                (missing, low, high) = (missing - 1, 0x80, 0xbf)
                pending = missing > 0 ? pending + 1 : 0
                index += 1
            } else if byte < 0x80 {
                index = Self.endOfASCII(bytes, from: index + 1)
            } else {
                switch byte {
                case 0xc2...0xdf: missing = 1
                case 0xe0: (missing, low) = (2, 0xa0)
                case 0xed: (missing, high) = (2, 0x9f)
                case 0xe1...0xef: missing = 2
                case 0xf0: (missing, low) = (3, 0x90)
                case 0xf1...0xf3: missing = 3
                case 0xf4: (missing, high) = (3, 0x8f)
                default: return index
                }
                pending = 1
                index += 1
            }
        }
        return nil
    }

    /// Where bytes stop being UTF-8: the offset of the first wrong byte, their count if they end inside a character,
    /// nil if all of them are text.
    package static func firstError(in bytes: UnsafeRawBufferPointer) -> Int? {
        var check = UTF8Check()
        if let offset = check.firstError(in: bytes) { return offset }
        return check.isComplete ? nil : bytes.count
    }

    /// Whether bytes are UTF-8.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool { firstError(in: bytes) == nil }

    /// Whether bytes are UTF-8.
    package static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.withUnsafeBytes { isValid($0) } }

    /// Bytes as a text; nil where they are not UTF-8. The standard library's `String(validating:as:)` says the same of
    /// any collection, and takes several times as long: it makes the types that it uses anew at each call.
    package static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        isValid(UnsafeRawBufferPointer(bytes)) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 32 <= bytes.count {
            let part = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) & 0x8080_8080_8080_8080
            guard part == .zero else { break }
            index += 32
        }
        while index + 8 <= bytes.count {
            guard bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
                break
            }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
