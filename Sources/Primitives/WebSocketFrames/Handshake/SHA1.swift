/// SHA-1, which the opening handshake asks for and nothing else may use: it proves that the other side speaks
/// WebSocket, not who it is. Two blocks a handshake, so plain code does; this floor takes no package for it.
///
/// Source: FIPS 180-4 section 6.1.
enum SHA1 {
    /// - Returns: 20 bytes.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += repeatElement(0, count: (120 - padded.count % 64) % 64)
        withUnsafeBytes(of: (UInt64(message.count) * 8).bigEndian) { padded += $0 }

        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var schedule = [UInt32](repeating: 0, count: 80)
        for block in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                schedule[index] = padded.withUnsafeBytes {
                    UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: block + 4 * index, as: UInt32.self))
                }
            }
            for index in 16..<80 {
                let mixed = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
                schedule[index] = rotate(mixed, by: 1)
            }
            compress(schedule, into: &state)
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    private static func compress(_ schedule: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in schedule.enumerated() {
            let (function, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5a82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case 40..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotate(a, by: 5) &+ function &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
