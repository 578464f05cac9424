import TextForms

/// Makes UTF-8 of a stream that is mostly UTF-8: each byte that is part of no character stands for the Latin-1
/// character of its number. A character that is cut by the end of a read is held back, at most 3 bytes.
struct TextDecoder: Sendable {
    private var held: [UInt8] = []

    /// - Returns: UTF-8.
    mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        var rest = (held + bytes)[...]
        var text: [UInt8] = []
        text.reserveCapacity(rest.count)
        while true {
            var check = UTF8Check()
            let error = rest.withUnsafeBytes { check.firstError(in: $0) }
            // The bytes before the character that is wrong, or that the end cuts.
            let whole = (error ?? rest.count) - check.pending
            text += rest.prefix(whole)
            rest = rest.dropFirst(whole)
            guard error != nil else { break }
            Self.append(latin1: rest.removeFirst(), to: &text)
        }
        held = Array(rest)
        return text
    }

    /// - Returns: what was held back, as Latin-1.
    mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        for byte in held { Self.append(latin1: byte, to: &text) }
        held = []
        return text
    }

    /// - Parameter byte: 0x80 or above.
    private static func append(latin1 byte: UInt8, to text: inout [UInt8]) {
        text.append(0xc0 | byte >> 6)
        text.append(0x80 | byte & 0x3f)
    }
}
