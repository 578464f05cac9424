import CSodium

// @unchecked: the only stored mutable thing is the memory behind `start`, which is written before `init` returns and
// not after, so that any number of threads may read it; `deinit` runs when no reference is left.

/// Bytes that must not leak: in memory that is secret, or locked, or where the system locks no more at least left out
/// of dumps (``SecretBacking`` tells which); zeroised when the last reference goes, and without any way to be printed.
///
/// A child made by `fork` does not have them; one that goes on without `exec` must not touch any.
///
/// The content is written once, while the value is made, and read only inside ``withUnsafeBytes(_:)``. There is no
/// `String`, no `Codable`, no growing; equality takes the same time wherever the bytes differ.
///
///     let pin = try SecretBytes(count: 6) { buffer in read(descriptor, buffer.baseAddress, 6) }
///     let key = try pin.withUnsafeBytes { try stretch($0) }
///
/// Source: `substrate-crypto` section 14, `mainkey` section 20.
public final class SecretBytes: @unchecked Sendable {
    /// Number of bytes. Not secret.
    public let count: Int
    private let start: UnsafeMutableRawPointer
    private let arena: SecretArena

    /// Zero bytes, to be written before the initialiser that asked for them returns.
    private init(zeroed count: Int, in arena: SecretArena = .shared) throws(SecretMemoryError) {
        precondition(count >= 0, "a count of bytes is not negative")
        try Sodium.start()
        self.count = count
        self.arena = arena
        start = try arena.take(count)
    }

    deinit {
        arena.giveBack(start, count)
    }

    /// Makes `count` bytes and lets `fill` write them, in place, from all zero.
    public convenience init(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SecretMemoryError) {
        try self.init(zeroed: count)
        fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    /// The same in an arena of the caller's, so that tests reach every backing.
    convenience init(
        count: Int, in arena: SecretArena, filling fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SecretMemoryError) {
        try self.init(zeroed: count, in: arena)
        fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    /// The same where writing the bytes may fail; they are zeroised then.
    ///
    /// - Throws: ``SecretMemoryError`` if there is no memory, or what `fill` throws.
    public convenience init(count: Int, attempting fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try self.init(zeroed: count)
        try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    /// A copy of bytes that the caller keeps and zeroises itself.
    public convenience init(copying bytes: UnsafeRawBufferPointer) throws(SecretMemoryError) {
        try self.init(zeroed: bytes.count)
        if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: bytes.count) }
    }

    /// A copy of bytes that are no secret by themselves, for what takes a secret: a salt, a known answer.
    package convenience init(copying bytes: [UInt8]) throws(SecretMemoryError) {
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Takes over the content of an array, which is zeros afterwards.
    public convenience init(movingFrom bytes: inout [UInt8]) throws(SecretMemoryError) {
        defer { zeroise(&bytes) }
        try self.init(zeroed: bytes.count)
        bytes.withUnsafeBytes { source in
            if let address = source.baseAddress { start.copyMemory(from: address, byteCount: source.count) }
        }
    }

    /// `count` bytes for a secret that is kept: a seed, a recovery code, a key of data.
    ///
    /// - Parameter source: by default independent ones, mixed.
    /// - Throws: ``SecretMemoryError/random(_:)`` where a source fails.
    public static func drawn(
        count: Int, from source: any RandomSource = MixedRandom.standard
    ) throws(SecretMemoryError) -> SecretBytes {
        let bytes = try SecretBytes(zeroed: count)
        do throws(RandomFault) {
            try source.fill(UnsafeMutableRawBufferPointer(start: bytes.start, count: count))
        } catch {
            throw .random(error)
        }
        return bytes
    }

    /// `count` bytes that are used once, like a nonce, from the kernel's random source; see ``drawn(count:from:)`` for
    /// those that are kept.
    public static func random(count: Int) throws(SecretMemoryError) -> SecretBytes {
        let bytes = try SecretBytes(zeroed: count)
        randombytes_buf(bytes.start, count)
        return bytes
    }

    /// Lends the bytes for the time of `body`. The pointer must not leave it.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // Held to the end, so that the memory is not zeroised while `body` reads it.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of some of the bytes.
    ///
    /// - Parameter range: within ``count``.
    public func part(_ range: Range<Int>) throws(SecretMemoryError) -> SecretBytes {
        try withUnsafeBytes { (bytes) throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends on the lengths only.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.count == right.count && sodium_memcmp(left.start, right.start, left.count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that there is a secret, and nothing of it.
    public var description: String { "SecretBytes(\(count) bytes)" }
    /// Never the secret.
    public var debugDescription: String { description }
    /// Never the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
