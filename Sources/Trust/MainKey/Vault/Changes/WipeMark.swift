import CSodium
import SecretMemory

/// The file `wipe.mk`, which says that the wipe of this vault has begun: the next process that opens the vault to use
/// it finishes that.
///
///     "MKW2" | vault ID 16 | HMAC-SHA-256 of both 32
///
/// It names nothing: a wipe removes what a vault has, in its own folder. The code is under a key that this account
/// keeps outside of every vault (``KnownVaults``), for those of the vault are what a wipe destroys; one that lies in a
/// folder from elsewhere is damage. Without such a key the code is zeros, which nobody accepts.
///
/// Source: `mainkey` section 16.
struct WipeMark: Equatable {
    private static let family = Array("MKW".utf8)
    private static let version = UInt8(ascii: "2")
    static let byteCount = 4 + VaultID.byteCount + HMACSHA256.byteCount
    /// How many bytes are read of what lies in its place: more than a mark has, so that what is none is noticed.
    private static let readLimit = 4096
    private typealias Name = VaultDirectory.Name

    let vault: VaultID
    private let code: [UInt8]

    /// - Parameter key: signs it; nil leaves it unsigned.
    init(_ vault: VaultID, signedWith key: SecretBytes?) throws(MainKeyError) {
        self.vault = vault
        code =
            try key.map { (key) throws(MainKeyError) in try Self.code(vault, key) }
            ?? [UInt8](repeating: 0, count: HMACSHA256.byteCount)
    }

    /// - Throws: `truncated`, `badMagic`, `unsupportedVersion` or `malformed`, each of a mark.
    init(parsing bytes: [UInt8]) throws(MainKeyError) {
        guard bytes.count > Self.family.count else { throw .truncated(.wipeMark) }
        guard bytes.starts(with: Self.family) else { throw .badMagic(.wipeMark) }
        var reader = ByteReader(bytes[Self.family.count...])
        let version = reader.integer(UInt8.self)
        guard version == Self.version else {
            throw .unsupportedVersion(.wipeMark, found: Int(version) - Int(UInt8(ascii: "0")))
        }
        guard bytes.count >= Self.byteCount else { throw .truncated(.wipeMark) }
        guard bytes.count == Self.byteCount, let vault = VaultID(reader.array(VaultID.byteCount)) else {
            throw .malformed(.wipeMark, reason: "\(bytes.count - Self.byteCount) bytes follow its end")
        }
        self.vault = vault
        code = reader.array(HMACSHA256.byteCount)
    }

    private static func head(_ vault: VaultID) -> [UInt8] { family + [version] + vault.bytes }

    private static func code(_ vault: VaultID, _ key: SecretBytes) throws(MainKeyError) -> [UInt8] {
        HMACSHA256.code(key: try HMACSHA256.derive(key, salt: vault.bytes, .wipe), [head(vault)])
    }

    var bytes: [UInt8] { Self.head(vault) + code }

    func isSigned(with key: SecretBytes) throws(MainKeyError) -> Bool {
        sodium_memcmp(code, try Self.code(vault, key), code.count) == 0
    }

    // MARK: In a folder

    func write(to directory: VaultDirectory) throws(MainKeyError) { try directory.files.write(bytes, to: Name.wipe) }

    /// Whether something has the mark's name; what it is, is another question.
    static func isPresent(in directory: VaultDirectory) throws(MainKeyError) -> Bool {
        do throws(MainKeyError) { return try directory.files.read(Name.wipe, limit: readLimit) != nil } catch {
            if case .limitExceeded = error { return true }
            throw error
        }
    }

    /// The mark of a wipe that this account began, of the vault that is in the folder.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: what is wrong with one that may not be acted on: `truncated`, `badMagic`, `unsupportedVersion`,
    ///   `malformed`, and `tampered` for one of another vault or that this account has not signed.
    static func genuine(in directory: VaultDirectory, _ known: KnownVaults?) throws(MainKeyError) -> WipeMark? {
        guard let mark = try read(from: directory) else { return nil }
        let path = directory.files.path
        let advice = MainKeyError.Situation.falseWipeMark.rawValue
        for name in [Name.keyFile, Name.stagedKeyFile] {
            guard let vault = try vault(named: name, in: directory), vault != mark.vault else { continue }
            throw .tampered(reason: "\(Name.wipe) in \(path) is that of another vault; \(advice)")
        }
        guard let key = try known?.wipeKey(.existing), try mark.isSigned(with: key) else {
            throw .tampered(
                reason: "\(Name.wipe) in \(path) says that a wipe was begun, and not by this account; \(advice)")
        }
        return mark
    }

    /// - Returns: nil if there is none.
    static func read(from directory: VaultDirectory) throws(MainKeyError) -> WipeMark? {
        do throws(MainKeyError) {
            return try directory.files.read(Name.wipe, limit: readLimit).map { (bytes) throws(MainKeyError) in
                try WipeMark(parsing: bytes)
            }
        } catch {
            guard case .limitExceeded = error else { throw error }
            throw .malformed(.wipeMark, reason: "it has more than \(readLimit) bytes")
        }
    }

    /// Which vault a key file says it is of, whatever else may be wrong with it.
    ///
    /// - Returns: nil for none, and for one that a wipe has put zeros over or that is cut off before.
    private static func vault(named name: String, in directory: VaultDirectory) throws(MainKeyError) -> VaultID? {
        guard let bytes = try? directory.keyFile(name), bytes.count >= KeyFile.vaultPosition.upperBound else {
            return nil
        }
        let id = bytes[KeyFile.vaultPosition]
        return id.allSatisfy { $0 == 0 } ? nil : VaultID(id)
    }
}
