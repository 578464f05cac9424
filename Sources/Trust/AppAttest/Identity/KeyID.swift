import TextForms

/// The name of an attested key: SHA-256 of its 65-byte X9.62 point.
///
/// Source: `appattest-gate` sections 1.8 and 2.1.
public struct KeyID: Hashable, Sendable {
    /// The identifier, 32 bytes.
    public let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads Base64 of 32 bytes, of the standard alphabet or that of URLs: 43 characters, or 44 with padding.
    ///
    /// Returns nil for anything else. Keys are compared by their bytes, so both forms name one key.
    public init?(base64 text: String) {
        guard (43...44).contains(text.utf8.count), let bytes = Base64.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The canonical text: standard Base64 with padding, 44 characters.
    public var base64: String { Base64.encode(bytes) }
}

extension KeyID: CustomStringConvertible {
    /// The identifier in Base64 with padding, as DeviceCheck gives it.
    public var description: String { base64 }
}
