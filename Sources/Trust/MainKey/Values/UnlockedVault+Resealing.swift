import SecretMemory

/// What a rotation does with values whose type it need not know.
extension UnlockedVault {
    /// Seals a value's plaintext anew in the active epoch, byte for byte, with its padding.
    ///
    /// - Parameter body: is lent the content meanwhile, for what else is made of it; the content is zeroised
    ///   afterwards.
    /// - Throws: what opening throws.
    // Not generic: a rotation calls it for each value, from another room, where it could not be specialised.
    package func reseal(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: RowBinding = .none,
        body: (SealableForm, UnsafeRawBufferPointer) -> Void
    ) throws(MainKeyError) -> [UInt8] {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in
            try SealedValue.open(sealed, purpose, row: row.bytes, keys: keys) { (plaintext) throws(MainKeyError) in
                let (form, payload) = try PlaintextForm.read(plaintext)
                body(form, payload)
                return try SealedValue.seal(purpose, row: row.bytes, count: plaintext.count, keys: keys) {
                    $0.copyMemory(from: plaintext)
                }
            }
        }
    }

    /// The blind index of content that is lent; see ``blindIndex(_:table:column:epoch:count:)``.
    package func blindIndex(
        of form: SealableForm, _ payload: UnsafeRawBufferPointer, table: String, column: String, epoch: UInt32,
        count: Int
    ) throws(MainKeyError) -> [UInt8] {
        try BlindIndexCode.code(
            form, payload, table: table, column: column, epoch: epoch, count: count, keys: keys)
    }
}
