import CSodium
import Synchronization

/// Locked, guarded memory shared by small secrets.
///
/// `sodium_malloc` costs a map, three protections and a lock for every call, and each call takes at least four pages of the
/// small amount that a user may lock. A signature needs half a dozen scalars; they share one region here. A slot is zeroised
/// when it is given back.
enum SecretArena {
    /// Bytes of one slot; larger secrets get a region of their own.
    static let slotSize = 128
    private static let slotsPerRegion = 128

    private struct FreeSlots: Sendable {
        /// Addresses, as integers because raw pointers are not `Sendable`.
        var addresses: [UInt] = []
    }

    private static let free = Mutex(FreeSlots())

    /// A slot of ``slotSize`` zero bytes.
    static func take() throws(SecretMemoryError) -> UnsafeMutableRawPointer {
        let address: UInt? = free.withLock { free in
            if free.addresses.isEmpty {
                guard let region = sodium_malloc(slotSize * slotsPerRegion) else { return nil }
                sodium_memzero(region, slotSize * slotsPerRegion)
                // The region stays for the life of the process: its slots are handed out again and again.
                let start = UInt(bitPattern: region)
                free.addresses = (0..<slotsPerRegion).map { start + UInt($0 * slotSize) }
            }
            return free.addresses.popLast()
        }
        guard let address, let slot = UnsafeMutableRawPointer(bitPattern: address) else {
            throw .allocationFailed(bytes: slotSize)
        }
        return slot
    }

    static func giveBack(_ slot: UnsafeMutableRawPointer) {
        sodium_memzero(slot, slotSize)
        free.withLock { $0.addresses.append(UInt(bitPattern: slot)) }
    }
}
