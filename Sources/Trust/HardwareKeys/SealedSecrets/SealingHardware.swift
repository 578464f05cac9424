import SecretMemory

/// Hardware that releases the keys of sealed secrets to this machine only.
protocol SealingHardware: Sendable {
    var kind: KeyKind { get }
    /// Makes a key.
    ///
    /// - Returns: 32 bytes, and what the file stores to get them back.
    /// - Throws: ``HardwareKeyError/unavailable(_:)`` if there is no such hardware here: the one error after which the
    ///   machine's identity may stand in.
    func makeKey() throws(HardwareKeyError) -> (key: SecretBytes, stored: [UInt8])
    /// The key of a file.
    func release(_ stored: [UInt8]) throws(HardwareKeyError) -> SecretBytes
}

extension SealedSecrets {
    /// The hardware of this system for sealed secrets, the strongest first.
    static func standardHardware(tpm: TPMAddress?) -> (any SealingHardware)? {
        #if canImport(CryptoKit)
            if let enclave = EnclaveSealingHardware() { return enclave }
        #endif
        #if canImport(CTSS2)
            return tpm.map(TPMSealingHardware.init(address:))
        #else
            return nil
        #endif
    }
}

#if canImport(CTSS2)
    /// Sealing by the TPM. It stores a ``TPMSealedBlob`` whose policy asks for nothing but this TPM.
    struct TPMSealingHardware: SealingHardware {
        let kind = KeyKind.tpm2
        let address: TPMAddress

        func makeKey() throws(HardwareKeyError) -> (key: SecretBytes, stored: [UInt8]) {
            let key = try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes.random(count: 32) }
            return (key, try TPM(at: address).seal(key, auth: nil, policy: .authorisation).serialised)
        }

        func release(_ stored: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
            try TPM(at: address).unseal(TPMSealedBlob(parsing: stored), auth: nil)
        }
    }
#endif
