import SecretMemory

/// A Merlin transcript: messages go in under labels, challenges that depend on all of them come out (`substrate-crypto`
/// section 4).
///
/// A value type: a copy goes on by itself. A transcript that was fed a secret has to be erased by the code that fed it.
public struct Transcript: Sendable {
    private var strobe: Strobe128

    /// Begins a protocol.
    public init(label: StaticString) {
        self.init(label: label.bytes)
    }

    /// The same with a label that is not known when compiling: for known answers.
    package init(label: UnsafeRawBufferPointer) {
        strobe = Strobe128(protocolLabel: ("Merlin v1.0" as StaticString).bytes)
        append(label: ("dom-sep" as StaticString).bytes, message: label)
    }

    // MARK: Messages

    /// Appends a message under a label.
    public mutating func append(label: StaticString, message: UnsafeRawBufferPointer) {
        append(label: label.bytes, message: message)
    }

    /// Appends a message under a label.
    public mutating func append(label: StaticString, message: [UInt8]) {
        message.withUnsafeBytes { append(label: label.bytes, message: $0) }
    }

    /// Appends a message under a label.
    public mutating func append(label: StaticString, message: StaticString) {
        append(label: label.bytes, message: message.bytes)
    }

    /// The number as eight bytes, little-endian.
    public mutating func append(label: StaticString, number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { append(label: label.bytes, message: $0) }
    }

    package mutating func append(label: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer) {
        strobe.metaAssociatedData(label, more: false)
        strobe.metaAssociatedData(length: message.count, more: true)
        strobe.associatedData(message, more: false)
    }

    // MARK: Challenges

    /// Fills memory with a challenge that depends on all before.
    public mutating func challenge(_ label: StaticString, into output: UnsafeMutableRawBufferPointer) {
        challenge(label.bytes, into: output)
    }

    /// - Parameter count: bytes of the challenge.
    public mutating func challenge(_ label: StaticString, count: Int) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        output.withUnsafeMutableBytes { challenge(label.bytes, into: $0) }
        return output
    }

    package mutating func challenge(_ label: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        strobe.metaAssociatedData(label, more: false)
        strobe.metaAssociatedData(length: output.count, more: true)
        strobe.pseudoRandom(into: output, more: false)
    }

    // MARK: Secrets

    /// Secret bytes that depend on the transcript, the seeds and fresh randomness. The transcript does not change.
    ///
    /// - Parameter random: 32 bytes that were never used before.
    func witness(
        _ label: StaticString, seeds: [UnsafeRawBufferPointer], random: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        witness(label.bytes, seeds: seeds, random: random, into: output)
    }

    package func witness(
        _ label: UnsafeRawBufferPointer, seeds: [UnsafeRawBufferPointer], random: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        var fork = strobe
        defer { fork.erase() }
        for seed in seeds {
            fork.metaAssociatedData(label, more: false)
            fork.metaAssociatedData(length: seed.count, more: true)
            fork.key(seed, more: false)
        }
        fork.metaAssociatedData(("rng" as StaticString).bytes, more: false)
        fork.key(random, more: false)
        fork.metaAssociatedData(length: output.count, more: false)
        fork.pseudoRandom(into: output, more: false)
    }

    /// Overwrites the state with zeros.
    mutating func erase() {
        strobe.erase()
    }
}

extension StaticString {
    /// The UTF-8 of a literal. All labels of this room are literals of more than one scalar or empty, which are stored
    /// as pointers.
    fileprivate var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
