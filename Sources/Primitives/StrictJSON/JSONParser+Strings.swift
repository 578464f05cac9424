extension JSONParser {
    /// A string; the position is at its opening quote.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while true {
            switch try current() {
            case UInt8(ascii: "\""):
                let text = try text(of: bytes[start..<position], at: start)
                position += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error(.controlCharacter)
            default: position += 1
            }
        }
    }

    /// The rest of a string whose first escape is here.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while true {
            let byte = try current()
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(of: unescaped, at: start)
                position += 1
                return text
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case 0..<0x20: throw error(.controlCharacter)
            default:
                unescaped.append(byte)
                position += 1
            }
        }
    }

    private func text(of bytes: some Collection<UInt8>, at start: Int) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw error(.invalidUTF8, at: start) }
        return text
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        let letter = try current()
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0c)
        case UInt8(ascii: "n"): unescaped.append(0x0a)
        case UInt8(ascii: "r"): unescaped.append(0x0d)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): unescaped += UTF8.encode(try scalar(from: start)) ?? UTF8.encodedReplacementCharacter
        default: throw error(.malformedEscape, at: start)
        }
    }

    /// The scalar of one escape `\uXXXX`, or of two that are a surrogate pair.
    private mutating func scalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try codeUnit(from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw error(.loneSurrogate, at: start) }
        position += 2
        let second = try codeUnit(from: start)
        let value = 0x1_0000 + (UInt32(unit) & 0x3ff) << 10 + UInt32(second) & 0x3ff
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(value) else {
            throw error(.loneSurrogate, at: start)
        }
        return scalar
    }

    private mutating func codeUnit(from start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch try current() {
            case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: digit = byte - UInt8(ascii: "0")
            case let byte where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte: digit = byte - UInt8(ascii: "a") + 10
            case let byte where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte: digit = byte - UInt8(ascii: "A") + 10
            default: throw error(.malformedEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
