/// The four bytes that a client's payload is combined with.
///
/// Source: RFC 6455 section 5.3.
public struct MaskingKey: Hashable, Sendable {
    /// The first byte on the wire is the most significant one.
    public let bits: UInt32

    /// - Parameter bits: of a CSPRNG, fresh for each frame that is sent.
    public init(_ bits: UInt32) { self.bits = bits }

    /// Masks or unmasks `bytes` in place.
    ///
    /// - Parameter position: how many bytes of the payload stand before them.
    public func apply(to bytes: UnsafeMutableRawBufferPointer, from position: Int = 0) {
        // Turned so that it begins with the byte for `position`; as a word in the order of memory.
        let turn = UInt32(truncatingIfNeeded: position & 3) * 8
        let word = (bits << turn | (turn == 0 ? 0 : bits >> (32 - turn))).bigEndian
        let wide = SIMD8<UInt32>(repeating: word)
        var index = 0
        while index + 32 <= bytes.count {
            let part = bytes.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt32>.self)
            bytes.storeBytes(of: part ^ wide, toByteOffset: index, as: SIMD8<UInt32>.self)
            index += 32
        }
        while index + 4 <= bytes.count {
            let part = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            bytes.storeBytes(of: part ^ word, toByteOffset: index, as: UInt32.self)
            index += 4
        }
        withUnsafeBytes(of: word) { word in
            for (offset, place) in (index..<bytes.count).enumerated() { bytes[place] ^= word[offset] }
        }
    }
}
