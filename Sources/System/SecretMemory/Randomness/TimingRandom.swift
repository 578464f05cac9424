import CLinux
import CSodium

/// How long small pieces of work take, which on a processor with caches and interrupts cannot be foretold to the last
/// tick: for processors without a generator.
package struct TimingRandom: RandomSource {
    /// What messages call it.
    package let name = "The jitter of the processor's timing"

    /// Times taken for each 64 bytes. A quarter of a bit in each is twice what 64 bytes need.
    private static let timesPerBlock = 4096
    private static let blockSize = 64
    /// Equal differences in a row that healthy timing shows once in 2⁴⁰ draws, if each is worth a quarter of a bit.
    private static let longestRun = 161

    /// Makes the source.
    package init() {}

    /// Fills memory with random bytes.
    package func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        try memory.forEachBlock(of: Self.blockSize, fillBlock)
    }

    private func fillBlock(_ block: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        var times = [UInt64](repeating: 0, count: Self.timesPerBlock)
        defer { times.withUnsafeMutableBytes { sodium_memzero($0.asBytes, $0.count) } }
        var work = [UInt8](repeating: 0, count: 1 << 16)
        var (last, lastStep, run): (UInt64, UInt64, Int) = (0, 0, 0)
        for index in times.indices {
            var now: UInt64 = 0
            guard clinux_fine_time(&now) == 0 else { throw .silent(source: name) }
            let step = now &- last
            run = step == lastStep ? run + 1 : 1
            guard run < Self.longestRun else { throw .repeating(source: name) }
            (last, lastStep, times[index]) = (now, step, now)
            // Work whose place in the caches depends on the times before.
            for turn in 0..<8 { work[Int(truncatingIfNeeded: (now &+ step) &* UInt64(2 * turn + 257)) & 0xffff] &+= 1 }
        }
        times.withUnsafeBytes {
            _ = crypto_generichash_blake2b(block.asBytes, block.count, $0.asBytes, UInt64($0.count), work, 64)
        }
    }
}
