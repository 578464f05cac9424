internal import Crypto
internal import TextForms

/// The 32 bytes that an app signs over once.
enum Nonce {
    static let bytes = 32

    /// - Parameter text: 64 hexadecimal digits of either case.
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 2 * Self.bytes, let bytes = Hex.decode(text), bytes.count == Self.bytes else {
            return nil
        }
        return bytes
    }

    /// What both phases sign: the hash of the raw bytes, not of their digits, and of the device's token where one comes
    /// with them. So nobody can send the token of another device with it.
    static func clientDataHash(_ nonce: [UInt8], deviceToken: [UInt8]? = nil) -> [UInt8] {
        Array(SHA256.hash(data: nonce + (deviceToken.map { Array(SHA256.hash(data: $0)) } ?? [])))
    }
}
