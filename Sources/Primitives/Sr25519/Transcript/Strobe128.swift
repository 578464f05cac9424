import CSodium

/// The part of STROBE-128 1.0.2 that Merlin transcripts need (`substrate-crypto` section 3).
///
/// The state may depend on secrets: it has no secret-dependent branch or index, and is zeroised by ``erase()``, which
/// has to be called after a secret was fed in.
struct Strobe128 {
    /// Bytes of the state that input and output pass through.
    private static let rate = 166

    private struct Flags {
        static let inbound: UInt8 = 1
        static let application: UInt8 = 2
        static let cipher: UInt8 = 4
        static let meta: UInt8 = 16
        static let keyTree: UInt8 = 32
    }

    private var state = Keccak.State(repeating: 0)
    private var position = 0
    private var operationStart: UInt8 = 0
    private var currentFlags: UInt8 = 0

    init(protocolLabel: UnsafeRawBufferPointer) {
        let header: [UInt8] = [1, 168, 1, 0, 1, 96] + Array("STROBEv1.0.2".utf8)
        for (index, byte) in header.enumerated() { xor(byte, at: index) }
        Keccak.permute(&state)
        metaAssociatedData(protocolLabel, more: false)
    }

    // MARK: Operations

    mutating func metaAssociatedData(_ label: UnsafeRawBufferPointer, more: Bool) {
        begin(Flags.meta | Flags.application, more: more)
        absorb(label)
    }

    /// The length of what follows, as Merlin frames it: 32 bits, little-endian.
    mutating func metaAssociatedData(length: Int, more: Bool) {
        begin(Flags.meta | Flags.application, more: more)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { absorb($0) }
    }

    mutating func associatedData(_ bytes: UnsafeRawBufferPointer, more: Bool) {
        begin(Flags.application, more: more)
        absorb(bytes)
    }

    mutating func key(_ bytes: UnsafeRawBufferPointer, more: Bool) {
        begin(Flags.application | Flags.cipher, more: more)
        withStateBytes(bytes.count) { state, offset, range in
            for index in 0..<range.count { state[offset + index] = bytes[range.lowerBound + index] }
        }
    }

    mutating func pseudoRandom(into output: UnsafeMutableRawBufferPointer, more: Bool) {
        begin(Flags.inbound | Flags.application | Flags.cipher, more: more)
        withStateBytes(output.count) { state, offset, range in
            for index in 0..<range.count {
                output[range.lowerBound + index] = state[offset + index]
                state[offset + index] = 0
            }
        }
    }

    /// Overwrites the state with zeros.
    mutating func erase() {
        withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress!, $0.count) }
        position = 0
    }

    // MARK: Duplex

    private mutating func begin(_ flags: UInt8, more: Bool) {
        if more {
            precondition(flags == currentFlags, "an operation is continued by the same operation")
            return
        }
        let previousStart = operationStart
        // The start is noted before the two header bytes, which may themselves cross the rate.
        operationStart = UInt8(position + 1)
        currentFlags = flags
        let header: (UInt8, UInt8) = (previousStart, flags)
        withUnsafeBytes(of: header) { absorb($0) }
        if flags & (Flags.cipher | Flags.keyTree) != 0 && position != 0 { runF() }
    }

    private mutating func absorb(_ bytes: UnsafeRawBufferPointer) {
        withStateBytes(bytes.count) { state, offset, range in
            for index in 0..<range.count { state[offset + index] ^= bytes[range.lowerBound + index] }
        }
    }

    /// Splits `count` bytes into runs that fit the rate, and hands each run with its place in the state to `body`.
    @inline(__always)
    private mutating func withStateBytes(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer, Int, Range<Int>) -> Void
    ) {
        var done = 0
        while done < count {
            let run = min(Self.rate - position, count - done)
            let offset = position
            withUnsafeMutableBytes(of: &state) { body($0, offset, done..<done + run) }
            done += run
            position += run
            if position == Self.rate { runF() }
        }
    }

    private mutating func runF() {
        xor(operationStart, at: position)
        xor(0x04, at: position + 1)
        xor(0x80, at: Self.rate + 1)
        Keccak.permute(&state)
        position = 0
        operationStart = 0
    }

    private mutating func xor(_ byte: UInt8, at index: Int) {
        state[index >> 3] ^= UInt64(byte) << UInt64(8 * (index & 7))
    }
}
