/// Base64 in the standard alphabet with padding.
///
/// Source: RFC 4648 section 4.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: encodedUTF8(bytes), as: UTF8.self)
    }

    /// ``encode(_:)`` as bytes, for a text that is put together of bytes.
    public static func encodedUTF8(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        // Every index is six bits, and the alphabet has 64 letters.
        let letters = alphabet.utf8Start
        let count = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: count) { text, initialized in
            for (group, start) in stride(from: 0, to: bytes.count, by: 3).enumerated() {
                let left = bytes.count - start
                let bits =
                    Int(bytes[start]) << 16 | (left > 1 ? Int(bytes[start + 1]) << 8 : 0)
                    | (left > 2 ? Int(bytes[start + 2]) : 0)
                text[4 * group] = letters[bits >> 18]
                text[4 * group + 1] = letters[bits >> 12 & 63]
                text[4 * group + 2] = left > 1 ? letters[bits >> 6 & 63] : UInt8(ascii: "=")
                text[4 * group + 3] = left > 2 ? letters[bits & 63] : UInt8(ascii: "=")
            }
            initialized = count
        }
    }
}
