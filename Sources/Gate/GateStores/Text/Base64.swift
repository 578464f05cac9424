/// Base64 of RFC 4648, without lenience: no white space, no other length, no bits that no byte has.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Appends bytes in the standard alphabet with padding.
    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let start = text.count
        text += repeatElement(UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4)
        text.withUnsafeMutableBufferPointer { text in
            digits.withUnsafeBufferPointer { digits in
                bytes.withUnsafeBufferPointer {
                    write($0, with: digits, to: UnsafeMutableBufferPointer(rebasing: text[start...]))
                }
            }
        }
    }

    /// - Parameter text: four characters for every three bytes that begin, all of them padding.
    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, with digits: UnsafeBufferPointer<UInt8>,
        to text: UnsafeMutableBufferPointer<UInt8>
    ) {
        var place = 0
        var index = 0
        while index + 2 < bytes.count {
            let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            text[place] = digits[Int(bits >> 18)]
            text[place + 1] = digits[Int(bits >> 12 & 63)]
            text[place + 2] = digits[Int(bits >> 6 & 63)]
            text[place + 3] = digits[Int(bits & 63)]
            index += 3
            place += 4
        }
        guard index < bytes.count else { return }
        let second = index + 1 < bytes.count ? UInt32(bytes[index + 1]) : nil
        let bits = UInt32(bytes[index]) << 16 | (second ?? 0) << 8
        text[place] = digits[Int(bits >> 18)]
        text[place + 1] = digits[Int(bits >> 12 & 63)]
        if second != nil { text[place + 2] = digits[Int(bits >> 6 & 63)] }
    }

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the standard alphabet with padding.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for digit in text {
            bits <<= 6
            if digit == UInt8(ascii: "="), count >= text.count - 2 {
                padding += 1
            } else {
                let value = values[Int(digit)]
                guard value < 64, padding == 0 else { return nil }
                bits |= UInt32(value)
            }
            count += 1
            guard count % 4 == 0 else { continue }
            guard bits & (1 << (8 * UInt32(padding)) - 1) == 0 else { return nil }
            for shift in [16, 8, 0].prefix(3 - padding) as ArraySlice<UInt32> {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
            bits = 0
        }
        return bytes
    }
}
