#if canImport(CryptoKit) && canImport(LocalAuthentication)
    import HardwareKeys
    import SecretMemory

    /// The part of a slot that a Secure Enclave releases (`mainkey` section 18).
    enum EnclaveSlot {
        /// The system asks the person.
        static func release(
            _ blob: EnclaveBlob, of vault: VaultID, salt: [UInt8], id: UInt32, kind: Slot.Kind
        ) throws(MainKeyError) -> SecretBytes {
            let context = Slot.context(vault, id: id, kind: kind)
            return try onHardware(try blob.secret(salt: salt, context: context, reason: "unlock your data"))
        }
    }
#endif
