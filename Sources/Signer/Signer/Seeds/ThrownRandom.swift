import SecretMemory
import Synchronization

/// Throws of dice or coins as a random source, to be mixed with those of the machine and never used alone.
///
///     let source = MixedRandom.standard(with: try ThrownRandom(typed, of: .dice))
///
/// Each block of output is HMAC-SHA512 under the throws, as one byte each, of a domain and the number of the block. So
/// whoever knows the throws knows all of its output; ``MixedRandom`` gives what takes its other sources as well.
///
/// Source: `signer-product` section 3.2.
public final class ThrownRandom: RandomSource {
    /// What is thrown.
    public enum Kind: String, CaseIterable, Sendable {
        /// Dice with six sides: digits 1 to 6.
        case dice
        /// Coins: 0 or 1, or h for heads and t for tails.
        case coins

        /// Throws at the least: so many hold 128 bits by themselves.
        package var fewest: Int { self == .dice ? 50 : 128 }
        /// Bits in a throw of something fair.
        package var bitsEach: Double { self == .dice ? 2.584_962_500_721_156 : 1 }

        /// The throw that a character stands for.
        fileprivate func value(_ character: UInt8) -> UInt8? {
            switch (self, character) {
            case (.dice, UInt8(ascii: "1")...UInt8(ascii: "6")): character
            case (.coins, UInt8(ascii: "0")), (.coins, UInt8(ascii: "1")): character
            case (.coins, UInt8(ascii: "t")), (.coins, UInt8(ascii: "T")): UInt8(ascii: "0")
            case (.coins, UInt8(ascii: "h")), (.coins, UInt8(ascii: "H")): UInt8(ascii: "1")
            default: nil
            }
        }
    }

    /// What messages call it.
    public let name = "What was thrown"
    /// How many throws there are.
    public let count: Int
    /// Bits that they hold, if what was thrown is fair.
    public let bits: Double

    private let values: SecretBytes
    private let blocks = Mutex<UInt64>(0)
    private static let domain = Array("casemate/random/thrown/v1".utf8)

    /// Reads throws.
    ///
    /// - Parameters:
    ///   - typed: ASCII characters, one for each throw; blanks between them are passed over.
    ///   - kind: what was thrown.
    /// - Throws: ``ThrowsFault``, which tells no throw.
    public init(_ typed: SecretBytes, of kind: Kind) throws {
        var found = 0
        var isOneValue = true
        let all = try SecretBytes(count: max(1, typed.count)) { values in
            typed.withUnsafeBytes { typed in
                for character in typed where character != UInt8(ascii: " ") {
                    // Zero is no throw: it is told below where it stands.
                    values[found] = kind.value(character) ?? 0
                    isOneValue = isOneValue && values[found] == values[0]
                    found += 1
                }
            }
        }
        if let place = all.withUnsafeBytes({ $0.prefix(found).firstIndex(of: 0) }) {
            throw ThrowsFault.noThrow(kind, place: place + 1)
        }
        guard found >= kind.fewest else { throw ThrowsFault.tooFew(kind, count: found) }
        guard !isOneValue else { throw ThrowsFault.allEqual(kind) }
        values = try all.part(0..<found)
        count = found
        bits = Double(found) * kind.bitsEach
    }

    /// Fills memory with what follows from the throws; no two calls give the same.
    public func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        let size = HMACSHA512.byteCount
        var start = 0
        while start < memory.count {
            let number = blocks.withLock { blocks in
                blocks += 1
                return blocks
            }
            let block: SecretBytes
            do throws(SecretMemoryError) {
                block = try SecretBytes(count: size) { output in
                    HMACSHA512.write(key: values, into: output) { update in
                        Self.domain.withUnsafeBytes(update)
                        withUnsafeBytes(of: number.bigEndian, update)
                    }
                }
            } catch { throw .noMemory }
            let end = min(start + size, memory.count)
            block.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: memory[start..<end])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(end - start)]))
            }
            start = end
        }
    }

    /// What a person is told of throws that were taken: how many, and what they hold.
    package func told(as kind: Kind) -> String {
        "\(count) throws of \(kind.rawValue) were mixed in: \(Int(bits.rounded(.down))) bits if they are fair."
    }
}

extension MixedRandom {
    /// The sources of ``standard`` and one more.
    public static func standard(with other: some RandomSource) -> MixedRandom { MixedRandom([standard, other]) }
}

/// Why throws are not taken. No text tells any of them.
public enum ThrowsFault: Error, Hashable, Sendable {
    /// A character stands for no throw; the place counts from 1, without blanks.
    case noThrow(ThrownRandom.Kind, place: Int)
    /// There are too few.
    case tooFew(ThrownRandom.Kind, count: Int)
    /// All are the same.
    case allEqual(ThrownRandom.Kind)

    /// Its name in messages and JSON.
    public var code: String {
        switch self {
        case .noThrow: "NoThrow"
        case .tooFew: "TooFewThrows"
        case .allEqual: "ThrowsAllEqual"
        }
    }
}

extension ThrowsFault: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noThrow(let kind, let place):
            "Character \(place) is no throw. Type \(kind.characters) for each, blanks between them as you like."
        case .tooFew(let kind, let count):
            "\(count) throws are too few: \(kind.fewest) of \(kind.rawValue) hold 128 bits. Throw on, and type all of them."
        case .allEqual(let kind): "All throws are the same, which \(kind.rawValue) do not do. Throw again."
        }
    }
}

extension ThrownRandom.Kind {
    fileprivate var characters: String { self == .dice ? "a digit from 1 to 6" : "0 or 1, or h or t," }
}
