/// A zlib stream of bytes that repeat rows: fixed Huffman codes, and copies at the distance of the longest repetition
/// seen.
///
/// QR pictures repeat every row of pixels several times and hold long runs; finding only these keeps the compressor to
/// a page and the pictures to a few kilobytes.
enum ZlibStream {
    static func runLengths(_ bytes: [UInt8]) -> [UInt8] {
        var output = LittleBits(bytes: [0x78, 0x01])
        // The last block, with fixed codes.
        output.append(0b011, count: 3)
        var position = 0
        var lastByLine: [UInt64: Int] = [:]
        while position < bytes.count {
            let key = fingerprint(bytes, position)
            let candidate = key.flatMap { lastByLine[$0] }
            let copy = [position - 1, candidate ?? -1].compactMap { from -> (distance: Int, length: Int)? in
                guard from >= 0, position - from <= 32768 else { return nil }
                return (position - from, match(bytes, from: from, at: position))
            }.max { $0.length < $1.length }
            if let key { lastByLine[key] = position }
            if let copy, copy.length >= 4 {
                output.appendCopy(length: copy.length, distance: copy.distance)
                position += copy.length
            } else {
                output.appendLiteral(Int(bytes[position]))
                position += 1
            }
        }
        output.appendLiteral(256)
        output.align()
        return output.bytes + PNGChunks.word(Int(adler32(bytes)))
    }

    /// The next eight bytes as a number.
    private static func fingerprint(_ bytes: [UInt8], _ position: Int) -> UInt64? {
        guard position + 8 <= bytes.count else { return nil }
        return bytes[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func match(_ bytes: [UInt8], from: Int, at position: Int) -> Int {
        var length = 0
        while length < 258 && position + length < bytes.count && bytes[from + length] == bytes[position + length] {
            length += 1
        }
        return length
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }
}

/// Bits as deflate packs them: least significant first, Huffman codes the other way round.
private struct LittleBits {
    private(set) var bytes: [UInt8]
    private var used = 8

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func append(_ value: Int, count: Int) {
        for bit in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
            used += 1
        }
    }

    mutating func align() { used = 8 }

    private mutating func appendCode(_ code: Int, count: Int) {
        for bit in (0..<count).reversed() { append(code >> bit & 1, count: 1) }
    }

    /// A literal, the end of the block, or a length code (RFC 1951 section 3.2.6).
    mutating func appendLiteral(_ symbol: Int) {
        switch symbol {
        case 0..<144: appendCode(0x30 + symbol, count: 8)
        case 144..<256: appendCode(0x190 + symbol - 144, count: 9)
        case 256..<280: appendCode(symbol - 256, count: 7)
        default: appendCode(0xc0 + symbol - 280, count: 8)
        }
    }

    mutating func appendCopy(length: Int, distance: Int) {
        let (lengthCode, lengthBase, lengthExtra) = Self.code(length, first: 3, plain: 8, perStep: 4)
        if length == 258 {
            appendLiteral(285)
        } else {
            appendLiteral(257 + lengthCode)
            append(length - lengthBase, count: lengthExtra)
        }
        let (distanceCode, distanceBase, distanceExtra) = Self.code(distance, first: 1, plain: 4, perStep: 2)
        appendCode(distanceCode, count: 5)
        append(distance - distanceBase, count: distanceExtra)
    }

    /// The code of a number in a scale of `plain` codes for one value each, then `perStep` codes for each further bit.
    private static func code(_ value: Int, first: Int, plain: Int, perStep: Int) -> (code: Int, base: Int, extra: Int) {
        var (code, base, extra) = (0, first, 0)
        while value >= base + (1 << extra) {
            base += 1 << extra
            code += 1
            if code >= plain && (code - plain) % perStep == 0 { extra += 1 }
        }
        return (code, base, extra)
    }
}
