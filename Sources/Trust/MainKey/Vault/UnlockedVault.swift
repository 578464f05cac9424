import SecretMemory

/// What an unlocked vault can do. It is lent for the time of a closure and cannot be kept; no function returns a key.
///
///     let sealed = try vault.withUnlocked { vault in
///         try vault.seal("anna@example.org", .column(table: "user", column: "email"), row: .rowID(7))
///     }
public struct UnlockedVault: ~Copyable {
    package let keys: EpochKeys
    /// The encrypted files that the vault lists; nil where there are only its keys.
    let files: VaultFiles?

    // Swift 6.3.1 aborts when it specialises a generic function into which this was inlined.
    @inline(never)
    package init(keys: EpochKeys) {
        self.keys = keys
        files = nil
    }

    @inline(never)
    init(keys: EpochKeys, files: VaultFiles) {
        self.keys = keys
        self.files = files
    }

    /// 16 random bytes that stay the same wherever the vault's folder is moved.
    public var vaultID: VaultID { keys.vault }

    /// The epoch that new data is sealed in.
    public var activeEpoch: UInt32 {
        get throws(MainKeyError) { try keys.active }
    }

    /// All epochs whose data can be opened, oldest first; more than one while a rotation is under way.
    public var heldEpochs: [UInt32] {
        get throws(MainKeyError) { try keys.held }
    }

    /// The epoch that a value was sealed in, without opening it.
    public static func epoch(of sealed: [UInt8]) throws(MainKeyError) -> UInt32 {
        try SealedValue.epoch(of: sealed)
    }

    // MARK: Sealing

    /// Seals a value for its place: elsewhere it does not open.
    ///
    /// - Parameters:
    ///   - row: ties it to its row.
    ///   - padding: hides the length up to a multiple of 16, 32, 64, 128 or 256 bytes; 0 for none.
    /// - Returns: 35 bytes more than the value without padding.
    /// - Throws: `locked`, `configError`.
    public func seal(
        _ value: some SealableValue, _ purpose: SealedPurpose, row: RowBinding = .none, padding: Int = 0
    ) throws(MainKeyError) -> [UInt8] {
        let keys = keys
        let sealed = try value.withSealableForm { form, payload -> Result<[UInt8], MainKeyError> in
            Result { () throws(MainKeyError) in
                try keys.seal(payload, as: form, purpose, row: row, padding: padding)
            }
        }
        return try sealed.get()
    }

    /// Seals bytes that are secret by themselves.
    public func seal(
        secret: SecretBytes, _ purpose: SealedPurpose, row: RowBinding = .none
    ) throws(MainKeyError) -> [UInt8] {
        try keys.seal(secret: secret, purpose, row: row)
    }

    // MARK: Opening

    /// Opens a value at its place.
    ///
    /// - Throws: `truncated`, `unsupportedVersion`, `wrongPurpose`, `unknownEpoch`, `authFailed`, `malformed`,
    ///   `locked`.
    public func open<Value: SealableValue>(
        _ sealed: [UInt8], as type: Value.Type = Value.self, _ purpose: SealedPurpose, row: RowBinding = .none
    ) throws(MainKeyError) -> Value {
        try withOpened(sealed, purpose, row: row) { (form, payload) throws(MainKeyError) in
            try Value(sealableForm: form, payload)
        }
    }

    /// Opens a value that lies anywhere, without a copy of what was sealed.
    package func open<Value: SealableValue>(
        _ sealed: UnsafeRawBufferPointer, as type: Value.Type = Value.self, _ purpose: SealedPurpose,
        row: RowBinding = .none
    ) throws(MainKeyError) -> Value {
        try keys.withOpened(sealed, purpose, row: row) { (form, payload) throws(MainKeyError) in
            try Value(sealableForm: form, payload)
        }
    }

    /// Opens what was sealed as secret bytes.
    public func openSecret(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: RowBinding = .none
    ) throws(MainKeyError) -> SecretBytes {
        try keys.openSecret(sealed, purpose, row: row)
    }

    /// Lends a value's content for the time of `body` and zeroises it afterwards.
    public func withOpened<R>(
        _ sealed: [UInt8], _ purpose: SealedPurpose, row: RowBinding = .none,
        body: (SealableForm, UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in
            try keys.withOpened(sealed, purpose, row: row, body: body)
        }
    }

    // MARK: Searching

    /// The code that equal values of a column are found by.
    ///
    /// - Parameters:
    ///   - epoch: nil for the active one; while a rotation is under way rows of all ``heldEpochs`` are to be looked
    ///     for.
    ///   - count: 4 to 32 bytes.
    public func blindIndex(
        _ value: some SealableValue, table: String, column: String, epoch: UInt32? = nil, count: Int = 16
    ) throws(MainKeyError) -> [UInt8] {
        let active = try keys.active
        return try BlindIndexCode.code(
            value, table: table, column: column, epoch: epoch ?? active, count: count, keys: keys)
    }
}
