import CSodium

package typealias HMACSHA256 = HMACOverSHA2<crypto_auth_hmacsha256_state>
package typealias HMACSHA512 = HMACOverSHA2<crypto_auth_hmacsha512_state>

/// HMAC over SHA-2 (RFC 2104) whose keys, states and secret outputs never leave locked memory.
///
/// The one thing on the stack is a state, which holds what the key became; it is zeroised.
package enum HMACOverSHA2<State: HMACState> {
    /// How many bytes a code has.
    @inlinable package static var byteCount: Int { State.byteCount }

    /// The code of parts that are joined, as bytes that are not secret.
    @inlinable
    package static func code(key: SecretBytes, _ parts: [[UInt8]]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        output.withUnsafeMutableBytes { output in
            write(key: key, into: output) { update in
                for part in parts { part.withUnsafeBytes(update) }
            }
        }
        return output
    }

    /// Whether bytes are the code of parts that are joined, compared in constant time.
    @inlinable
    package static func isCode(_ code: [UInt8], key: SecretBytes, _ parts: [[UInt8]]) -> Bool {
        code.count == byteCount && sodium_memcmp(code, Self.code(key: key, parts), byteCount) == 0
    }

    /// The code of a secret, which is one too.
    @inlinable
    package static func secretCode(
        key: UnsafeRawBufferPointer, of message: SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: byteCount) { output in
            write(into: output, starting: { $0.start(key: key) }) { update in message.withUnsafeBytes(update) }
        }
    }

    /// Writes the code of what `body` feeds.
    ///
    /// - Parameter output: as many bytes as a code has.
    @inlinable
    package static func write(
        key: SecretBytes, into output: UnsafeMutableRawBufferPointer,
        _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        write(into: output, starting: { state in key.withUnsafeBytes { state.start(key: $0) } }, body)
    }

    @usableFromInline
    static func write(
        into output: UnsafeMutableRawBufferPointer, starting start: (inout State) -> Void,
        _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        precondition(output.count == byteCount, "a code has \(byteCount) bytes")
        var state = State()
        defer { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.asBytes, $0.count) } }
        start(&state)
        body { state.update($0) }
        state.finish(into: output)
    }

    /// A key as it is after its two blocks, in locked memory: half of the work of a short code.
    package struct PreparedKey: Sendable {
        @usableFromInline let state: SecretBytes

        package init(_ key: SecretBytes) throws(SecretMemoryError) {
            state = try SecretBytes(count: MemoryLayout<State>.size) { memory in
                let state = memory.bindMemory(to: State.self)
                key.withUnsafeBytes { state[0].start(key: $0) }
            }
        }

        /// Writes the code of what `body` feeds.
        ///
        /// - Parameter output: as many bytes as a code has.
        @inlinable
        package func write(
            into output: UnsafeMutableRawBufferPointer, _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
        ) {
            HMACOverSHA2.write(
                into: output, starting: { copy in state.withUnsafeBytes { copy = $0.load(as: State.self) } }, body)
        }
    }
}

/// A state of libsodium's HMAC, between its first byte and its last.
package protocol HMACState: Sendable {
    static var byteCount: Int { get }

    init()
    mutating func start(key: UnsafeRawBufferPointer)
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    mutating func finish(into output: UnsafeMutableRawBufferPointer)
}

extension crypto_auth_hmacsha256_state: HMACState {
    package static var byteCount: Int { 32 }

    package mutating func start(key: UnsafeRawBufferPointer) {
        _ = crypto_auth_hmacsha256_init(&self, key.asBytes, key.count)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        _ = crypto_auth_hmacsha256_update(&self, bytes.asBytes, UInt64(bytes.count))
    }

    package mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        _ = crypto_auth_hmacsha256_final(&self, output.asBytes)
    }
}

extension crypto_auth_hmacsha512_state: HMACState {
    package static var byteCount: Int { 64 }

    package mutating func start(key: UnsafeRawBufferPointer) {
        _ = crypto_auth_hmacsha512_init(&self, key.asBytes, key.count)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        _ = crypto_auth_hmacsha512_update(&self, bytes.asBytes, UInt64(bytes.count))
    }

    package mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        _ = crypto_auth_hmacsha512_final(&self, output.asBytes)
    }
}
