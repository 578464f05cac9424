/// SHA-1, which the opening handshake asks for and nothing else may use: it proves that the other side speaks
/// WebSocket, not who it is. Two blocks a handshake, so plain code does; this floor takes no package for it.
///
/// Source: FIPS 180-4 section 6.1.
enum SHA1 {
    private static let blockSize = 64

    /// - Returns: 20 bytes.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.reserveCapacity(message.count + 2 * blockSize)
        padded.append(0x80)
        padded += repeatElement(0, count: (120 - padded.count % blockSize) % blockSize)
        withUnsafeBytes(of: (UInt64(message.count) * 8).bigEndian) { padded += $0 }

        var state = State()
        padded.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { schedule in
                for block in stride(from: 0, to: bytes.count, by: blockSize) {
                    prepare(schedule, for: UnsafeRawBufferPointer(rebasing: bytes[block..<block + blockSize]))
                    state.compress(schedule)
                }
            }
        }
        let words = (
            state.a.bigEndian, state.b.bigEndian, state.c.bigEndian, state.d.bigEndian, state.e.bigEndian
        )
        return withUnsafeBytes(of: words) { Array($0) }
    }

    private static func prepare(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, for block: UnsafeRawBufferPointer
    ) {
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        for index in 16..<80 {
            let mixed = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
            schedule[index] = rotate(mixed, by: 1)
        }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

    private struct State {
        var a: UInt32 = 0x6745_2301
        var b: UInt32 = 0xefcd_ab89
        var c: UInt32 = 0x98ba_dcfe
        var d: UInt32 = 0x1032_5476
        var e: UInt32 = 0xc3d2_e1f0

        mutating func compress(_ schedule: UnsafeMutableBufferPointer<UInt32>) {
            let before = self
            for index in 0..<20 { step(mixed: b & c | ~b & d, word: 0x5a82_7999 &+ schedule[index]) }
            for index in 20..<40 { step(mixed: b ^ c ^ d, word: 0x6ed9_eba1 &+ schedule[index]) }
            for index in 40..<60 { step(mixed: b & c | b & d | c & d, word: 0x8f1b_bcdc &+ schedule[index]) }
            for index in 60..<80 { step(mixed: b ^ c ^ d, word: 0xca62_c1d6 &+ schedule[index]) }
            a &+= before.a
            b &+= before.b
            c &+= before.c
            d &+= before.d
            e &+= before.e
        }

        /// - Parameters:
        ///   - mixed: of three words, by the function of the step's twenty.
        ///   - word: of the schedule, with the constant of the step's twenty.
        @inline(__always)
        private mutating func step(mixed: UInt32, word: UInt32) {
            let next = rotate(a, by: 5) &+ mixed &+ e &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
    }
}
