import CLibcrypto
import CSodium
import SecretMemory
import Synchronization

/// AES-256-GCM under one key, with nonces of 12 and tags of 16 bytes.
///
/// Two backends give the same bytes (`mainkey` section 4): libsodium, whose key schedule lies in locked memory, for
/// single values, and libcrypto, which is three times as fast in bulk, for files and where libsodium has no hardware
/// for AES. Neither leaves a copy of the key behind; swift-crypto's does, in a freed heap block, and is not used with
/// long-lived keys.
package protocol AESGCM: Sendable {
    /// - Parameters:
    ///   - nonce: 12 bytes that this key has not been used with.
    ///   - output: 16 bytes more than `plaintext`; may begin where it begins.
    func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer)

    /// - Parameter output: 16 bytes fewer than `sealed`; holds zeros or nothing of use when this fails.
    /// - Returns: whether the content is authentic.
    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool
}

package enum AEAD {
    static let nonceByteCount = 12
    static let tagByteCount = 16
    static let keyByteCount = 32

    /// An implementation of AES-256-GCM.
    package enum Backend: String, CaseIterable, Sendable {
        case libsodium, libcrypto

        /// Whether this machine can use it: libsodium's needs AES instructions.
        package var isAvailable: Bool { self == .libcrypto || crypto_aead_aes256gcm_is_available() == 1 }

        /// - Parameter key: 32 bytes.
        package func cipher(key: SecretBytes) throws(MainKeyError) -> any AESGCM {
            switch self {
            case .libsodium: try SodiumAESGCM(key: key)
            case .libcrypto: try LibcryptoAESGCM(key: key)
            }
        }
    }

    /// The implementation that seals single values here.
    package static let valueBackend = Backend.libsodium.isAvailable ? Backend.libsodium : .libcrypto

    /// The cipher for values, slots and epochs.
    static func forValues(key: SecretBytes) throws(MainKeyError) -> any AESGCM {
        try valueBackend.cipher(key: key)
    }
}

extension AESGCM {
    /// Seals with a nonce of its own array, and nothing else to be authenticated.
    func seal(_ plaintext: UnsafeRawBufferPointer, nonce: [UInt8], into output: UnsafeMutableRawBufferPointer) {
        nonce.withUnsafeBytes {
            seal(plaintext, nonce: $0, data: UnsafeRawBufferPointer(start: nil, count: 0), into: output)
        }
    }

    /// The reverse of ``seal(_:nonce:into:)``.
    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        nonce.withUnsafeBytes {
            open(sealed, nonce: $0, data: UnsafeRawBufferPointer(start: nil, count: 0), into: output)
        }
    }

    /// Seals bytes that may be secret into bytes that are not.
    package func seal(_ plaintext: SecretBytes, nonce: [UInt8], data: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plaintext.count + AEAD.tagByteCount) { output, count in
            plaintext.withUnsafeBytes {
                seal($0, nonce: nonce, data: data, into: UnsafeMutableRawBufferPointer(output))
            }
            count = plaintext.count + AEAD.tagByteCount
        }
    }

    /// - Returns: nil if the content is not authentic.
    package func open(_ sealed: some Collection<UInt8>, nonce: [UInt8], data: [UInt8]) throws(MainKeyError)
        -> SecretBytes?
    {
        guard sealed.count >= AEAD.tagByteCount else { return nil }
        let bytes = Array(sealed)
        var authentic = false
        let plaintext = try secret {
            try SecretBytes(count: bytes.count - AEAD.tagByteCount) { output in
                authentic = bytes.withUnsafeBytes { open($0, nonce: nonce, data: data, into: output) }
            }
        }
        return authentic ? plaintext : nil
    }

    private func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: [UInt8], data: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) {
        nonce.withUnsafeBytes { nonce in
            data.withUnsafeBytes { data in seal(plaintext, nonce: nonce, data: data, into: output) }
        }
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], data: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        nonce.withUnsafeBytes { nonce in
            data.withUnsafeBytes { data in open(sealed, nonce: nonce, data: data, into: output) }
        }
    }
}

/// libsodium's implementation, which needs AES instructions. The key schedule lies in locked memory.
final class SodiumAESGCM: AESGCM {
    // Read only after `init`, so that any number of threads may use it.
    private let schedule: SecretBytes

    init(key: SecretBytes) throws(MainKeyError) {
        precondition(key.count == AEAD.keyByteCount, "an AES-256 key has 32 bytes")
        schedule = try secret {
            try SecretBytes(count: crypto_aead_aes256gcm_statebytes()) { state in
                key.withUnsafeBytes { key in
                    _ = crypto_aead_aes256gcm_beforenm(Self.state(UnsafeRawBufferPointer(state)), key.asBytes)
                }
            }
        }
    }

