import SecretMemory

extension EpochKeys {
    /// Seals a value for its place.
    ///
    /// - Parameters:
    ///   - row: binds it to its row; empty for none.
    ///   - padding: hides the length up to a multiple of 16, 32, 64, 128 or 256 bytes; 0 for none.
    func seal(
        _ value: some SealableValue, _ purpose: SealedPurpose, row: [UInt8] = [], padding: Int = 0
    ) throws(MainKeyError) -> [UInt8] {
        let sealed = try value.withSealableForm { form, payload -> Result<[UInt8], MainKeyError> in
            Result { () throws(MainKeyError) in
                try seal(form.tag, payload, purpose, row: row, padding: padding)
            }
        }
        return try sealed.get()
    }

    /// The same for bytes that are secret by themselves.
    func seal(
        _ secret: SecretBytes, _ purpose: SealedPurpose, row: [UInt8] = []
    ) throws(MainKeyError) -> [UInt8] {
        try secret.withUnsafeBytes { (payload) throws(MainKeyError) in
            try seal(.bytes, payload, purpose, row: row, padding: 0)
        }
    }

    private func seal(
        _ tag: PlaintextForm.Tag, _ payload: UnsafeRawBufferPointer, _ purpose: SealedPurpose, row: [UInt8],
        padding: Int
    ) throws(MainKeyError) -> [UInt8] {
        let count = try PlaintextForm.byteCount(payload: payload.count, padding: padding)
        return try SealedValue.seal(purpose, row: row, count: count, keys: self) { plaintext in
            PlaintextForm.write(tag, payload, padded: padding != 0, into: plaintext)
        }
    }

    package func open<Value: SealableValue>(
        _ sealed: UnsafeRawBufferPointer, as type: Value.Type = Value.self, _ purpose: SealedPurpose, row: [UInt8] = []
    ) throws(MainKeyError) -> Value {
        try withOpened(sealed, purpose, row: row) { (form, payload) throws(MainKeyError) in
            try Value(sealableForm: form, payload)
        }
    }

    /// Opens what was sealed as secret bytes.
    func openSecret(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: [UInt8] = []
    ) throws(MainKeyError) -> SecretBytes {
        try withOpened(sealed, purpose, row: row) { (form, payload) throws(MainKeyError) in
            try form.expect(.bytes)
            return try secret { try SecretBytes(copying: payload) }
        }
    }

    package func open<Value: SealableValue>(
        _ sealed: [UInt8], as type: Value.Type = Value.self, _ purpose: SealedPurpose, row: [UInt8] = []
    ) throws(MainKeyError) -> Value {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in try open(sealed, as: type, purpose, row: row) }
    }

    /// Lends the content for the time of `body`, and zeroises it afterwards.
    package func withOpened<R>(
        _ sealed: UnsafeRawBufferPointer, _ purpose: SealedPurpose, row: [UInt8] = [],
        _ body: (SealableForm, UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try SealedValue.open(sealed, purpose, row: row, keys: self) { (plaintext) throws(MainKeyError) in
            let (tag, payload) = try PlaintextForm.read(plaintext)
            return try body(SealableForm(tag), payload)
        }
    }

    package func withOpened<R>(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: [UInt8] = [],
        _ body: (SealableForm, UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in
            try withOpened(sealed, purpose, row: row, body)
        }
    }

    /// - Parameter epoch: nil for the active one.
    package func blindIndex(
        _ value: some SealableValue, table: String, column: String, epoch: UInt32? = nil,
        count: Int = BlindIndexCode.usualByteCount
    ) throws(MainKeyError) -> [UInt8] {
        let active = try active
        return try BlindIndexCode.code(
            value, table: table, column: column, epoch: epoch ?? active, count: count, keys: self)
    }
}
