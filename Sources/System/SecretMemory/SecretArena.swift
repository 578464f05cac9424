import CSodium
import Synchronization

/// Memory shared by small secrets.
///
/// A region of its own costs a map, several protections and a lock for every secret, and takes whole pages of the small
/// amount that a user may lock. A signature needs half a dozen scalars; they share one region here. A region is dealt
/// out in pages, a page in slots of one size, and a slot is zeroised when it is given back.
final class SecretArena: Sendable {
    /// The arena of this process.
    static let shared = SecretArena(best: .kernelSecret)

    /// Bytes of the slots; larger secrets get a region of their own.
    static let slotSizes = [64, 128, 512, 2048]
    private static let pageSize = 4096
    private static let pagesPerRegion = 16

    private struct FreeMemory: Sendable {
        /// The address of a free slot of each size, which begins with the address of the next, and so on; 0 ends it.
        var free = SIMD4<UInt>.zero
        /// Pages of the newest region that no size has taken yet.
        var pages: Range<UInt> = 0..<0
    }

    private let state = Mutex(FreeMemory())
    /// The best backing that this arena tries.
    private let best: SecretBacking

    init(best: SecretBacking) {
        self.best = best
    }

    /// The index of the smallest size that holds `count` bytes.
    private static func slot(for count: Int) -> Int? {
        switch count {
        case ...64: 0
        case ...128: 1
        case ...512: 2
        case ...2048: 3
        default: nil
        }
    }

    /// Zero bytes, at least `count`.
    func take(_ count: Int) throws(SecretMemoryError) -> UnsafeMutableRawPointer {
        guard let slot = Self.slot(for: count) else { return try SecretRegion.map(count, best: best).start }
        return try state.withLock { (state) throws(SecretMemoryError) in
            if state.free[slot] == 0 { try deal(slot, in: &state) }
            let start = Self.pointer(state.free[slot])
            state.free[slot] = start.load(as: UInt.self)
            start.storeBytes(of: 0, as: UInt.self)
            return start
        }
    }

    /// Cuts the next page into slots.
    private func deal(_ slot: Int, in state: inout FreeMemory) throws(SecretMemoryError) {
        if state.pages.isEmpty {
            // The region stays for the life of the process: its slots are handed out again and again.
            let region = try SecretRegion.map(Self.pageSize * Self.pagesPerRegion, best: best)
            let start = UInt(bitPattern: region.start)
            state.pages = start..<start + UInt(region.count)
        }
        let page = state.pages.lowerBound
        state.pages = page + UInt(Self.pageSize)..<state.pages.upperBound
        for offset in stride(from: 0, to: Self.pageSize, by: Self.slotSizes[slot]) {
            push(page + UInt(offset), slot, in: &state)
        }
    }

    private func push(_ address: UInt, _ slot: Int, in state: inout FreeMemory) {
        Self.pointer(address).storeBytes(of: state.free[slot], as: UInt.self)
        state.free[slot] = address
    }

    /// - Parameter count: what ``take(_:)`` was asked for.
    func giveBack(_ start: UnsafeMutableRawPointer, _ count: Int) {
        guard let slot = Self.slot(for: count) else { return SecretRegion.unmap(start) }
        sodium_memzero(start, Self.slotSizes[slot])
        state.withLock { push(UInt(bitPattern: start), slot, in: &$0) }
    }

    /// The pointer to a slot, which is never at address zero.
    private static func pointer(_ address: UInt) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(bitPattern: address)!
    }
}
