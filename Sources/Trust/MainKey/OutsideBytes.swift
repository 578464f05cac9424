import SecretMemory

/// The parsers of bytes that others may have written, for fuzzing. Each says whether the bytes were taken; none may
/// trap.
@_spi(Fuzzing) public enum OutsideBytes {
    /// What is taken is written again as the same bytes, but for the code, which needs the MainKey.
    public static func keyFile(_ bytes: [UInt8]) -> Bool {
        guard let key, let file = try? KeyFile(parsing: bytes),
            let secrets = try? MainKeySecrets(key, vault: file.vault)
        else {
            return false
        }
        let again = file.bytes(under: secrets)
        precondition(again.dropLast(KeyFile.codeByteCount) == bytes.dropLast(KeyFile.codeByteCount))
        precondition((try? file.verify(bytes, under: secrets)) == nil, "nobody but the MainKey makes the code")
        return true
    }

    public static func attempts(_ bytes: [UInt8]) -> Bool {
        guard let record = try? AttemptRecord(parsing: bytes, vaultID: [UInt8](repeating: 7, count: 16)) else {
            return false
        }
        precondition(record.encoded == bytes)
        return true
    }

    public static func item(_ bytes: [UInt8]) -> Bool {
        guard let file = try? SecretBytes(copying: bytes), let item = try? KeyItem(file) else { return false }
        precondition((try? item.encoded()) == file)
        return true
    }

    /// A sealed value that nobody sealed does not open, whatever it holds.
    public static func sealedValue(_ bytes: [UInt8]) -> Bool {
        guard let keys else { return false }
        return (try? UnlockedVault(keys: keys).open(bytes, as: String.self, .token("t"))) != nil
    }

    /// Parses what lies inside a sealed value.
    public static func plaintext(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { (try? PlaintextForm.read($0)) != nil }
    }

    public static func fileHeader(_ bytes: [UInt8]) -> Bool {
        guard let header = try? EncryptedFileHeader(parsing: bytes) else { return false }
        precondition(header.encoded.elementsEqual(bytes.prefix(EncryptedFileHeader.byteCount)))
        return true
    }

    public static func fileLayout(_ bodyByteCount: Int, chunkLog2: Int) -> Bool {
        guard let layout = try? EncryptedFileLayout(bodyByteCount: bodyByteCount, chunkByteCount: 1 << chunkLog2) else {
            return false
        }
        precondition(layout.plaintextByteCount + layout.chunkCount * AEAD.tagByteCount == bodyByteCount)
        return true
    }

    /// What a killed change may leave behind. A list that nobody has authenticated frees nothing.
    public static func indexJournal(_ bytes: [UInt8]) -> Bool {
        guard let key, let vault = VaultID(Array(repeating: 7, count: 16)),
            let secrets = try? MainKeySecrets(key, vault: vault),
            let journal = try? IndexJournal.verified(bytes, under: IndexJournalKey(secrets), besides: [])
        else {
            return false
        }
        return !journal.entries.isEmpty
    }

    /// Parses the mark of a wipe that was begun. One that this account did not sign belongs to no wipe.
    public static func wipeMark(_ bytes: [UInt8]) -> Bool {
        guard let key, let mark = try? WipeMark(parsing: bytes) else { return false }
        precondition(mark.bytes == bytes)
        return (try? mark.isSigned(with: key)) != false
    }

    /// Parses the list of a vault's items, before its digest was compared with the key file's.
    public static func itemList(_ bytes: [UInt8]) -> Bool {
        guard let vault = VaultID(Array(repeating: 7, count: 16)), let list = try? ItemList(parsing: bytes, of: vault)
        else { return false }
        precondition(list.bytes(of: vault) == bytes)
        return true
    }

    /// A vault whose key file is something to start from.
    public static func makeVault(at path: String) -> Bool {
        (try? MainKeyVault.create(at: path, [.none])) != nil
    }

    private static let key = try? SecretBytes(count: 32) { $0.copyBytes(from: repeatElement(9, count: 32)) }
    private static let keys = key.flatMap { key in
        VaultID(Array(repeating: 7, count: 16)).map { EpochKeys([1: key], active: 1, vault: $0) }
    }
}
