import SecretMemory

/// The bytes that a PEM file holds, decoded from secret memory into secret memory.
///
/// Source: RFC 7468 section 2; base64 of RFC 4648 section 4.
enum PEMBlock {
    private static let mark = Array("-----".utf8)

    /// The last block of a file: before a key there may be its parameters.
    ///
    /// - Returns: nil for what is no PEM, and for base64 with other letters than its own or of another length than it
    ///   has.
    static func last(in file: SecretBytes) throws(SecretMemoryError) -> SecretBytes? {
        try file.withUnsafeBytes { (file) throws(SecretMemoryError) in
            guard let body = lastBody(of: file) else { return nil }
            let digits = body.count { !isBreak($0) && $0 != UInt8(ascii: "=") }
            let padding = body.count { $0 == UInt8(ascii: "=") }
            guard padding <= 2, (digits + padding).isMultiple(of: 4), digits > 0,
                body.allSatisfy({ isBreak($0) || $0 == UInt8(ascii: "=") || value(of: $0) != nil })
            else { return nil }
            return try SecretBytes(count: digits * 6 / 8) { decode(body, into: $0) }
        }
    }

    /// What lies between the last line of BEGIN and the line of END behind it.
    private static func lastBody(of file: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        // Each block has four marks: around its BEGIN and around its END.
        var marks: [Int] = []
        var position = 0
        while position + mark.count <= file.count {
            if file[position..<position + mark.count].elementsEqual(mark) {
                marks.append(position)
                position += mark.count
            } else {
                position += 1
            }
        }
        guard marks.count >= 4, marks.count.isMultiple(of: 4) else { return nil }
        return file[marks[marks.count - 3] + mark.count..<marks[marks.count - 2]]
    }

    private static func decode(_ body: Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer) {
        var bits: UInt32 = 0
        var held = 0
        var position = 0
        for byte in body {
            guard let value = value(of: byte) else { continue }
            bits = bits << 6 | UInt32(value)
            held += 6
            guard held >= 8, position < output.count else { continue }
            held -= 8
            output[position] = UInt8(truncatingIfNeeded: bits >> held)
            position += 1
        }
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d || byte == 0x20 || byte == 0x09 }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
