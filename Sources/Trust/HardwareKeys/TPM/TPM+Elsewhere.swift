#if !canImport(CTSS2)
    import SecretMemory

    /// Systems without the TPM library have no TPM: every use says so. Their hardware is the Secure Enclave.
    package final class TPM: Sendable {
        package let address: TPMAddress
        package var storageKeyName: [UInt8]? { nil }

        package init(at address: TPMAddress) throws(HardwareKeyError) { throw .unavailable(.none) }

        package func pinned(to storageKeyName: [UInt8]) -> TPM { self }

        package func identity() throws(HardwareKeyError) -> TPMIdentity { throw .unavailable(.none) }

        package func pinAttempts(_ index: UInt32) throws(HardwareKeyError) -> (wrong: UInt32, limit: UInt32) {
            throw .unavailable(.none)
        }

        package func defineCounter(
            auth: SecretBytes, intending: (UInt32) throws(HardwareKeyError) -> Void = { _ in },
            defined: (UInt32) throws(HardwareKeyError) -> Void = { _ in }
        ) throws(HardwareKeyError) -> (index: UInt32, value: UInt64) {
            throw .unavailable(.none)
        }

        package func readCounter(_ index: UInt32) throws(HardwareKeyError) -> UInt64 { throw .unavailable(.none) }

        package func incrementCounter(_ index: UInt32, auth: SecretBytes) throws(HardwareKeyError) {
            throw .unavailable(.none)
        }

        package func definePINIndex(
            auth: SecretBytes, limit: UInt32, beside counter: UInt32? = nil,
            intending: (UInt32) throws(HardwareKeyError) -> Void = { _ in },
            defined: (UInt32) throws(HardwareKeyError) -> Void = { _ in }
        ) throws(HardwareKeyError) -> UInt32 {
            throw .unavailable(.none)
        }

        package func undefine(_ index: UInt32) throws(HardwareKeyError) { throw .unavailable(.none) }

        package func undefineUnwritten(_ index: UInt32) throws(HardwareKeyError) -> Bool {
            throw .unavailable(.none)
        }

        package func definedIndices() throws(HardwareKeyError) -> [UInt32] { throw .unavailable(.none) }

        package func registers(_ selection: TPMRegisterSelection) throws(HardwareKeyError) -> TPMRegisterState {
            throw .unavailable(.none)
        }

        package func seal(
            _ secret: SecretBytes, auth: SecretBytes?, policy: TPMPolicy, registers: TPMRegisterState? = nil
        ) throws(HardwareKeyError) -> TPMSealedBlob {
            throw .unavailable(.none)
        }

        package func made(_ blob: TPMSealedBlob) throws(HardwareKeyError) -> Bool { throw .unavailable(.none) }

        package func unseal(_ blob: TPMSealedBlob, auth: SecretBytes?) throws(HardwareKeyError) -> SecretBytes {
            throw .unavailable(.none)
        }
    }
#endif
