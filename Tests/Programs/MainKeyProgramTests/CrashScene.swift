import Foundation
import GRDB
import HardwareKeys
import MainKey
import MainKeyGRDB
import SecretMemory

/// A vault with rows, a file and a token, and what must still be there after a crash.
final class CrashScene {
    /// What a crash has left.
    enum State {
        case old, new
    }

    /// What is neither of them.
    private struct Wrong: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static let purpose = SealedPurpose.column(table: "user", column: "email")
    private static let token = Array(CrashChange.oldToken.utf8)

    private let folder: ScratchFolder
    private let change: CrashChange
    /// A rotation takes several batches for its rows; other changes leave them as they are.
    private var rowCount: Int { change == .rotate ? 1200 : 20 }
    let tpm: TPMAddress?
    private let recovery: RecoveryCode
    /// The ID of the recovery code's slot, as the program takes it.
    private(set) var recoverySlot = ""
    /// What the TPM had before: other scenes' indices.
    private let indicesBefore: Set<UInt32>
    var vaultPath: String { folder.path("vault") }
    var knownVaults: String { folder.path("known") }
    private var database: String { folder.path("data.sqlite") }

    /// A file that the vault lists, and what is to be written into it.
    var listedFile: String { folder.path("files/a.mkf") }
    var newText: String { folder.path("new") }

    var placeArguments: [String] {
        ["--db", database, "--column", "user.email:row", "--files", folder.path("files")]
    }

