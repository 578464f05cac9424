/// An ECDSA signature on the curve NIST P-256.
///
/// Source: FIPS 186-5 section 6; RFC 3279 section 2.2.3 for DER.
package struct P256Signature: Hashable, Sendable {
    package static let byteCount = 64
    private static let numberBytes = 32

    /// r ‖ s, big-endian, 64 bytes.
    package let raw: [UInt8]

    /// - Returns: nil unless there are 64 bytes. Whether its numbers are in range is for the verification.
    package init?(raw: some Collection<UInt8>) {
        guard raw.count == Self.byteCount else { return nil }
        self.raw = Array(raw)
    }

    /// Reads DER, in its one form for each signature.
    package init?(der: [UInt8]) {
        // No content is longer than 70 bytes, so that each length has one byte.
        guard der.count >= 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var rest = der[2...]
        guard let r = Self.number(&rest), let s = Self.number(&rest), rest.isEmpty else { return nil }
        raw = r + s
    }

    /// DER: SEQUENCE of two INTEGERs.
    package var der: [UInt8] {
        let content = Self.integer(raw[..<Self.numberBytes]) + Self.integer(raw[Self.numberBytes...])
        return [0x30, UInt8(content.count)] + content
    }

    /// Reads a positive INTEGER of at most 32 bytes in its shortest form.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= 2, rest.removeFirst() == 0x02 else { return nil }
        let count = Int(rest.removeFirst())
        guard count > 0, count <= rest.count else { return nil }
        var bytes = rest.prefix(count)
        rest.removeFirst(count)
        guard bytes.first! < 0x80 else { return nil }
        if bytes.count > 1, bytes.first == 0 {
            bytes.removeFirst()
            guard bytes.first! >= 0x80 else { return nil }
        }
        guard bytes.count <= numberBytes else { return nil }
        return [UInt8](repeating: 0, count: numberBytes - bytes.count) + bytes
    }

    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let significant = number.drop { $0 == 0 }
        let needsSign = significant.first.map { $0 >= 0x80 } ?? true
        let bytes = (needsSign ? [0] : []) + significant
        return [0x02, UInt8(bytes.count)] + bytes
    }
}
