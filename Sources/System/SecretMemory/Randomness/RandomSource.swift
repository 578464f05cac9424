import CLinux
import CSodium

/// Where random bytes come from.
public protocol RandomSource: Sendable {
    /// The name of the source, in words for a person.
    var name: String { get }

    /// Fills all of the memory, or throws.
    func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault)
}

/// Why random bytes are not used.
public enum RandomFault: Error, Hashable, Sendable {
    /// The source gave nothing.
    case silent(source: String)
    /// The source gave the same byte many times in a row, or the same block twice.
    case repeating(source: String)
    /// There are fewer than two sources to be mixed.
    case tooFewSources
    /// There is no memory to mix them in.
    case noMemory
}

extension RandomFault: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .silent(let source): "\(source) gives no random bytes, so no secret was made."
        case .repeating(let source): "\(source) repeats itself, so no secret was made of it. Do not use this machine."
        case .tooFewSources: "This machine has fewer than two random sources, so no secret was made."
        case .noMemory: "There is no locked memory to draw random bytes into. Raise ulimit -l."
        }
    }
}

/// The kernel's generator (getrandom), through libsodium, which ends the process where it fails.
public struct KernelRandom: RandomSource {
    /// What messages call it.
    public let name = "The kernel's random source"

    /// Makes the source.
    public init() {}

    /// Fills memory with random bytes.
    public func fill(_ memory: UnsafeMutableRawBufferPointer) {
        randombytes_buf(memory.asBytes, memory.count)
    }

    /// Draws bytes that are no secret: salts and nonces.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, drawn in
            KernelRandom().fill(UnsafeMutableRawBufferPointer(bytes))
            drawn = count
        }
    }
}

/// The processor's own generator (RDSEED, else RDRAND), asked without the kernel.
package struct ProcessorRandom: RandomSource {
    /// What messages call it.
    package let name = "The processor's random source"

    /// Makes the source.
    package init() {}

    /// Whether this processor has one.
    package static var isAvailable: Bool {
        var byte: UInt8 = 0
        return clinux_processor_random(&byte, 1) == 0
    }

    /// Fills memory with random bytes.
    package func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        guard clinux_processor_random(memory.asBytes, memory.count) == 0 else { throw .silent(source: name) }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Calls `body` with one piece after the other; the last may be shorter.
    func forEachBlock(
        of size: Int, _ body: (UnsafeMutableRawBufferPointer) throws(RandomFault) -> Void
    ) throws(RandomFault) {
        var start = 0
        while start < count {
            let end = Swift.min(start + size, count)
            try body(UnsafeMutableRawBufferPointer(rebasing: self[start..<end]))
            start = end
        }
    }
}
