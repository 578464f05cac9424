import SecretMemory

/// What a rotation does with values whose type it need not know.
extension UnlockedVault {
    /// Seals a value's plaintext anew in the active epoch, byte for byte, with its padding.
    ///
    /// - Parameter body: is lent the content meanwhile, for what else is made of it; the content is zeroised afterwards.
    /// - Throws: what opening throws.
    package func reseal<R>(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: RowBinding = .none,
        _ body: (SealableForm, UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> (sealed: [UInt8], made: R) {
        try SealedValue.open(sealed, purpose, row: row.bytes, keys: keys) { (plaintext) throws(MainKeyError) in
            let (tag, payload) = try PlaintextForm.read(plaintext)
            let made = try body(SealableForm(tag), payload)
            let resealed = try SealedValue.seal(purpose, row: row.bytes, count: plaintext.count, keys: keys) {
                $0.copyMemory(from: plaintext)
            }
            return (resealed, made)
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
