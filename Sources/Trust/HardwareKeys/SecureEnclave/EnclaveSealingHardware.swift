#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import SecretMemory
    import Security

    /// Keys of sealed secrets, agreed between a key of the Secure Enclave and a public key whose private half was
    /// thrown away.
    ///
    /// It stores an ``EnclaveBlob`` without biometry: no person is asked. The key is HKDF-SHA-256 of the agreement
    /// without salt, with the label `casemate/sealed-secret/enclave/v1` and a zero byte.
    struct EnclaveSealingHardware: SealingHardware {
        let kind = KeyKind.secureEnclave
        private static let label = Array("casemate/sealed-secret/enclave/v1\0".utf8)

        /// Returns nil on a device without an enclave.
        init?() {
            guard SecureEnclave.isAvailable else { return nil }
        }

        func makeKey() throws(HardwareKeyError) -> (key: SecretBytes, stored: [UInt8]) {
            guard
                let access = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil),
                let enclaveKey = try? SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
            else { throw .unavailable(.none) }
            let stored = EnclaveBlob(
                needsBiometry: false, representation: Array(enclaveKey.dataRepresentation),
                ephemeralKey: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
            ).serialised
            return (try release(stored), stored)
        }

        func release(_ stored: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
            let blob = try EnclaveBlob(parsing: stored)
            guard
                let enclaveKey = try? SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: Data(blob.representation)),
                let ephemeralKey = try? P256.KeyAgreement.PublicKey(x963Representation: blob.ephemeralKey),
                let agreed = try? enclaveKey.sharedSecretFromKeyAgreement(with: ephemeralKey)
            else { throw .unavailable(.otherHardware) }
            let key = agreed.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: Data(), sharedInfo: Self.label, outputByteCount: 32)
            return try SecretBytes.guarded { () throws(SecretMemoryError) in
                try SecretBytes(count: 32) { buffer in key.withUnsafeBytes { buffer.copyMemory(from: $0) } }
            }
        }
    }
#endif
