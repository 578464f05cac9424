/// Reads numbers and words from the text of a file in `/proc`, byte by byte, without making strings.
struct TextScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func skipAll(_ byte: UInt8) {
        while next == byte { position += 1 }
    }

    mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    }

    /// Moves behind the next `byte`, or to the end.
    ///
    /// - Returns: the bytes before it.
    mutating func through(_ byte: UInt8) -> UnsafeBufferPointer<UInt8> {
        let start = position
        while let found = next, found != byte { position += 1 }
        let passed = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position = min(position + 1, bytes.count)
        return passed
    }

    /// - Returns: nil without a digit, and for what does not fit.
    mutating func hexadecimal() -> UInt64? {
        var value: UInt64 = 0
        var count = 0
        while let byte = next, let digit = Self.digit(byte) {
            guard value >> 60 == 0 else { return nil }
            value = value << 4 | digit
            position += 1
            count += 1
        }
        return count > 0 ? value : nil
    }

    /// - Returns: nil without a digit, and for what does not fit.
    mutating func decimal() -> UInt64? {
        var value: UInt64 = 0
        var count = 0
        while let byte = next, byte &- 0x30 < 10 {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = product.addingReportingOverflow(UInt64(byte - 0x30))
            guard !isTooLarge, !isStillTooLarge else { return nil }
            value = sum
            position += 1
            count += 1
        }
        return count > 0 ? value : nil
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }
}
