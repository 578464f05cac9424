#if !canImport(CryptoKit)
    import CLibcrypto
    import SecretMemory

    /// Arithmetic on NIST P-256 by libcrypto, which zeroises what is private in its own memory when it lets go of it.
    enum Curve {
        private static let pointBytes = 65
        /// DER of a signature at its longest.
        private static let maximumSignature = 72

        /// It is never changed and never freed, and libcrypto reads it from all threads.
        private nonisolated(unsafe) static let group: OpaquePointer = {
            guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
                preconditionFailure("libcrypto does not have the curve NIST P-256")
            }
            return group
        }()

        // MARK: Points

        /// Whether bytes are a point of the curve.
        static func hasPoint(_ x963: [UInt8]) -> Bool {
            guard let point = EC_POINT_new(group) else { return false }
            defer { EC_POINT_free(point) }
            return EC_POINT_oct2point(group, point, x963, x963.count, nil) == 1
        }

        /// The public point of a scalar, uncompressed; nil unless the scalar is in range.
        static func point(of scalar: UnsafeRawBufferPointer) -> [UInt8]? {
            guard let number = BN_bin2bn(scalar.asBytes, Int32(scalar.count), nil) else { return nil }
            defer { BN_clear_free(number) }
            BN_set_flags(number, BN_FLG_CONSTTIME)
            guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0,
                let point = EC_POINT_new(group)
            else { return nil }
            defer { EC_POINT_free(point) }
            var bytes = [UInt8](repeating: 0, count: pointBytes)
            guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
                EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, pointBytes, nil) == pointBytes
            else { return nil }
            return bytes
        }

        // MARK: Keys

        static func verifies(_ der: [UInt8], ofDigest digest: [UInt8], by point: [UInt8]) -> Bool {
            withKey(point: point, scalar: nil) { key in
                withContext(of: key) { context in
                    EVP_PKEY_verify_init(context) == 1
                        && EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
                }
            }
        }

        /// - Returns: DER; nil where the library has no memory or no randomness.
        static func sign(_ digest: [UInt8], by scalar: UnsafeRawBufferPointer) -> [UInt8]? {
            var signature = [UInt8](repeating: 0, count: maximumSignature)
            var count = signature.count
            let isSigned = withKey(point: nil, scalar: scalar) { key in
                withContext(of: key) { context in
                    EVP_PKEY_sign_init(context) == 1
                        && EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
                }
            }
            return isSigned ? Array(signature[..<count]) : nil
        }

        /// Writes the x coordinate that both sides have.
        static func agree(
            _ scalar: UnsafeRawBufferPointer, with point: [UInt8], into output: UnsafeMutableRawBufferPointer
        ) -> Bool {
            withKey(point: nil, scalar: scalar) { own in
                withKey(point: point, scalar: nil) { other in
                    withContext(of: own) { context in
                        var count = output.count
                        return EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
                            && EVP_PKEY_derive(context, output.asBytes, &count) == 1 && count == output.count
                    }
                }
            }
        }

        /// Writes the scalar of a key, big-endian, in as many bytes as there is room for.
        static func readScalar(ofDER der: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
            let start: UnsafePointer<UInt8> = der.asBytes
            var end: UnsafePointer<UInt8>? = start
            guard let key = d2i_PrivateKey(EVP_PKEY_EC, nil, &end, der.count) else { return false }
            defer { EVP_PKEY_free(key) }
            guard end == start + der.count else { return false }
            var name = [CChar](repeating: 0, count: 32)
            var scalar: OpaquePointer?
            guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1, strcmp(name, "prime256v1") == 0,
                EVP_PKEY_get_bn_param(key, "priv", &scalar) == 1
            else { return false }
            defer { BN_clear_free(scalar) }
            return BN_bn2binpad(scalar, output.asBytes, Int32(output.count)) == output.count
        }

        /// Lends a key of the library's.
        private static func withKey(
            point: [UInt8]?, scalar: UnsafeRawBufferPointer?, _ body: (OpaquePointer) -> Bool
        ) -> Bool {
            let number = scalar.flatMap { BN_bin2bn($0.asBytes, Int32($0.count), BN_secure_new()) }
            defer { BN_clear_free(number) }
            guard (number == nil) == (scalar == nil) else { return false }
            if let number { BN_set_flags(number, BN_FLG_CONSTTIME) }
            let parts = scalar == nil ? clibcrypto_public_key : clibcrypto_key_pair
            let key = (point ?? [UInt8]()).withUnsafeBufferPointer { point in
                makeKey(of: parts) { parameters in
                    if point.count > 0 {
                        let pushed = OSSL_PARAM_BLD_push_octet_string(
                            parameters, Name.point.start, point.baseAddress, point.count)
                        guard pushed == 1 else { return false }
                    }
                    guard let number, let scalar else { return true }
                    // As many bytes as the curve has, whatever the number is.
                    return OSSL_PARAM_BLD_push_BN_pad(parameters, Name.scalar.start, number, scalar.count) == 1
                }
            }
            guard let key else { return false }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }

        /// Makes a key of the library's.
        ///
        /// - Parameters:
        ///   - parts: what it has, as libcrypto names it.
        ///   - push: adds to the parameters. They keep the addresses that they are given, and not what lies
        ///     there: it has to stay until this returns.
        private static func makeKey(of parts: Int, _ push: (_ parameters: OpaquePointer) -> Bool) -> OpaquePointer? {
            guard let parameters = OSSL_PARAM_BLD_new() else { return nil }
            defer { OSSL_PARAM_BLD_free(parameters) }
            guard OSSL_PARAM_BLD_push_utf8_string(parameters, Name.group.start, Name.curve.start, 0) == 1,
                push(parameters), let list = OSSL_PARAM_BLD_to_param(parameters)
            else { return nil }
            defer { OSSL_PARAM_free(list) }
            guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
            defer { EVP_PKEY_CTX_free(context) }
            var key: OpaquePointer?
            guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &key, Int32(parts), list) == 1 else {
                return nil
            }
            return key
        }

        /// Names in the library's parameters, which keep their addresses.
        private enum Name {
            static let group: StaticString = "group"
            static let curve: StaticString = "prime256v1"
            static let point: StaticString = "pub"
            static let scalar: StaticString = "priv"
        }

        private static func withContext(of key: OpaquePointer, _ body: (OpaquePointer) -> Bool) -> Bool {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            return body(context)
        }
    }

    extension StaticString {
        /// Where the text begins, which ends with a zero and is there as long as the program.
        fileprivate var start: UnsafePointer<CChar> {
            UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
        }
    }
#endif
