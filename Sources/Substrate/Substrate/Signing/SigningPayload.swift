/// What exactly is signed (`substrate-crypto` section 12).
public enum SigningPayload {
    /// Payloads beyond this many bytes are hashed first: the runtime's rule.
    package static let plainLimit = 256

    /// The message for the scheme: the payload of a transaction itself, or its BLAKE2b-256 if it is longer than 256
    /// bytes.
    ///
    /// - Parameter signable: call and extensions, without lengths and genesis.
    public static func message(for signable: [UInt8]) -> [UInt8] {
        signable.count > plainLimit ? Blake2b.hash(signable, size: 32) : signable
    }
}

/// Messages that may be signed: text between tags, so that no message can be a transaction.
package enum WrappedMessage {
    private static let opening = Array("<Bytes>".utf8)
    private static let closing = Array("</Bytes>".utf8)

    /// What stands between the tags.
    ///
    /// - Returns: nil unless `bytes` begin with `<Bytes>` and end with `</Bytes>`.
    package static func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count >= opening.count + closing.count, bytes.starts(with: opening),
            bytes.suffix(closing.count).elementsEqual(closing)
        else { return nil }
        return bytes[opening.count..<bytes.count - closing.count]
    }
}
