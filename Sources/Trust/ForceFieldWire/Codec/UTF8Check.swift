/// Whether bytes are UTF-8, without making a string of them.
enum UTF8Check {
    /// - Parameter bytes: only those inside its bounds are read.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            guard let sequence = Sequence(lead: lead), index + sequence.count <= bytes.count,
                sequence.second.contains(bytes[index + 1])
            else { return false }
            for offset in 2..<max(2, sequence.count) where bytes[index + offset] & 0xc0 != 0x80 { return false }
            index += sequence.count
        }
        return true
    }

    /// What may follow a byte that begins more than one.
    ///
    /// Source: The Unicode Standard, table 3-7.
    private struct Sequence {
        let count: Int
        let second: ClosedRange<UInt8>

        init?(lead: UInt8) {
            switch lead {
            case 0xc2...0xdf: (count, second) = (2, 0x80...0xbf)
            case 0xe0: (count, second) = (3, 0xa0...0xbf)
            case 0xed: (count, second) = (3, 0x80...0x9f)
            case 0xe1...0xef: (count, second) = (3, 0x80...0xbf)
            case 0xf0: (count, second) = (4, 0x90...0xbf)
            case 0xf1...0xf3: (count, second) = (4, 0x80...0xbf)
            case 0xf4: (count, second) = (4, 0x80...0x8f)
            default: return nil
            }
        }
    }
}
