import AppAttest

/// Base64 of RFC 4648, without lenience: no white space, no other length, no bits that no byte has.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Appends bytes in the standard alphabet with padding.
    static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        digits.withUnsafeBufferPointer { digits in
            var bits: UInt32 = 0
            var count = 0
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                count += 1
                guard count == 3 else { continue }
                for shift in [18, 12, 6, 0] as [UInt32] { text.append(digits[Int(bits >> shift & 63)]) }
                bits = 0
                count = 0
            }
            guard count > 0 else { return }
            bits <<= count == 1 ? 16 : 8
            text.append(digits[Int(bits >> 18 & 63)])
            text.append(digits[Int(bits >> 12 & 63)])
            text.append(count == 1 ? UInt8(ascii: "=") : digits[Int(bits >> 6 & 63)])
            text.append(UInt8(ascii: "="))
        }
    }

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
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

extension KeyID {
    /// The canonical text: standard alphabet, padded, 44 characters.
    var base64: String { Base64.encode(bytes) }

    /// Takes the standard or the URL alphabet, with or without padding: 43 or 44 characters.
    init?(base64 text: String) {
        var digits = text.utf8.map { digit in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        if digits.count == 43 { digits.append(UInt8(ascii: "=")) }
        guard digits.count == 44, let bytes = Base64.decode(digits) else { return nil }
        self.init(bytes: bytes)
    }
}
