#if !canImport(CTSS2)
    import SecretMemory

    /// Systems without the TPM library have no TPM: every use says so. Their hardware is the Secure Enclave.
    public final class TPM: Sendable {
        public let address: TPMAddress

        public init(at address: TPMAddress) throws(HardwareKeyError) { throw .unavailable(.none) }

        public func pinned(to storageKeyName: [UInt8]) -> TPM { self }

        public func identity() throws(HardwareKeyError) -> TPMIdentity { throw .unavailable(.none) }

        public func pinAttempts(_ index: UInt32) throws(HardwareKeyError) -> (wrong: UInt32, limit: UInt32) {
            throw .unavailable(.none)
        }

        public func defineCounter(auth: SecretBytes) throws(HardwareKeyError) -> (index: UInt32, value: UInt64) {
            throw .unavailable(.none)
        }

        public func readCounter(_ index: UInt32) throws(HardwareKeyError) -> UInt64 { throw .unavailable(.none) }

        public func incrementCounter(_ index: UInt32, auth: SecretBytes) throws(HardwareKeyError) -> UInt64 {
            throw .unavailable(.none)
        }

        public func definePINIndex(
            auth: SecretBytes, limit: UInt32, beside counter: UInt32? = nil
        ) throws(HardwareKeyError) -> UInt32 {
            throw .unavailable(.none)
        }

        public func undefine(_ index: UInt32) throws(HardwareKeyError) { throw .unavailable(.none) }

        public func definedIndices() throws(HardwareKeyError) -> [UInt32] { throw .unavailable(.none) }

        public func registers(_ selection: TPMRegisterSelection) throws(HardwareKeyError) -> TPMRegisterState {
            throw .unavailable(.none)
        }

        public func seal(
            _ secret: SecretBytes, auth: SecretBytes?, policy: TPMPolicy, registers: TPMRegisterState? = nil
        ) throws(HardwareKeyError) -> TPMSealedBlob {
            throw .unavailable(.none)
        }

        public func made(_ blob: TPMSealedBlob) throws(HardwareKeyError) -> Bool { throw .unavailable(.none) }

        public func unseal(_ blob: TPMSealedBlob, auth: SecretBytes?) throws(HardwareKeyError) -> SecretBytes {
            throw .unavailable(.none)
        }
    }
#endif
