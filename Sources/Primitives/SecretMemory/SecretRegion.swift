import CLinux
import CSodium
import Synchronization

/// Pages for secrets, with the best backing that works.
///
/// Source: `mainkey` section 20.
struct SecretRegion: Sendable {
    /// An address, as an integer because raw pointers are not `Sendable`.
    let start: UInt
    let count: Int
    let backing: SecretBacking

    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: start), count: count)
    }

    /// Kernel-secret pages are taken out of the kernel's own map of memory, which makes that slower; more than this at once
    /// is not worth it.
    private static let mostKernelSecretBytes = 1 << 20
    /// A multiple of the page size of every platform.
    private static let pageMultiple = 65_536

    /// Regions that are mapped now. Whoever reads them without owning a secret in them holds this.
    static let mapped = Mutex<[SecretRegion]>([])

    /// Zeroed pages.
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
        guard let start = clinux_secret_map(wholePages(count)) else { return nil }
        return SecretRegion(start: UInt(bitPattern: start), count: count, backing: .kernelSecret)
    }

    private static func guarded(_ count: Int, _ best: SecretBacking) -> SecretRegion? {
        guard let start = sodium_malloc(count) else { return nil }
        // `sodium_malloc` goes on without a word when the lock is refused; locking again tells.
        let isLocked = best != .unlocked && sodium_mlock(start, count) == 0
        // Best effort: where it is refused, a child made by `fork` has the pages as it has all others.
        _ = clinux_keep_from_children(start, count)
        sodium_memzero(start, count)
        return SecretRegion(start: UInt(bitPattern: start), count: count, backing: isLocked ? .guarded : .unlocked)
    }

    private static func wholePages(_ count: Int) -> Int {
        (count + pageMultiple - 1) / pageMultiple * pageMultiple
    }

    /// Zeroises the pages and gives them back.
    func unmap() {
        sodium_memzero(bytes.baseAddress, count)
        Self.mapped.withLock { mapped in
            mapped.removeAll { $0.start == start }
            if backing == .kernelSecret {
                clinux_secret_unmap(bytes.baseAddress, Self.wholePages(count))
            } else {
                sodium_free(bytes.baseAddress)
            }
        }
    }
}
