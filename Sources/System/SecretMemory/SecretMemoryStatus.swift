/// How well the secrets of this process are kept, for `status` and `doctor`.
///
/// Source: `mainkey` section 20.
public struct SecretMemoryStatus: Equatable, Sendable {
    /// The worst backing among the regions in use.
    public let backing: SecretBacking

    /// False if some secrets may be swapped to a disk, because the limit of locked memory is reached.
    public var isLocked: Bool { backing != .unlocked }

    /// The status of this process, now. Takes a first region if no secret was made yet.
    ///
    /// - Throws: ``SecretMemoryError`` if there is no memory at all.
    public static func current() throws(SecretMemoryError) -> SecretMemoryStatus {
        let probe = try SecretBytes(count: 1) { _ in }
        return withExtendedLifetime(probe) {
            SecretMemoryStatus(backing: SecretRegion.mapped.withLock { $0.map(\.backing).max() } ?? .unlocked)
        }
    }
}