    private static func state(_ memory: UnsafeRawBufferPointer) -> UnsafeMutablePointer<crypto_aead_aes256gcm_state> {
        // The instructions read the schedule in units of 16 bytes.
        precondition(Int(bitPattern: memory.baseAddress) & 15 == 0, "locked memory is aligned to 16 bytes")
        return UnsafeMutableRawPointer(mutating: memory.baseAddress!)
            .assumingMemoryBound(to: crypto_aead_aes256gcm_state.self)
    }

    func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(nonce.count == AEAD.nonceByteCount, "a nonce has 12 bytes")
        precondition(output.count == plaintext.count + AEAD.tagByteCount, "the output takes the tag too")
        _ = schedule.withUnsafeBytes { schedule in
            crypto_aead_aes256gcm_encrypt_afternm(
                output.asBytes, nil, plaintext.asBytes, UInt64(plaintext.count), data.asBytes, UInt64(data.count), nil,
                nonce.asBytes, Self.state(schedule))
        }
    }

    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(nonce.count == AEAD.nonceByteCount, "a nonce has 12 bytes")
        precondition(output.count + AEAD.tagByteCount == sealed.count, "the output is without the tag")
        return schedule.withUnsafeBytes { schedule in
            crypto_aead_aes256gcm_decrypt_afternm(
                output.asBytes, nil, nil, sealed.asBytes, UInt64(sealed.count), data.asBytes, UInt64(data.count),
                nonce.asBytes, Self.state(schedule)) == 0
        }
    }
}

/// libcrypto's implementation, with one context that is used again. libcrypto zeroises the key schedule when it frees
/// it.
// @unchecked: the contexts are used under the lock only.
final class LibcryptoAESGCM: AESGCM, @unchecked Sendable {
    private let sealing: OpaquePointer
    private let opening: OpaquePointer
    private let lock = Mutex(())

    init(key: SecretBytes) throws(MainKeyError) {
        precondition(key.count == AEAD.keyByteCount, "an AES-256 key has 32 bytes")
        guard let sealing = EVP_CIPHER_CTX_new(), let opening = EVP_CIPHER_CTX_new() else {
            throw .limitExceeded(reason: "libcrypto gave no context")
        }
        self.sealing = sealing
        self.opening = opening
        let started = key.withUnsafeBytes { key in
            EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), nil, key.asBytes, nil) == 1
                && EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), nil, key.asBytes, nil) == 1
        }
        guard started else { throw .internalFailure(reason: "libcrypto has no AES-256-GCM") }
    }

    deinit {
        EVP_CIPHER_CTX_free(sealing)
        EVP_CIPHER_CTX_free(opening)
    }

    func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(nonce.count == AEAD.nonceByteCount, "a nonce has 12 bytes")
        precondition(output.count == plaintext.count + AEAD.tagByteCount, "the output takes the tag too")
        precondition(plaintext.count <= Int(Int32.max), "one message is less than 2 GiB")
        let sealed = lock.withLock { _ -> Bool in
            var written: Int32 = 0
            return EVP_EncryptInit_ex(sealing, nil, nil, nil, nonce.asBytes) == 1
                && (data.isEmpty
                    || EVP_EncryptUpdate(sealing, nil, &written, data.asBytes, Int32(data.count)) == 1)
                && EVP_EncryptUpdate(sealing, output.asBytes, &written, plaintext.asBytes, Int32(plaintext.count)) == 1
                && EVP_EncryptFinal_ex(sealing, output.asBytes + Int(written), &written) == 1
                && EVP_CIPHER_CTX_ctrl(
                    sealing, EVP_CTRL_AEAD_GET_TAG, Int32(AEAD.tagByteCount), output.asBytes + plaintext.count) == 1
        }
        if sealed { return }
        // Only a broken libcrypto comes here. Going on would store cleartext as if it were sealed.
        sodium_memzero(output.baseAddress, output.count)
        fatalError("libcrypto does not encrypt")
    }

    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(nonce.count == AEAD.nonceByteCount, "a nonce has 12 bytes")
        precondition(output.count + AEAD.tagByteCount == sealed.count, "the output is without the tag")
        precondition(output.count <= Int(Int32.max), "one message is less than 2 GiB")
        let authentic = lock.withLock { _ -> Bool in
            var written: Int32 = 0
            // The tag is copied from there, not written to.
            let tag = UnsafeMutablePointer(mutating: sealed.asBytes + output.count)
            return EVP_DecryptInit_ex(opening, nil, nil, nil, nonce.asBytes) == 1
                && (data.isEmpty
                    || EVP_DecryptUpdate(opening, nil, &written, data.asBytes, Int32(data.count)) == 1)
                && EVP_DecryptUpdate(opening, output.asBytes, &written, sealed.asBytes, Int32(output.count)) == 1
                && EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_AEAD_SET_TAG, Int32(AEAD.tagByteCount), tag) == 1
                && EVP_DecryptFinal_ex(opening, output.asBytes + Int(written), &written) == 1
        }
        // libcrypto hands out plaintext before it has verified it.
        if !authentic, let start = output.baseAddress { sodium_memzero(start, output.count) }
        return authentic
    }
}
