import SecretMemory
import TextForms

/// The 16 random bytes that name a vault for ever; part of every key that is derived in it.
public struct VaultID: Hashable, Sendable {
    package static let byteCount = 16

    /// The 16 bytes of the identifier.
    public let bytes: [UInt8]

    /// - Returns: nil unless there are 16 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    static func random() -> VaultID { VaultID(KernelRandom.bytes(byteCount))! }
}

extension VaultID: CustomStringConvertible {
    /// The ID in lower-case hex.
    public var description: String { hex(bytes) }
}

/// Bytes that are not secret, in lower-case hex.
func hex(_ bytes: some Collection<UInt8>) -> String { Hex.encode(bytes) }
