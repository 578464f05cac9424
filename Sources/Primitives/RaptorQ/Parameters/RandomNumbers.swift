import CGaloisKernels

/// The pseudo-random function of RFC 6330 5.3.5.1.
enum RandomNumbers {
    /// Rand[y, i, m].
    ///
    /// - Parameters:
    ///   - i: 0...255.
    ///   - m: 1 or more.
    @inline(__always)
    static func value(y: UInt32, i: UInt32, m: UInt32) -> UInt32 {
        let word =
            table[Int((y &+ i) & 255)] ^ table[256 + Int(((y >> 8) &+ i) & 255)]
            ^ table[512 + Int(((y >> 16) &+ i) & 255)] ^ table[768 + Int(((y >> 24) &+ i) & 255)]
        return word % m
    }

    /// V0, V1, V2 and V3 of RFC 6330 5.5, 256 words each.
    private static var table: UnsafePointer<UInt32> { gk_random_words() }
}
