import CSodium
import Synchronization

/// Several independent sources, mixed so that each of them alone is enough: an attacker who foretells all but one knows
/// nothing.
///
/// Each block of output is BLAKE2b of a domain and of 64 bytes from each source. What a source gives is checked before:
/// a stretch of equal bytes (repetition count test of NIST SP 800-90B, section 4.4.1) or a block that it gave before is
/// refused.
///
/// What is independent: the kernel's generator keeps its own pool and is asked through the system; the processor's is
/// asked without the kernel, though most kernels stir it into their pool as well. A processor that lies about both
/// cannot be noticed.
public final class MixedRandom: RandomSource {
    /// What messages call it.
    public let name = "The mixed random source"

    private let sources: [any RandomSource]
    /// A digest of what each source gave last.
    private let last: Mutex<[Int: [UInt8]]>

    private static let drawSize = 64
    private static let blockSize = 64
    private static let digestSize = 16
    private static let domain = Array("casemate/random/v1".utf8)
    private static let lastDomain = Array("casemate/random/last/v1".utf8)
    /// Equal bytes in a row that a source of eight bits a byte gives once in 2⁴⁰ bytes: 1 + 40 / 8.
    private static let longestRun = 6

    /// Kernel and processor; where the processor has no generator, its timing.
    public static let standard = MixedRandom([
        KernelRandom(), ProcessorRandom.isAvailable ? ProcessorRandom() : TimingRandom(),
    ])

    /// - Parameter sources: two at least, which have nothing to do with each other.
    public init(_ sources: [any RandomSource]) {
        self.sources = sources
        last = Mutex([:])
    }

    /// Fills memory with random bytes.
    public func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        guard sources.count > 1 else { throw .tooFewSources }
        try memory.forEachBlock(of: Self.blockSize, fillBlock)
    }

    private func fillBlock(_ block: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        var fault: RandomFault?
        do throws(SecretMemoryError) {
            // Locked memory for the time of the mixing.
            _ = try SecretBytes(count: Self.drawSize * sources.count) { draw in
                do throws(RandomFault) { try mix(draw, into: block) } catch { fault = error }
            }
        } catch {
            throw .noMemory
        }
        if let fault { throw fault }
    }

    private func mix(
        _ draw: UnsafeMutableRawBufferPointer, into block: UnsafeMutableRawBufferPointer
    ) throws(RandomFault) {
        for (index, source) in sources.enumerated() {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: draw[index * Self.drawSize..<(index + 1) * Self.drawSize])
            try source.fill(part)
            try check(UnsafeRawBufferPointer(part), of: source, index)
        }
        Self.hash(Self.domain, UnsafeRawBufferPointer(draw), into: block)
    }

    private func check(_ drawn: UnsafeRawBufferPointer, of source: any RandomSource, _ index: Int) throws(RandomFault) {
        var run = 0
        var before: UInt8?
        for byte in drawn {
            run = byte == before ? run + 1 : 1
            before = byte
            guard run < Self.longestRun else { throw .repeating(source: source.name) }
        }
        // Only this digest is kept of a draw.
        var digest = [UInt8](repeating: 0, count: Self.digestSize)
        digest.withUnsafeMutableBytes { Self.hash(Self.lastDomain, drawn, into: $0) }
        let halves = (drawn[..<(drawn.count / 2)], drawn[(drawn.count / 2)...])
        let isRepeated = last.withLock { last in
            defer { last[index] = digest }
            return last[index] == digest
        }
        guard !isRepeated, !halves.0.elementsEqual(halves.1) else { throw .repeating(source: source.name) }
    }

    /// - Parameter domain: the key of the hash, so that two uses of it have nothing to do with each other.
    private static func hash(
        _ domain: [UInt8], _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) {
        _ = crypto_generichash_blake2b(
            output.asBytes, output.count, input.asBytes, UInt64(input.count), domain, domain.count)
    }
}
