/// FIPS 180-4, to compare with digests in the known answers; nothing beneath these tests has a hash.
enum SHA256 {
    static func hex(_ message: [UInt8]) -> String {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> (8 * $0)) }
        var w = [UInt32](repeating: 0, count: 64)
        padded.withUnsafeBytes { bytes in
            for block in stride(from: 0, to: bytes.count, by: 64) {
                for i in 0..<16 {
                    w[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: block + 4 * i, as: UInt32.self))
                }
                compress(&w, into: &state)
            }
        }
        return state.map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    private static func compress(_ w: inout [UInt32], into state: inout [UInt32]) {
        for i in 16..<64 {
            let (a, b) = (w[i - 15], w[i - 2])
            let low = rotate(a, by: 7) ^ rotate(a, by: 18) ^ a >> 3
            let high = rotate(b, by: 17) ^ rotate(b, by: 19) ^ b >> 10
            w[i] = w[i - 16] &+ low &+ w[i - 7] &+ high
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let first =
                h &+ (rotate(e, by: 6) ^ rotate(e, by: 11) ^ rotate(e, by: 25)) &+ (e & f ^ ~e & g) &+ constants[i]
                &+ w[i]
            let second = (rotate(a, by: 2) ^ rotate(a, by: 13) ^ rotate(a, by: 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ x: UInt32, by count: UInt32) -> UInt32 { x >> count | x << (32 - count) }

    /// The fractional parts of the cube roots of the first 64 primes, computed in integers.
    private static let constants: [UInt32] = {
        let primes = (2...311).filter { n in !(2..<n).contains { n % $0 == 0 } }
        return primes.map { prime in
            // floor(2^32 · cbrt(p)) by bisection.
            var (low, high) = (UInt128(0), UInt128(1) << 36)
            while high - low > 1 {
                let middle = (low + high) / 2
                if middle * middle * middle <= UInt128(prime) << 96 { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()
}
