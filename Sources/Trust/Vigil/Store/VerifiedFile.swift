import Synchronization

/// What the store of this process held when it was last verified. Whether bytes are a good store depends on them and on
/// the key alone, so the same bytes need not be verified again.
final class VerifiedFile: Sendable {
    private let last = Mutex<(bytes: [UInt8], content: Attestation)?>(nil)

    /// - Returns: nil for other bytes than those that were verified last.
    func content(of bytes: [UInt8]) -> Attestation? {
        last.withLock { last in last?.bytes == bytes ? last?.content : nil }
    }

    func remember(_ content: Attestation, of bytes: [UInt8]) {
        last.withLock { $0 = (bytes, content) }
    }
}
