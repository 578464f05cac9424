#if canImport(CryptoKit)
    import CryptoKit
#else
    import CLibcrypto
#endif

/// A hash of bytes that come in pieces. After a result it begins anew.
final class HashStream {
    #if canImport(CryptoKit)
        private var state: any CryptoKit.HashFunction

        init(_ function: HashFunction = .sha256) throws(ImageFailure) {
            state = Self.start(function)
            self.function = function
        }

        private static func start(_ function: HashFunction) -> any CryptoKit.HashFunction {
            switch function {
            case .sha1: Insecure.SHA1()
            case .sha256: SHA256()
            case .sha384: SHA384()
            }
        }

        func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

        /// Hands over the result.
        func finish<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ImageFailure) -> R {
            defer { state = Self.start(function) }
            return state.finalize().withUnsafeBytes(body)
        }
    #else
        private let context: OpaquePointer
        private let algorithm: OpaquePointer
        /// Whether the library has refused something since the last result.
        private var isBroken = false

        init(_ function: HashFunction = .sha256) throws(ImageFailure) {
            guard let algorithm = function.algorithm, let context = EVP_MD_CTX_new() else { throw .noHash(function) }
            self.function = function
            self.algorithm = algorithm
            self.context = context
            isBroken = EVP_DigestInit_ex(context, algorithm, nil) != 1
        }

        deinit { EVP_MD_CTX_free(context) }

        func update(_ bytes: UnsafeRawBufferPointer) {
            if EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { isBroken = true }
        }

        /// Hands over the result.
        func finish<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ImageFailure) -> R {
            let result: R? = withUnsafeTemporaryAllocation(byteCount: function.size, alignment: 8) { buffer in
                guard EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1, !isBroken else { return nil }
                return body(UnsafeRawBufferPointer(buffer))
            }
            isBroken = EVP_DigestInit_ex(context, algorithm, nil) != 1
            guard let result else { throw .noHash(function) }
            return result
        }
    #endif

    private let function: HashFunction

    func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    func finish() throws(ImageFailure) -> [UInt8] { try finish { Array($0) } }
}

#if !canImport(CryptoKit)
    extension HashFunction {
        /// The library's description of the function, looked up once: a look-up takes as long as half a page.
        fileprivate var algorithm: OpaquePointer? {
            switch self {
            case .sha1: Algorithms.sha1
            case .sha256: Algorithms.sha256
            case .sha384: Algorithms.sha384
            }
        }
    }

    /// The algorithms of libcrypto. They are never freed and never changed after they were made; libcrypto allows their
    /// use from all threads (EVP_MD_fetch(3)).
    private enum Algorithms {
        nonisolated(unsafe) static let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
        nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
        nonisolated(unsafe) static let sha384 = EVP_MD_fetch(nil, "SHA384", nil)
    }
#endif
