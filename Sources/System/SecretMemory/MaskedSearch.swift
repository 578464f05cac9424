/// Bytes to be found, each XOR a mask.
struct MaskedNeedle: Sendable {
    static let leastCount = 4

    let name: String
    let masked: [UInt8]
}

/// Finds masked needles in one pass, however many there are, without ever holding one in clear.
struct MaskedSearch {
    private let needles: [MaskedNeedle]
    private let mask: UInt8
    /// Whether a needle begins with each pair of bytes.
    private let begins: [Bool]

    init(_ needles: [MaskedNeedle], mask: UInt8) {
        self.needles = needles
        self.mask = mask
        var begins = [Bool](repeating: false, count: 65_536)
        for needle in needles { begins[Self.pair(needle.masked[0], then: needle.masked[1])] = true }
        self.begins = begins
    }

    @inline(__always)
    private static func pair(_ first: UInt8, then second: UInt8) -> Int { Int(first) | Int(second) << 8 }

    /// Calls `found` with the name and the offset of each needle that lies in `bytes` as a whole.
    func run(over bytes: UnsafeRawBufferPointer, found: (String, Int) -> Void) {
        guard bytes.count >= MaskedNeedle.leastCount, let start = bytes.baseAddress else { return }
        begins.withUnsafeBufferPointer { begins in
            for offset in 0..<bytes.count - 1 {
                // Within the bounds: a pair indexes 65,536 entries, and offset + 1 < bytes.count.
                let pair = Self.pair(
                    start.load(fromByteOffset: offset, as: UInt8.self) ^ mask,
                    then: start.load(fromByteOffset: offset + 1, as: UInt8.self) ^ mask)
                guard begins[pair] else { continue }
                for needle in needles where matches(needle, bytes, at: offset) { found(needle.name, offset) }
            }
        }
    }

    private func matches(_ needle: MaskedNeedle, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard needle.masked.count <= bytes.count - offset else { return false }
        for index in needle.masked.indices where bytes[offset + index] ^ mask != needle.masked[index] { return false }
        return true
    }
}
