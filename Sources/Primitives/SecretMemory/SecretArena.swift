import CSodium
import Synchronization

/// Memory shared by small secrets.
///
/// A region of its own costs a map, several protections and a lock for every secret, and takes whole pages of the small
/// amount that a user may lock. A signature needs half a dozen scalars; they share one region here. A region is dealt out in
/// pages, a page in slots of one size, and a slot is zeroised when it is given back.
final class SecretArena: Sendable {
    /// The arena of this process.
    static let shared = SecretArena(best: .kernelSecret)

    /// Bytes of the slots; larger secrets get a region of their own.
    static let slotSizes = [64, 128, 512, 2048]
    private static let pageSize = 4096
    private static let pagesPerRegion = 16

    private struct State: Sendable {
        /// Addresses of free slots, for each size.
        var free = [[UInt]](repeating: [], count: SecretArena.slotSizes.count)
        /// Pages of the newest region that no size has taken yet.
        var pages: Range<UInt> = 0..<0
    }

    private let state = Mutex(State())
    /// The best backing that this arena tries.
    private let best: SecretBacking

    init(best: SecretBacking) {
        self.best = best
    }

    /// The index of the smallest slot that holds `count` bytes.
    @inline(__always)
    static func slot(for count: Int) -> Int? {
        slotSizes.firstIndex { count <= $0 }
    }

    /// Zero bytes, at least `count`; address zero is never returned.
    func take(_ count: Int) throws(SecretMemoryError) -> UnsafeMutableRawPointer {
        guard let slot = Self.slot(for: count) else {
            return UnsafeMutableRawPointer(bitPattern: try SecretRegion.map(count, best: best).start)!
        }
        let address = try state.withLock { (state) throws(SecretMemoryError) in
            if let address = state.free[slot].popLast() { return address }
            try deal(slot, in: &state)
            return state.free[slot].removeLast()
        }
        return UnsafeMutableRawPointer(bitPattern: address)!
    }

    /// Cuts the next page into slots.
    private func deal(_ slot: Int, in state: inout State) throws(SecretMemoryError) {
        if state.pages.isEmpty {
            // The region stays for the life of the process: its slots are handed out again and again.
            let region = try SecretRegion.map(Self.pageSize * Self.pagesPerRegion, best: best)
            state.pages = region.start..<region.start + UInt(region.count)
        }
        let page = state.pages.lowerBound
        state.pages = page + UInt(Self.pageSize)..<state.pages.upperBound
        let starts = stride(from: 0, to: Self.pageSize, by: Self.slotSizes[slot])
        state.free[slot] = starts.map { page + UInt($0) }
    }

    /// - Parameter count: what ``take(_:)`` was asked for.
    func giveBack(_ start: UnsafeMutableRawPointer, _ count: Int) {
        let address = UInt(bitPattern: start)
        guard let slot = Self.slot(for: count) else {
            SecretRegion.mapped.withLock { $0.first { $0.start == address } }?.unmap()
            return
        }
        sodium_memzero(start, Self.slotSizes[slot])
        state.withLock { $0.free[slot].append(address) }
    }
}
