import BasicFoundation
import Cryptography
import SecretMemory
import TextForms

/// 32 bytes that are public: a digest, a nonce, the name of a key.
public struct Bytes32: Hashable, Sendable {
    /// How many bytes there are.
    public static let count = 32
    /// All zero, which stands for none.
    public static let zero = Bytes32(trusted: [UInt8](repeating: 0, count: count))

    /// Exactly 32 bytes.
    public let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// - Parameter bytes: 32 of them.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The SHA-256 of some bytes.
    public static func hash(of bytes: some DataProtocol) -> Bytes32 {
        Bytes32(trusted: SHA256Hash.of(bytes))
    }

    /// Draws 32 bytes from the system's generator.
    public static func random() -> Bytes32 {
        Bytes32(trusted: KernelRandom.bytes(count))
    }
}

extension Bytes32: CustomStringConvertible {
    /// Lower-case hex.
    public var description: String { Hex.encode(bytes) }
}
