#if canImport(CryptoKit) && canImport(LocalAuthentication)
    import CryptoKit
    import Foundation
    import LocalAuthentication
    import SecretMemory
    import Security

    /// Secrets that a Secure Enclave derives, for a slot of a MainKey.
    ///
    /// Whether the user may is decided by the enclave, when it uses its key: there is no yes-or-no answer in this
    /// process that could be turned.
    ///
    /// Source: `mainkey` section 18.
    extension EnclaveBlob {
        /// Makes an enclave key and the public half that its secret is agreed with.
        ///
        /// - Parameter needsBiometry: false asks for the device's passcode instead. A vault asks for a face or finger.
        /// - Throws: ``HardwareKeyError/unavailable(_:)``
        public static func make(needsBiometry: Bool) throws(HardwareKeyError) -> EnclaveBlob {
            guard SecureEnclave.isAvailable else { throw .unavailable(.none) }
            let flags: SecAccessControlCreateFlags =
                needsBiometry ? [.privateKeyUsage, .biometryCurrentSet] : [.privateKeyUsage, .devicePasscode]
            guard
                let access = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil),
                let key = try? SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
            else { throw .unavailable(.none) }
            return EnclaveBlob(
                needsBiometry: needsBiometry, representation: Array(key.dataRepresentation),
                ephemeralKey: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation))
        }

        /// Derives the secret; the system asks the user.
        ///
        /// - Parameters:
        ///   - salt: of the slot, 32 bytes.
        ///   - context: the vault's ID, the slot's ID and its type, as the slot's other keys take it.
        ///   - reason: shown to the user.
        /// - Returns: 32 bytes.
        /// - Throws: ``HardwareKeyError``: `enclaveKeyInvalidated` when the enrolled faces or fingers changed,
        ///   `wrongCredential` when the user was not recognised, `unavailable`, also for a key of another enclave,
        ///   `malformed`.
        public func secret(salt: [UInt8], context: [UInt8], reason: String) throws(HardwareKeyError) -> SecretBytes {
            let authentication = LAContext()
            authentication.localizedReason = reason
            guard let ephemeralKey = try? P256.KeyAgreement.PublicKey(x963Representation: ephemeralKey) else {
                throw badEphemeralKey
            }
            let enclaveKey: SecureEnclave.P256.KeyAgreement.PrivateKey
            do {
                enclaveKey = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: Data(representation), authenticationContext: authentication)
            } catch {
                throw Self.meaning(of: error, otherwise: .unavailable(.otherHardware))
            }
            let agreed: SharedSecret
            do { agreed = try enclaveKey.sharedSecretFromKeyAgreement(with: ephemeralKey) } catch {
                throw Self.meaning(of: error, otherwise: refusedAgreement)
            }
            let key = agreed.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: salt, sharedInfo: Array("mainkey/v1/slot/hw-auth\0".utf8) + context,
                outputByteCount: 32)
            return try SecretBytes.guarded { () throws(SecretMemoryError) in
                try SecretBytes(count: 32) { buffer in key.withUnsafeBytes { buffer.copyMemory(from: $0) } }
            }
        }

        private static func meaning(of error: any Error, otherwise: HardwareKeyError) -> HardwareKeyError {
            guard let error = error as? LAError else { return otherwise }
            return switch error.code {
            case .authenticationFailed: .wrongCredential
            // Nobody was found to be somebody else: nothing is counted.
            case .userCancel, .appCancel, .systemCancel, .userFallback: .unavailable(.cancelled)
            case .biometryLockout: .lockout(seconds: 0)
            default: .unavailable(.none)
            }
        }
    }
#endif
