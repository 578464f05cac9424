import SecretMemory

/// A MainKey wrapped for the rest of a login: useless without the random key that only the kernel has.
///
///     magic "MKS1" · vaultID[16] · mainKeyID[16] · bootID[16] · deadline u64 · nonce[12] · wrapped MainKey[48]
///
/// Numbers have the most significant byte first. Everything before the nonce is authenticated with the wrapped key.
struct SessionTicket {
    static let magic = Array("MKS1".utf8)
    static let byteCount =
        magic.count + VaultID.byteCount + MainKeySecrets.idByteCount + BootInstant.bootIDByteCount + 8
        + AEAD.nonceByteCount + AEAD.keyByteCount + AEAD.tagByteCount

    let vault: VaultID
    let mainKeyID: [UInt8]
    let bootID: [UInt8]
    /// Milliseconds since that start of the machine; the largest number for none.
    let deadline: UInt64
    private let nonce: [UInt8]
    private let wrapped: [UInt8]

    /// - Parameter key: 32 random bytes, used for this ticket alone.
    init(_ secrets: MainKeySecrets, bootID: [UInt8], deadline: UInt64, under key: SecretBytes) throws(MainKeyError) {
        vault = secrets.vault
        mainKeyID = secrets.id
        self.bootID = bootID
        self.deadline = deadline
        nonce = AEAD.random(AEAD.nonceByteCount)
        let header = Self.header(vault, mainKeyID, bootID, deadline)
        wrapped = try AEAD.forValues(key: key).seal(
            secrets.mainKey, nonce: nonce, data: KeyLabel.session.bytes + header)
    }

    /// - Returns: nil if the bytes are no ticket.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
        var rest = bytes.dropFirst(Self.magic.count)
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let vault = VaultID(take(VaultID.byteCount)) else { return nil }
        self.vault = vault
        mainKeyID = take(MainKeySecrets.idByteCount)
        bootID = take(BootInstant.bootIDByteCount)
        deadline = take(8).reduce(0) { $0 << 8 | UInt64($1) }
        nonce = take(AEAD.nonceByteCount)
        wrapped = Array(rest)
    }

    var bytes: [UInt8] { Self.header(vault, mainKeyID, bootID, deadline) + nonce + wrapped }

    /// - Returns: nil if it was changed, or made with another key.
    func mainKey(under key: SecretBytes) throws(MainKeyError) -> SecretBytes? {
        guard key.count == AEAD.keyByteCount else { return nil }
        let data = KeyLabel.session.bytes + Self.header(vault, mainKeyID, bootID, deadline)
        return try AEAD.forValues(key: key).open(wrapped, nonce: nonce, data: data)
    }

    func isOver(at now: BootInstant) -> Bool { now.bootID != bootID || now.milliseconds >= deadline }

    /// Whether it is a ticket of this vault and its MainKey, and what is left of its time is not more than autolock now allows.
    func holds(for file: KeyFile, at now: BootInstant) -> Bool {
        guard vault == file.vault, mainKeyID == file.mainKeyID, !isOver(at: now) else { return false }
        return switch file.autolock {
        case .always: false
        case .never: true
        case .minutes(let minutes): deadline - now.milliseconds <= UInt64(minutes) * 60_000
        }
    }

    private static func header(
        _ vault: VaultID, _ mainKeyID: [UInt8], _ bootID: [UInt8], _ deadline: UInt64
    ) -> [UInt8] {
        magic + vault.bytes + mainKeyID + bootID + bigEndian(deadline)
    }
}
