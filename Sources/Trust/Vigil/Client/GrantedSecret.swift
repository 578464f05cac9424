import SecretMemory
import Synchronization

/// The validator's secret for this app, as long as the app is trusted: on distrust it is erased, also where this is
/// still held.
///
/// Source: `vigil` sections 1.3 and 8.
public final class GrantedSecret: Sendable {
    private let secret: Mutex<SecretBytes?>

    init(_ secret: SecretBytes) {
        self.secret = Mutex(secret)
    }

    /// Whether it was taken back.
    public var isRevoked: Bool { secret.withLock { $0 == nil } }

    /// - Returns: nil once it was taken back. What `body` copies is not erased.
    public func withUnsafeBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R? {
        // Held while it is used: it is not erased while another thread reads it.
        guard let held = secret.withLock({ $0 }) else { return nil }
        return try held.withUnsafeBytes(body)
    }

    /// Lets go of the only reference, with which the memory is erased.
    package func revoke() { secret.withLock { $0 = nil } }
}
