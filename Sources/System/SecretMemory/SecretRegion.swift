import CLinux
import CSodium
import Synchronization

/// Pages for secrets, with the best backing that works.
///
/// Source: `mainkey` section 20.
// @unchecked: an address and constants. The owner of a secret in the region writes there; all others only read, while
// they hold `mapped`.
struct SecretRegion: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int
    let backing: SecretBacking

    /// Kernel-secret pages are taken out of the kernel's own map of memory, which makes that slower; more than this at
    /// once is not worth it.
    private static let mostKernelSecretBytes = 1 << 20

    /// Regions that are mapped now. The lock is held while they are read by code that owns no secret in them.
    static let mapped = Mutex<[SecretRegion]>([])

    /// Maps zeroed pages.
    ///
    /// - Parameters:
    ///   - count: bytes, at least 1.
    ///   - best: the backing to try first.
    static func map(_ count: Int, best: SecretBacking) throws(SecretMemoryError) -> SecretRegion {
        guard let region = kernelSecret(count, best) ?? guarded(count, best) else {
            throw .allocationFailed(bytes: count)
        }
        mapped.withLock { $0.append(region) }
        return region
    }

    private static func kernelSecret(_ count: Int, _ best: SecretBacking) -> SecretRegion? {
        guard best == .kernelSecret, count <= mostKernelSecretBytes else { return nil }
        return clinux_secret_map(count).map { SecretRegion(start: $0, count: count, backing: .kernelSecret) }
    }

    private static func guarded(_ count: Int, _ best: SecretBacking) -> SecretRegion? {
        guard let start = sodium_malloc(count) else { return nil }
        // `sodium_malloc` goes on without a word when the lock is refused; locking again tells.
        let isLocked = best != .unlocked && sodium_mlock(start, count) == 0
        // Best effort: where it is refused, a child made by `fork` has the pages as it has all others.
        _ = clinux_keep_from_children(start, count)
        sodium_memzero(start, count)
        return SecretRegion(start: start, count: count, backing: isLocked ? .guarded : .unlocked)
    }

    /// Zeroises the pages of a region and gives them back.
    ///
    /// - Parameter start: of a region that is mapped.
    static func unmap(_ start: UnsafeMutableRawPointer) {
        mapped.withLock { mapped in
            guard let index = mapped.lastIndex(where: { $0.start == start }) else { return }
            let region = mapped.remove(at: index)
            sodium_memzero(start, region.count)
            if region.backing == .kernelSecret {
                clinux_secret_unmap(start, region.count)
            } else {
                sodium_free(start)
            }
        }
    }
}
