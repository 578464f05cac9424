/// `ECDSA-Sig-Value` of a P-256 key: SEQUENCE of two INTEGERs in DER, each positive, minimal and of at most 32 bytes.
///
/// Both halves of the range of s are taken: devices sign with either.
///
/// Source: RFC 3279 section 2.2.3; `appattest-gate` section 1.6.
enum SignatureForm {
    private static let scalarByteCount = 32

    /// The signature as r and s, 32 bytes each; nil if the encoding breaks a rule.
    static func rawRepresentation(der: ArraySlice<UInt8>) -> [UInt8]? {
        var outer = BERReader(der, rules: .distinguished)
        guard let sequence = try? outer.required(.sequence), outer.isAtEnd else { return nil }
        var inner = BERReader(sequence.content, rules: .distinguished)
        guard let r = try? inner.required(.integer), let s = try? inner.required(.integer), inner.isAtEnd else {
            return nil
        }
        var raw = [UInt8](repeating: 0, count: 2 * scalarByteCount)
        guard write(r.content, to: &raw, endingAt: scalarByteCount),
            write(s.content, to: &raw, endingAt: 2 * scalarByteCount)
        else { return nil }
        return raw
    }

    private static func write(_ integer: ArraySlice<UInt8>, to raw: inout [UInt8], endingAt end: Int) -> Bool {
        guard let first = integer.first, first < 0x80 else { return false }
        var digits = integer
        if first == 0 {
            digits = digits.dropFirst()
            // A zero stands in front only of what would else be negative; alone it would be the integer 0.
            guard let next = digits.first, next >= 0x80 else { return false }
        }
        guard digits.count <= scalarByteCount else { return false }
        raw.replaceSubrange((end - digits.count)..<end, with: digits)
        return true
    }
}
