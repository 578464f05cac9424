/// The name of an attested key: SHA-256 of its 65-byte X9.62 point.
///
/// Source: `appattest-gate` sections 1.8 and 2.1.
public struct KeyID: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }
}
