/// Base64 of public bytes, read strictly: no white space, no bits that stand for no byte. Bytes have one text in each
/// form.
///
/// Source: RFC 4648 sections 4 and 5.
public enum Base64 {
    /// What is read.
    public enum Form: Sendable {
        /// The standard alphabet with all of its padding.
        case standard
        /// The standard alphabet or that of URLs, but not both in one text, with all of the padding or none.
        case either
    }

    /// Encodes in the standard alphabet, with padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodedUTF8(bytes), as: UTF8.self)
    }

    /// ``encode(_:)`` as bytes, for a text that is put together of bytes.
    package static func encodedUTF8(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return text
    }

    /// Appends ``encode(_:)`` to a text.
    public static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        text += repeatElement(padding, count: (bytes.count + 2) / 3 * 4)
        text.withUnsafeMutableBufferPointer { text in
            let place = UnsafeMutableBufferPointer(rebasing: text[start...])
            if bytes.withContiguousStorageIfAvailable({ write($0, to: place) }) == nil {
                Array(bytes).withUnsafeBufferPointer { write($0, to: place) }
            }
        }
    }

    /// Encodes in the alphabet of URLs, without padding.
    public static func encodeForURL(_ bytes: some Collection<UInt8>) -> String {
        let text = encodedUTF8(bytes).lazy.filter { $0 != padding }.map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: character
            }
        }
        return String(decoding: Array(text), as: UTF8.self)
    }

    /// - Parameter text: four characters for every three bytes that begin, all of them padding.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to text: UnsafeMutableBufferPointer<UInt8>) {
        // An index is six bits, and the alphabet has 64 letters.
        let letters = alphabet.utf8Start
        var place = 0
        var index = 0
        while index + 2 < bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            text[place] = letters[bits >> 18]
            text[place + 1] = letters[bits >> 12 & 63]
            text[place + 2] = letters[bits >> 6 & 63]
            text[place + 3] = letters[bits & 63]
            index += 3
            place += 4
        }
        guard index < bytes.count else { return }
        let second = index + 1 < bytes.count ? Int(bytes[index + 1]) : nil
        let bits = Int(bytes[index]) << 16 | (second ?? 0) << 8
        text[place] = letters[bits >> 18]
        text[place + 1] = letters[bits >> 12 & 63]
        if second != nil { text[place + 2] = letters[bits >> 6 & 63] }
    }

    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let padding = UInt8(ascii: "=")

    /// The six bits that each character stands for; 255 for a character that is none of base64.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for index in 0..<64 { values[Int(alphabet.utf8Start[index])] = UInt8(index) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    /// - Returns: nil for anything but the form.
    public static func decode(_ text: some StringProtocol, _ form: Form = .either) -> [UInt8]? {
        decode(Array(text.utf8), form)
    }

    /// - Parameter text: as UTF-8.
    /// - Returns: nil for anything but the form.
    public static func decode(_ text: [UInt8], _ form: Form = .either) -> [UInt8]? {
        if form == .standard, text.count % 4 != 0 { return nil }
        return text.withUnsafeBufferPointer { text in
            let count = characterCount(text)
            guard count % 4 != 1 else { return nil }
            var isMixed = MixedAlphabets(isStandard: form == .standard)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count / 4 * 3 + 2)
            var group: UInt32 = 0
            for index in 0..<count {
                let value = values[Int(text[index])]
                guard value < 64 else { return nil }
                if value >= 62 { isMixed.see(text[index]) }
                group = group << 6 | UInt32(value)
                if index % 4 == 3 {
                    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: group))
                    group = 0
                }
            }
            guard !isMixed.isBoth else { return nil }
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
    }

    /// Whether only characters of the two alphabets stand there, and padding at most at the end.
    package static func hasItsCharacters(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            var count = text.count
            while count > 0, text.count - count < 2, text[count - 1] == padding { count -= 1 }
            return text.prefix(count).allSatisfy { values[Int($0)] < 64 }
        }
    }

    /// How many characters stand before padding that fills a group of four.
    private static func characterCount(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard text.count > 0, text.count % 4 == 0, text[text.count - 1] == padding else { return text.count }
        return text.count - (text[text.count - 2] == padding ? 2 : 1)
    }

    private struct MixedAlphabets {
        var isStandard: Bool
        var isURL = false

        var isBoth: Bool { isStandard && isURL }

        mutating func see(_ character: UInt8) {
            switch character {
            case UInt8(ascii: "+"), UInt8(ascii: "/"): isStandard = true
            default: isURL = true
            }
        }
    }
}
