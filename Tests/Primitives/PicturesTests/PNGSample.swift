/// Makes PNG files of every kind, with stored blocks for a compressor, so that the reader is tested against files that
/// our own writer does not write.
struct PNGSample {
    var width: Int
    var height: Int
    var colourType: UInt8
    var depth: Int
    var isInterlaced = false
    /// 0 to 4, used for all rows.
    var filter: UInt8 = 0
    /// Row by row, `samplesPerPixel` each.
    var samples: [Int]
    var palette: [UInt8] = []
    var transparency: [UInt8] = []

    var samplesPerPixel: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1 }

    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    var header: [UInt8] {
        Self.word(width) + Self.word(height) + [UInt8(depth), colourType, 0, 0, isInterlaced ? 1 : 0]
    }

    /// - Parameter parts: how many IDAT chunks.
    func file(parts: Int = 1) -> [UInt8] {
        var bytes = Self.signature + Self.chunk("IHDR", header)
        if !palette.isEmpty { bytes += Self.chunk("PLTE", palette) }
        if !transparency.isEmpty { bytes += Self.chunk("tRNS", transparency) }
        let data = Self.stored(scanlines)
        for part in 0..<parts {
            bytes += Self.chunk("IDAT", Array(data[data.count * part / parts..<data.count * (part + 1) / parts]))
        }
        return bytes + Self.chunk("IEND", [])
    }

    /// All passes, filtered.
    var scanlines: [UInt8] {
        guard isInterlaced else { return pass(columns: Array(0..<width), rows: Array(0..<height)) }
        let steps = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return steps.flatMap { x, y, stepX, stepY in
            pass(
                columns: Array(stride(from: x, to: width, by: stepX)),
                rows: Array(stride(from: y, to: height, by: stepY)))
        }
    }

    private func pass(columns: [Int], rows: [Int]) -> [UInt8] {
        guard !columns.isEmpty else { return [] }
        var output: [UInt8] = []
        var above: [UInt8]?
        for y in rows {
            let row = packed(
                columns.flatMap { x in
                    (0..<samplesPerPixel).map { samples[(y * width + x) * samplesPerPixel + $0] }
                })
            output += [filter] + filtered(row, above: above ?? [UInt8](repeating: 0, count: row.count))
            above = row
        }
        return output
    }

    private func packed(_ samples: [Int]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (samples.count * depth + 7) / 8)
        for (index, sample) in samples.enumerated() {
            for bit in 0..<depth where sample >> (depth - 1 - bit) & 1 == 1 {
                let place = index * depth + bit
                bytes[place / 8] |= 0x80 >> UInt8(place % 8)
            }
        }
        return bytes
    }

    private func filtered(_ row: [UInt8], above: [UInt8]) -> [UInt8] {
        let distance = max(1, depth * samplesPerPixel / 8)
        return row.indices.map { index in
            let left = index < distance ? 0 : Int(row[index - distance])
            let corner = index < distance ? 0 : Int(above[index - distance])
            let up = Int(above[index])
            let prediction: Int
            switch filter {
            case 1: prediction = left
            case 2: prediction = up
            case 3: prediction = (left + up) / 2
            case 4:
                prediction = [left, up, corner].min { abs(left + up - corner - $0) < abs(left + up - corner - $1) }!
            default: prediction = 0
            }
            return row[index] &- UInt8(prediction)
        }
    }

    static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        var remainder: UInt32 = ~0
        for byte in body {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xedb8_8320 : remainder >> 1 }
        }
        return word(content.count) + body + word(Int(~remainder))
    }

    /// A zlib stream of stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: max(bytes.count, 1), by: 65535) {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            let length = UInt16(block.count)
            output += [start + 65535 >= bytes.count ? 1 : 0]
            output += [UInt8(length & 0xff), UInt8(length >> 8), UInt8(~length & 0xff), UInt8(~length >> 8)] + block
        }
        var (a, b) = (1, 0)
        for byte in bytes { (a, b) = ((a + Int(byte)) % 65521, (b + a + Int(byte)) % 65521) }
        return output + word(b << 16 | a)
    }
}
