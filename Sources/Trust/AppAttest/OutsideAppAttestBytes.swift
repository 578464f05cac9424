/// Parsers of bytes from outside, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideAppAttestBytes {
    /// Reads CBOR.
    ///
    /// - Returns: how many items there are, or nil if it is not CBOR of the profile.
    public static func cbor(_ bytes: [UInt8]) -> Int? { (try? CBORDecoder.item(bytes[...]))?.itemCount }

    /// Reads authenticator data in both of its forms.
    public static func authenticatorData(_ bytes: [UInt8]) {
        _ = try? AuthenticatorData.Attested(bytes[...])
        _ = try? AuthenticatorData(assertion: bytes[...])
    }

    /// Reads a receipt, its payload and a signature.
    ///
    /// - Returns: how much content a receipt has, or nil if it is malformed.
    public static func receipt(_ bytes: [UInt8]) -> Int? {
        _ = try? ReceiptPayload(bytes)
        _ = SignatureForm.rawRepresentation(der: bytes[...])
        return (try? SignedReceipt(bytes[...]))?.content.count
    }
}

extension CBORItem {
    fileprivate var itemCount: Int {
        switch self {
        case .array(let items): items.reduce(1) { $0 + $1.itemCount }
        case .map(let entries): entries.reduce(1) { $0 + 1 + $1.value.itemCount }
        default: 1
        }
    }
}
