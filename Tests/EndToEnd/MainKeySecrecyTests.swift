import Foundation
import GRDB
import TestSupport
import Testing

/// Where no secret may be seen: other processes' view of the program, other users, and every byte on the disk.
@Suite("What mainkey leaves for others to see")
struct MainKeySecrecyTests {
    @Test("while it runs, neither its arguments nor its environment hold the PIN")
    func processTable() throws {
        let vault = try MainKeyVault()
        let pin = vault.scratch.path("pin")
        let fifo = vault.scratch.path("fifo")
        try Data(MainKeyVault.pin.utf8).write(to: URL(filePath: pin))
        try #require(mkfifo(fifo, 0o600) == 0)
        let arguments = [
            MainKeyVault.mainkey.path, "token", "set", "t", "--dir", vault.folder, "--pin-fd", "3", "--token-fd", "4",
        ]
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "exec \(arguments.map(Program.quoted).joined(separator: " ")) 3<\(Program.quoted(pin)) 4<>\(Program.quoted(fifo))",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let folder = "/proc/\(process.processIdentifier)"
        func read(_ name: String) -> Data { Data((try? KernelFile.bytes("\(folder)/\(name)")) ?? []) }
        // Between two programs a process has neither arguments nor environment.
        while process.isRunning, read("comm") == Data("sh\n".utf8) || read("environ").isEmpty { usleep(1000) }
        let seen = ["cmdline", "environ"].map(read)
        #expect(process.isRunning && !seen[0].isEmpty, "it waits for the token")
        for bytes in seen {
            #expect(bytes.range(of: Data(MainKeyVault.pin.utf8)) == nil)
        }
        // Whoever is not root finds the rest closed: the process is not dumpable.
        try FileHandle(forUpdating: URL(filePath: fifo)).write(contentsOf: Data("tk\n".utf8))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("folders are 0700 and files 0600 after every command, and another user reads none")
    func modes() throws {
        let vault = try MainKeyVault()
        let commands: [[String]] = [
            ["verify"], ["set-autolock", "5"], ["token", "set", "t", "--token-fd", "4"],
            ["protect", "--none", "--yes"], ["rotate", "--yes"],
        ]
        for command in commands {
            let outcome = try vault.unlocked(command, secrets: [4: "x\n"])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            try expectPrivate(vault.folder)
        }
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else { return }
        chmod(vault.scratch.path, 0o755)
        for path in ["keyring.mk", "attempts.mk", "items", "."] {
            let other = try Program.shell(
                "setpriv --reuid 65534 --regid 65534 --clear-groups ls -l \(Program.quoted(vault.folder + "/" + path + "/"))"
            )
            #expect(other.exitCode != 0 && other.errors.contains("ermission"), "\(other.output)\(other.errors)")
        }
    }

    private func expectPrivate(_ folder: String) throws {
        for name in [""] + (FileManager.default.subpaths(atPath: folder) ?? []) {
            var status = stat()
            try #require(lstat(folder + "/" + name, &status) == 0)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            #expect(status.st_mode & 0o7777 == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("no byte of vault, database, log, file or temporary folder gives away a PIN, a recovery code or a plaintext")
    func disk() throws {
        let plain = (
            email: "anna.lindqvist@example.org", token: "tk-99182-refresh-me",
            letter: "the key is under the third stone"
        )
        let vault = try MainKeyVault()
        let sealed = try vault.seal(plain.email)
        // Held open, so that the write-ahead log stays.
        let database = try DatabasePool(path: vault.scratch.path("data.sqlite"))
        try database.write { db in
            try db.execute(sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, email BLOB)")
            try db.execute(sql: "INSERT INTO user (email) VALUES (?)", arguments: [Data(sealed)])
        }
        #expect(try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: plain.token]).exitCode == 0)
        let encrypted = try vault.unlocked(["encrypt", "-", "-"], input: Array(plain.letter.utf8))
        #expect(encrypted.exitCode == 0)
        let input = vault.scratch.path("letter")
        try Data(plain.letter.utf8).write(to: URL(filePath: input))
        #expect(try vault.unlocked(["encrypt", input, vault.scratch.path("letter.mkf")]).exitCode == 0)
        try FileManager.default.removeItem(atPath: input)
        let rotated = try vault.unlocked([
            "rotate", "--db", vault.scratch.path("data.sqlite"), "--column", "user.email",
        ])
        #expect(rotated.exitCode == 0, "\(rotated.errors)")
        #expect(try vault.run(["change-pin"], MainKeyVault.pin, MainKeyVault.newPIN).exitCode == 0)

        let secrets = [
            MainKeyVault.pin, MainKeyVault.newPIN, vault.recovery, vault.recovery.replacing("-", with: ""), plain.email,
            plain.token, plain.letter,
        ]
        let forms = secrets.flatMap { Self.forms(of: Array($0.utf8)) }
        var count = 0
        for name in FileManager.default.subpaths(atPath: vault.scratch.path) ?? [] {
            guard let bytes = FileManager.default.contents(atPath: vault.scratch.path(name)) else { continue }
            count += 1
            for form in forms { #expect(bytes.range(of: form) == nil, "\(name)") }
        }
        #expect(count >= 6, "key file, attempts, item, database, log, encrypted file")
        #expect(
            Data("xx\(plain.email)".utf8).base64EncodedData().range(of: Self.forms(of: Array(plain.email.utf8))[5])
                != nil)
    }

    /// Raw, hex in both cases, and the middle of base64 at each of its three alignments.
    private static func forms(of bytes: [UInt8]) -> [Data] {
        let hex = JSON.hexText(bytes)
        let base64 = (0..<3).map { alignment -> Data in
            let text = Data([UInt8](repeating: 0, count: alignment) + bytes).base64EncodedData()
            // The first and the last group also depend on what stands beside.
            return text.dropFirst(alignment == 0 ? 0 : 4).dropLast(4)
        }
        return [Data(bytes), Data(hex.utf8), Data(hex.uppercased().utf8)] + base64
    }

    @Test("no message repeats what was typed")
    func messages() throws {
        let vault = try MainKeyVault()
        for arguments in [["verify"], ["verify", "--recovery"], ["change-pin"], ["verify", "--json"]] {
            let outcome = try vault.run(arguments, "Wrong-Secret-19", "Wrong-Secret-20")
            #expect(outcome.exitCode == 20)
            #expect(!(outcome.output + outcome.errors).contains("Wrong-Secret"))
        }
    }
}
