internal import Crypto
internal import TextForms

/// The 32 bytes that an app signs over once.
public enum Nonce {
    public static let bytes = 32

    /// - Parameter text: 64 hexadecimal digits of either case.
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 2 * Self.bytes, let bytes = Hex.decode(text), bytes.count == Self.bytes else {
            return nil
        }
        return bytes
    }

    /// What both phases sign: the hash of the raw bytes, not of their digits.
    static func clientDataHash(_ nonce: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: nonce)) }
}