    init(_ change: CrashChange, _ tpm: TPMAddress?) throws {
        folder = try ScratchFolder()
        self.change = change
        self.tpm = tpm
        recovery = try RecoveryCode.generate()
        indicesBefore = try Self.indices(in: tpm)
        try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: false)
        if !change.isCreation { try fill(try make()) }
    }

    private var openOptions: OpenOptions {
        var options = OpenOptions()
        options.tpm = tpm
        options.allowsSoftwareTPM = true
        options.knownVaults = KnownVaults(at: knownVaults)
        options.watching = .none
        return options
    }

    private func make() throws -> MainKeyVault {
        var options = VaultOptions()
        options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
        options.allowsNoRecovery = true
        options.hasStrictAnchor = change.isStrict
        let vault = try MainKeyVault.create(at: vaultPath, try protections(), options, opening: openOptions)
        recoverySlot =
            try vault.status().ways.first { $0.kind == "recovery" }.map { String($0.id, radix: 16) } ?? ""
        return vault
    }

    private func protections() throws -> [Protection] {
        if change == .protectFromNone { return [.none] }
        let pin = try Self.secret(CrashChange.oldPIN)
        let protection: Protection = tpm == nil ? .pin(pin) : .hardwareAndPIN(pin, .hardLimit)
        return change.isStrict ? [protection, .recovery(recovery)] : [protection]
    }

    private func fill(_ vault: MainKeyVault) throws {
        try vault.setToken("test", try SecretBytes(copying: Self.token))
        let database = try DatabaseQueue(path: database)
        try vault.withUnlocked { vault in
            try database.write { db in
                try db.execute(sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, email BLOB)")
                for id in 1...Int64(rowCount) {
                    let sealed = Data(try vault.seal(Self.text(id), Self.purpose, row: .rowID(id)))
                    try db.execute(sql: "INSERT INTO user VALUES (?, ?)", arguments: [id, sealed])
                }
            }
            try Data(Self.token).write(to: URL(filePath: folder.path("plain")))
            try vault.encryptFile(at: folder.path("plain"), to: listedFile)
        }
        if change.isOfListedFile || change == .rotate { try vault.listFiles([.init(path: listedFile)]) }
        try Data(CrashChange.newToken.utf8).write(to: URL(filePath: newText))
    }

    // MARK: Afterwards

    /// What is left, after everything that was there has been opened.
    ///
    /// - Throws: ``Wrong`` if neither or both of the states are there, or something is missing.
    func examine() throws -> State {
        let state = try examineState()
        // What was made for a vault that was never finished goes when the next one is made in its folder, or before.
        if change.isCreation, state == .old, FileManager.default.fileExists(atPath: vaultPath) {
            try MainKeyVault.removeUnfinished(at: vaultPath, openOptions)
        }
        try examineIndices()
        return state
    }

    /// The TPM has what the vault depends on, and nothing else of it.
    private func examineIndices() throws {
        var used: Set<UInt32> = []
        do { used = try MainKeyVault.open(at: vaultPath, openOptions).usedIndices() } catch MainKeyError.notFound {}
        let found = try Self.indices(in: tpm).subtracting(indicesBefore)
        guard found == used else {
            throw Wrong("the TPM has \(found.count) indices of a vault that depends on \(used.count)")
        }
    }

    private static func indices(in tpm: TPMAddress?) throws -> Set<UInt32> {
        guard let tpm else { return [] }
        return Set(try TPM(at: tpm).definedIndices())
    }

    private func examineState() throws -> State {
        if change.isCreation || change == .wipe || change == .wipeWithTPM { return try examineExistence() }
        let vault = try MainKeyVault.open(at: vaultPath, openOptions)
        try examineKeyItems(vault)
        if change.isStrict { return try examineStrict(vault) }
        if change.isOfToken || change.isOfListedFile {
            try vault.unlock(oldCredential)
            try examineData(vault)
            return change.isOfToken ? try examineToken(vault) : try examineListedFile(vault)
        }
        // An unlocking may clear up, so it comes behind the other's try. Each costs a run of Argon2id.
        let new = change == .rotate ? false : opens(vault, try newCredential)
        let old = unlocks(vault, try oldCredential)
        guard old != new else {
            throw Wrong(
                old ? "both the old and the new credential open it" : "neither credential opens it")
        }
        if new { try vault.unlock(newCredential) }
        var state: State = old ? .old : .new
        if change == .rotate {
            state = try vault.status().epochs.last?.number == 1 ? .old : .new
            try finishRotation(vault)
        }
        try examineData(vault)
        return state
    }

    /// A vault that its PIN opens before and after.
    private func examineStrict(_ vault: MainKeyVault) throws -> State {
        try vault.unlock(oldCredential)
        let status = try vault.status()
        let hasRecovery = status.ways.contains { $0.kind == "recovery" }
        guard opens(vault, .recovery(recovery)) == hasRecovery else {
            throw Wrong("the recovery code is not what the vault says of it")
        }
        // The counter and the file go on together.
        try vault.setAutolock(.minutes(7))
        try MainKeyVault.open(at: vaultPath, openOptions).unlock(oldCredential)
        try examineData(vault)
        if change.isOfToken { return try examineToken(vault) }
        if change.isOfListedFile { return try examineListedFile(vault) }
        let isNew = change == .removeSlotWithTPM ? !hasRecovery : status.autolock == .minutes(5)
        return isNew ? .new : .old
    }

    /// The token is the old or the new one, nothing is in between, and the next change finds its way.
    private func examineToken(_ vault: MainKeyVault) throws -> State {
        let token = try vault.token("test").map { $0.withUnsafeBytes { Array($0) } }
        guard try vault.checkItems() == 0 else { throw Wrong("an item is listed and missing") }
        try vault.setToken("test", try Self.secret("after the crash"))
        let again = try MainKeyVault.open(at: vaultPath, openOptions)
        try again.unlock(oldCredential)
        guard try again.token("test") == Self.secret("after the crash"), try again.checkItems() == 0,
            !FileManager.default.fileExists(atPath: vaultPath + "/items.mk.new")
        else { throw Wrong("the token cannot be changed any more") }
        return token == Self.token ? .old : .new
    }

    /// The file that is there is the old or the new one and counts as fresh; written once more, nothing else does.
    private func examineListedFile(_ vault: MainKeyVault) throws -> State {
        let left = try Data(contentsOf: URL(filePath: listedFile))
        guard try vault.checkListedFiles().compared == 1 else { throw Wrong("the file is not looked at") }
        let text = try vault.withUnlocked { try $0.fileReader(at: listedFile).read(at: 0, count: 100) }
        try vault.withUnlocked { _ = try $0.encryptFile(at: newText, to: listedFile) }
        let again = try vault.checkListedFiles()
        guard again.compared == 1, again.unsettled == 0 else {
            throw Wrong("the list still takes the file before")
        }
        try left.write(to: URL(filePath: listedFile))
        do {
            _ = try vault.checkListedFiles()
            throw Wrong("what the crash left is fresh still")
        } catch MainKeyError.rolledBack {}
        return text == Self.token ? .old : .new
    }

    /// Checks that no key of a way without protection is left that the vault does not have.
    private func examineKeyItems(_ vault: MainKeyVault) throws {
        let kept = try vault.status().ways.count { $0.kind == "none" }
        guard try vault.clearKeyItemCount() == kept else {
            throw Wrong("the key of a way without protection was left behind")
        }
    }

    private func examineExistence() throws -> State {
        let vault: MainKeyVault
        do { vault = try MainKeyVault.open(at: vaultPath, openOptions) } catch MainKeyError.notFound {
            // A new vault can be made in its place.
            try make().wipe()
            return change.isCreation ? .old : .new
        }
        try vault.unlock(oldCredential)
        if !change.isCreation { try examineData(vault) }
        return change.isCreation ? .new : .old
    }

    private func opens(_ vault: MainKeyVault, _ credential: Credential) -> Bool {
        (try? vault.verify(credential)) != nil
    }

    /// The same, and it stays open.
    private func unlocks(_ vault: MainKeyVault, _ credential: Credential) -> Bool {
        (try? vault.unlock(credential)) != nil
    }

    private var oldCredential: Credential {
        get throws {
            if change == .protectFromNone { return .none }
            let pin = try Self.secret(CrashChange.oldPIN)
            return tpm == nil ? .pin(pin) : .hardwareAndPIN(pin)
        }
    }

    private var newCredential: Credential {
        get throws {
            if change == .protect || change == .protectWithTPM { return .none }
            let pin = try Self.secret(CrashChange.newPIN)
            return tpm == nil ? .pin(pin) : .hardwareAndPIN(pin)
        }
    }

    /// Runs the rotation again, which is all that a crash asks for.
    private func finishRotation(_ vault: MainKeyVault) throws {
        let rotator = try SealedColumnRotator(
            path: database, columns: [RegisteredColumn(table: "user", column: "email", tiedTo: .rowID)])
        try vault.rotate([rotator, FileRotation(root: folder.path("files"))])
        guard try vault.status().epochs.count == 1 else { throw Wrong("the old epoch is still held") }
    }

    private func examineData(_ vault: MainKeyVault) throws {
        let token = try vault.token("test")
        guard try allowedTokens.contains(where: { try token == $0.map(Self.secret) }) else {
            throw Wrong("the token is lost")
        }
        let rows = try DatabaseQueue(path: database).read { db in
            try Row.fetchAll(db, sql: "SELECT id, email FROM user").map { ($0["id"] as Int64, $0["email"] as Data) }
        }
        guard rows.count == rowCount else {
            throw Wrong("\(rowCount - rows.count) rows are lost")
        }
        try vault.withUnlocked { vault in
            for (id, sealed) in rows {
                guard try vault.open(Array(sealed), as: String.self, Self.purpose, row: .rowID(id)) == Self.text(id)
                else {
                    throw Wrong("row \(id) has another value")
                }
            }
            try vault.checkFile(at: listedFile)
        }
    }

    private var allowedTokens: [String?] {
        switch change {
        case .setToken, .setTokenWithTPM: [CrashChange.oldToken, CrashChange.newToken]
        case .removeTokenWithTPM: [CrashChange.oldToken, nil]
        default: [CrashChange.oldToken]
        }
    }

    private static func text(_ id: Int64) -> String { "user\(id)@example.org" }

    static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
}

/// A folder for a test, in memory where that is possible, gone with the last reference.
private final class ScratchFolder {
    let path: String

    init() throws {
        let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = "\(parent)/mainkey-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { path + "/" + name }
}
