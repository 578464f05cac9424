#if canImport(CTSS2)
    import Cryptography
    import SecretMemory

    /// Signing keys in a TPM.
    ///
    /// Source: `vigil` section 5.2.
    package struct TPMSigningHardware: SigningHardware {
        package let kind = KeyKind.tpm2
        private let address: TPMAddress

        /// The TPM at an address.
        package init(at address: TPMAddress) {
            self.address = address
        }

        package var isUsable: Bool { (try? TPM(at: address)) != nil }

        package func makeKey(tag: String) throws(HardwareKeyError) -> SecretFile {
            let tag = try KeyTag(tag)
            let auth = try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes.drawn(count: 32) }
            return SecretFile(try TPM(at: address).makeSigningKey(auth: auth).serialised(tag: tag))
        }

        package func openKey(tag: String, file: SecretFile) throws(HardwareKeyError) -> any SigningKey {
            let tag = try KeyTag(tag)
            let stored = try TPMKeyFile(parsing: file.content, tag: tag)
            guard let publicKey = TPMPublicArea.point(of: stored.object.publicArea, after: TPMPublicArea.signingKeyHead)
            else {
                throw .cannotUnseal(tag: tag.text)
            }
            let tpm = try TPM(at: address)
            try tpm.check(stored)
            return TPMSigningKey(publicKey: publicKey, tpm: tpm, stored: stored)
        }
    }

    private struct TPMSigningKey: SigningKey {
        let kind = KeyKind.tpm2
        let publicKey: [UInt8]
        let tpm: TPM
        let stored: TPMKeyFile

        func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
            try Self.requireDigest(digest)
            return try tpm.sign(digest, with: stored)
        }
    }
#endif
