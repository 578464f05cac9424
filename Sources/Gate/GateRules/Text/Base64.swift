/// Base64 in the standard or the URL alphabet, as apps write their keys, attestations and assertions.
enum Base64 {
    /// - Returns: nil for white space, any other foreign character, padding that does not fill a group of four, a lone last
    ///   character, and bits that stand for no byte.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var count = text.count
        if count > 0, count % 4 == 0, text[count - 1] == padding { count -= text[count - 2] == padding ? 2 : 1 }
        guard count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var group: UInt32 = 0
        for index in 0..<count {
            let value = values[Int(text[index])]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            if index % 4 == 3 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                group = 0
            }
        }
        switch count % 4 {
        case 2:
            guard group & 0xf == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            guard group & 3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: break
        }
        return bytes
    }

    /// Whether only characters of the two alphabets stand there, and padding at most at the end.
    static func hasItsCharacters(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            var count = text.count
            while count > 0, text.count - count < 2, text[count - 1] == padding { count -= 1 }
            return text.prefix(count).allSatisfy { values[Int($0)] < 64 }
        }
    }

    /// In the standard alphabet, with padding.
    static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { buffer in
            var end = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let group = part.enumerated().reduce(UInt32(0)) {
                    $0 | UInt32($1.element) << (16 - 8 * UInt32($1.offset))
                }
                for place in 0..<4 {
                    buffer[end] = place > part.count ? padding : alphabet[Int(group >> (18 - 6 * UInt32(place)) & 63)]
                    end += 1
                }
            }
            return end
        }
    }

    private static let padding = UInt8(ascii: "=")
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// By character: its six bits, or 255.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()
}
