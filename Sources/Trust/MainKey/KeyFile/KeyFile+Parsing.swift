extension KeyFile {
    /// Reads the structure, with no secret. What is wrong first, in the order of `mainkey` section 5, is thrown.
    package init(parsing bytes: [UInt8]) throws(MainKeyError) {
        try Self.checkFrame(bytes)
        var reader = ByteReader(bytes[16..<Self.headerByteCount])
        guard let vault = VaultID(reader.array(VaultID.byteCount)) else { throw Self.malformed("it has no vault ID") }
        self.vault = vault
        generation = reader.integer()
        createdAt = reader.integer()
        flags = Flags(rawValue: reader.integer())
        attemptLimit = reader.integer()
        let slotCount = Int(reader.integer(UInt8.self))
        let epochCount = Int(reader.integer(UInt8.self))
        let reserved = reader.integer(UInt8.self)
        autolockMinutes = reader.integer()
        let active = reader.integer(UInt32.self)
        mainKeyID = reader.array(MainKeySecrets.idByteCount)
        let anchorValue = reader.integer(UInt64.self)
        let anchorKind = reader.integer(UInt32.self)
        let anchorReference = reader.integer(UInt32.self)
        guard reserved == 0 else { throw Self.malformed("a reserved byte is set") }
        guard flags.isSubset(of: .known) else { throw Self.malformed("it has unknown flags") }
        guard Self.attemptLimits.contains(attemptLimit) else {
            throw Self.malformed("it allows \(attemptLimit) attempts")
        }
        guard Self.autolockMinutes.contains(autolockMinutes) else {
            throw Self.malformed("it locks after \(autolockMinutes) minutes")
        }
        guard Self.slotCounts.contains(slotCount), Self.epochCounts.contains(epochCount) else {
            throw Self.malformed("it has \(slotCount) slots and \(epochCount) epochs")
        }
        guard generation > 0 else { throw Self.malformed("its generation is zero") }
        anchor = try Self.anchor(kind: anchorKind, reference: anchorReference, value: anchorValue)
        var position = Self.headerByteCount
        let end = bytes.count - Self.codeByteCount
        slots = []
        for _ in 0..<slotCount {
            let slot = try Slot(parsing: bytes[position..<max(position, end)])
            guard !slots.contains(where: { $0.id == slot.id }) else {
                throw Self.malformed("two slots have one number")
            }
            guard slot.hardwareKind != .tpm2 || !slots.contains(where: { $0.hardwareKind == .tpm2 }) else {
                throw Self.malformed("two slots are bound to a TPM")
            }
            slots.append(slot)
            position += slot.byteCount
        }
        try Argon2Cost.check(sumOf: slots.compactMap(\.cost))
        let rootByteCount = flags.contains(.itemList) ? ItemList.digestByteCount : 0
        guard end - position == epochCount * EpochRecord.byteCount + rootByteCount else {
            throw Self.malformed("its epochs do not fill it")
        }
        epochs = []
        for _ in 0..<epochCount {
            epochs.append(try EpochRecord(parsing: bytes[position..<position + EpochRecord.byteCount]))
            position += EpochRecord.byteCount
        }
        itemRoot = rootByteCount > 0 ? Array(bytes[position..<end]) : nil
        try Self.check(epochs, active: active)
    }

    /// Checks magic, version and lengths: rules 1 to 3.
    private static func checkFrame(_ bytes: [UInt8]) throws(MainKeyError) {
        guard bytes.count >= magic.count else { throw .truncated(.keyFile) }
        guard bytes.starts(with: magic) else { throw .badMagic(.keyFile) }
        guard bytes.count >= 16 else { throw .truncated(.keyFile) }
        var reader = ByteReader(bytes[8..<16])
        let version = reader.integer(UInt16.self)
        guard version == 1 else { throw .unsupportedVersion(.keyFile, found: Int(version)) }
        guard reader.integer(UInt16.self) == UInt16(headerByteCount) else {
            throw malformed("its header has another length")
        }
        let length = Int(reader.integer(UInt32.self))
        guard byteCounts.contains(length) else { throw malformed("it says that it has \(length) bytes") }
        guard bytes.count >= length else { throw .truncated(.keyFile) }
        guard bytes.count == length else { throw malformed("\(bytes.count - length) bytes follow it") }
    }

    private static func anchor(kind: UInt32, reference: UInt32, value: UInt64) throws(MainKeyError) -> Anchor {
        switch (kind, reference) {
        case (0, 0) where value == 0: .absent
        case (1, _): .tpm(index: reference, value: value)
        case (2, 0): .external(value: value)
        default: throw malformed("its anchor is none that there is")
        }
    }

    private static func check(_ epochs: [EpochRecord], active: UInt32) throws(MainKeyError) {
        var previous: UInt32 = 0
        for (index, record) in epochs.enumerated() {
            guard record.epoch > previous else { throw malformed("its epochs do not ascend") }
            guard (record.state == .active) == (index == epochs.count - 1) else {
                throw malformed("another epoch than the last is active")
            }
            previous = record.epoch
        }
        guard previous == active else { throw malformed("its active epoch is not the last") }
    }

    private static func malformed(_ reason: String) -> MainKeyError { .malformed(.keyFile, reason: reason) }
}
