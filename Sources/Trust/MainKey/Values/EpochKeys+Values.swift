import SecretMemory

/// What items and values are sealed and opened with.
extension EpochKeys {
    /// - Parameter padding: as for ``UnlockedVault/seal(_:_:row:padding:)``.
    func seal(
        _ payload: UnsafeRawBufferPointer, as form: SealableForm, _ purpose: SealedPurpose, row: RowBinding,
        padding: Int
    ) throws(MainKeyError) -> [UInt8] {
        let count = try PlaintextForm.byteCount(payload: payload.count, padding: padding)
        return try SealedValue.seal(purpose, row: row.bytes, count: count, keys: self) { plaintext in
            PlaintextForm.write(form, payload, padded: padding != 0, into: plaintext)
        }
    }

    /// Seals bytes that are secret by themselves.
    func seal(
        secret: SecretBytes, _ purpose: SealedPurpose, row: RowBinding = .none
    ) throws(MainKeyError) -> [UInt8] {
        try secret.withUnsafeBytes { (payload) throws(MainKeyError) in
            try seal(payload, as: .bytes, purpose, row: row, padding: 0)
        }
    }

    /// Lends the content for the time of `body`, and zeroises it afterwards.
    func withOpened<R>(
        _ sealed: UnsafeRawBufferPointer, _ purpose: SealedPurpose, row: RowBinding,
        body: (SealableForm, UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try SealedValue.open(sealed, purpose, row: row.bytes, keys: self) { (plaintext) throws(MainKeyError) in
            let (form, payload) = try PlaintextForm.read(plaintext)
            return try body(form, payload)
        }
    }

    /// Opens what was sealed as secret bytes.
    func openSecret(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: RowBinding = .none
    ) throws(MainKeyError) -> SecretBytes {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in
            try withOpened(sealed, purpose, row: row) { (form, payload) throws(MainKeyError) in
                try form.expect(.bytes)
                return try MainKey.secret { try SecretBytes(copying: payload) }
            }
        }
    }
}
