import BigEndian
import SecretMemory

/// A MainKey wrapped for the rest of a login: useless without the random key that only the kernel has.
///
///     magic "MKS2" · vaultID[16] · mainKeyID[16] · bootID[16] · deadline u64 · asleep u64
///     · nonce[12] · wrapped MainKey[48]
///
/// Numbers have the most significant byte first. Everything before the nonce is authenticated with the wrapped key.
struct SessionTicket {
    static let magic = Array("MKS2".utf8)
    static let byteCount =
        magic.count + VaultID.byteCount + MainKeySecrets.idByteCount + BootInstant.bootIDByteCount + 16
        + AEAD.nonceByteCount + AEAD.keyByteCount + AEAD.tagByteCount

    let vault: VaultID
    let mainKeyID: [UInt8]
    let bootID: [UInt8]
    /// Milliseconds since that start of the machine; the largest number for none.
    let deadline: UInt64
    /// How long the machine had slept since that start when it was made, in milliseconds.
    let asleep: UInt64
    private let nonce: [UInt8]
    private let wrapped: [UInt8]

    /// - Parameter key: 32 random bytes, used for this ticket alone.
    init(
        _ secrets: MainKeySecrets, bootID: [UInt8], deadline: UInt64, asleep: UInt64, under key: SecretBytes
    ) throws(MainKeyError) {
        vault = secrets.vault
        mainKeyID = secrets.id
        self.bootID = bootID
        self.deadline = deadline
        self.asleep = asleep
        nonce = KernelRandom.bytes(AEAD.nonceByteCount)
        let header = Self.header(
            of: vault, mainKeyID: mainKeyID, bootID: bootID, deadline: deadline, asleep: asleep)
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
        asleep = take(8).reduce(0) { $0 << 8 | UInt64($1) }
        nonce = take(AEAD.nonceByteCount)
        wrapped = Array(rest)
    }

    private var header: [UInt8] {
        Self.header(
            of: vault, mainKeyID: mainKeyID, bootID: bootID, deadline: deadline, asleep: asleep)
    }

    var bytes: [UInt8] { header + nonce + wrapped }

    /// - Returns: nil if it was changed, or made with another key.
    func mainKey(under key: SecretBytes) throws(MainKeyError) -> SecretBytes? {
        guard key.count == AEAD.keyByteCount else { return nil }
        let data = KeyLabel.session.bytes + header
        return try AEAD.forValues(key: key).open(wrapped, nonce: nonce, data: data)
    }

    func isOver(at now: BootInstant) -> Bool { now.bootID != bootID || now.milliseconds >= deadline }

    /// Whether the machine has slept since it was made. Two clocks are compared, which are not read in the same
    /// instant.
    func isBeforeSleep(_ asleep: UInt64) -> Bool {
        max(asleep, self.asleep) - min(asleep, self.asleep) >= 1000
    }

    /// Whether it is a ticket of this vault and its MainKey, and what is left of its time is not more than autolock now
    /// allows.
    func holds(for file: KeyFile, at now: BootInstant) -> Bool {
        guard vault == file.vault, mainKeyID == file.mainKeyID, !isOver(at: now) else { return false }
        return switch file.autolock {
        case .always: false
        case .never: true
        case .minutes(let minutes): deadline - now.milliseconds <= UInt64(minutes) * 60_000
        }
    }

    /// How many bytes are read of what lies in a ticket's place: more than a ticket has, so that what is none is
    /// noticed.
    private static let readLimit = 4096

    /// What lies in a ticket's place; nil if nothing does.
    static func bytes(in directory: VaultDirectory) throws(MainKeyError) -> [UInt8]? {
        try directory.files.read(VaultDirectory.Name.session, limit: readLimit)
    }

    private static func header(
        of vault: VaultID, mainKeyID: [UInt8], bootID: [UInt8], deadline: UInt64, asleep: UInt64
    ) -> [UInt8] {
        magic + vault.bytes + mainKeyID + bootID + [UInt8](bigEndian: deadline) + [UInt8](bigEndian: asleep)
    }
}
