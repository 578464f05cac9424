import BasicFoundation
import GRDB
import MainKey
import SecretMemory

/// Uses a vault in every way, locks it, and looks for its keys in all memory of the process.
///
/// Source: `mainkey` section 20.
enum MemoryTest {
    struct Outcome {
        var names: [String]
        /// Copies while it was unlocked; the scan itself is proved by there being some.
        var before: Int
        var after: [MemoryScan.Hit]
        /// Files of vault, database and encrypted data that were searched, also for keys as hex and base64.
        var files: Int
        /// The secrets that were found in those files.
        var onDisk: [String]
    }

    private static let table = "user"
    private static let column = "email"
    private static let token = "refresh"

    static func run() throws -> Outcome {
        let folder = try ScratchFolder()
        var scan = MemoryScan()
        var disk = MemoryScan()
        let before = try use(folder, memory: &scan, disk: &disk)
        guard before.contains(where: { $0.needle == "MainKey" }) else {
            throw Failure.testFailed("The scan did not find the MainKey of an unlocked vault: it proves nothing here.")
        }
        // Locked pages of libsodium look like any other memory.
        if try SecretMemoryStatus.current().backing == .kernelSecret,
            let stray = before.first(where: { $0.mapping != "secret memory" })
        {
            throw Failure.testFailed("While unlocked, a copy of the \(stray.needle) lies in \(stray.mapping).")
        }
        let after = try scan.run()
        let (files, onDisk) = search(folder, disk)
        return Outcome(names: scan.names, before: before.count, after: after, files: files, onDisk: onDisk)
    }

    private static func search(_ folder: ScratchFolder, _ disk: MemoryScan) -> (files: Int, found: [String]) {
        var files = 0
        var found: [String] = []
        for name in FileManager.default.subpaths(atPath: folder.path) ?? [] {
            guard let bytes = FileManager.default.contents(atPath: folder.path(name)) else { continue }
            files += 1
            found += bytes.withUnsafeBytes { disk.names(in: $0) }.sorted().map { "\($0) in \(name)" }
        }
        return (files, found)
    }

    /// Uses a vault. Everything that holds a secret ends with this function.
    @inline(never)
    private static func use(
        _ folder: ScratchFolder, memory scan: inout MemoryScan, disk: inout MemoryScan
    ) throws -> [MemoryScan.Hit] {
        let pin = try RecoveryCode.generate().bytes
        pin.withUnsafeBytes { bytes in
            scan.look(for: "PIN", bytes)
            disk.look(for: "PIN", bytes)
            disk.lookForText(of: "PIN", bytes)
        }
        var options = VaultOptions()
        options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
        var opening = OpenOptions()
        opening.watching = .none
        _ = try MainKeyVault.create(at: folder.path("vault"), [.pin(pin)], options, opening: opening)
        let vault = try MainKeyVault.open(at: folder.path("vault"), opening)
        try vault.unlock(.pin(pin))
        try useDatabase(vault, folder.path("data.sqlite"))
        try useFile(vault, folder)
        try vault.setToken(token, try SecretBytes.random(count: 32))
        _ = try vault.token(token)
        try vault.addKeys(to: &scan, table: table, column: column, token: token, file: folder.path("file.mkf"))
        try vault.addKeys(
            to: &disk, table: table, column: column, token: token, file: folder.path("file.mkf"), asText: true)
        let hits = try scan.run()
        vault.lock()
        return hits
    }

    private static func useDatabase(_ vault: MainKeyVault, _ path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { db in try db.execute(sql: "CREATE TABLE user (email BLOB, code BLOB)") }
        let purpose = SealedPurpose.column(table: table, column: column)
        try vault.withUnlocked { vault in
            for number in 0..<100 {
                let sealed = Data(try vault.seal("user\(number)@example.org", purpose))
                let code = Data(try vault.blindIndex("user\(number)@example.org", table: table, column: column))
                try database.write { db in
                    try db.execute(sql: "INSERT INTO user VALUES (?, ?)", arguments: [sealed, code])
                }
            }
            for sealed in try database.read({ db in try Data.fetchAll(db, sql: "SELECT email FROM user") }) {
                _ = try vault.open(Array(sealed), as: String.self, purpose)
            }
        }
    }

    private static func useFile(_ vault: MainKeyVault, _ folder: ScratchFolder) throws {
        try Data(repeating: 7, count: 300_000).write(to: URL(filePath: folder.path("file")))
        try vault.withUnlocked { vault in
            try vault.encryptFile(at: folder.path("file"), to: folder.path("file.mkf"))
            try vault.decryptFile(at: folder.path("file.mkf"), to: folder.path("file.2"))
            _ = try vault.fileReader(at: folder.path("file.mkf")).read(at: 100_000, count: 4096)
        }
    }
}
