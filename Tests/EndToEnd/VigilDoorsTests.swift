import Foundation
import TestSupport
import Testing

/// The ways into a program that a validator vouches for, tried by an ordinary user on casemate as root installs it.
/// Each ends in a refusal or finds nothing that lets it in.
///
/// Source: `vigil` section 1.2; docs/vigil.md, "The ways in".
@Suite(
    "Ways into casemate as root installs it", .serialized, .timeLimit(.minutes(30)),
    .enabled(if: TemporaryUsers.areAvailable && Compiler.isAvailable))
struct VigilDoorsTests {
    private let users: TemporaryUsers
    private let tree: InstalledTree
    private let intruder: Intruder

    init() throws {
        users = try TemporaryUsers()
        tree = try InstalledTree(for: users)
        try tree.startValidator()
        try tree.provision()
        intruder = try Intruder(in: tree.scratch.path("home"), of: users)
    }

    private func status(_ environment: [String: String] = [:], of program: String = "casemate") throws
        -> Program.Outcome
    {
        try tree.run(["vigil", "status", "--json"], of: program, environment: environment)
    }

    @Test("untouched, the validator looks first-hand and reads the environment, and both are told")
    func clean() throws {
        let status = try status()
        let json = try status.json()
        #expect(status.exitCode == 0 && json["vouches"].bool == true, "\(status.output)\(status.errors)")
        #expect(json["look"]["firsthand"].bool == true && json["look"]["environmentRead"].bool == true)
        #expect(json["validatorLook"]["firsthand"].bool == false)
        let text = try tree.run(["vigil", "status"]).output
        #expect(text.contains("its look     first-hand; environment read"), "\(text)")
    }

    @Test("no variable of the environment brings code into it")
    func environment() throws {
        for variable in Intruder.variables {
            let outcome = try status(try intruder.environment(by: variable))
            // Nothing was loaded, the validator refuses, or no such TPM is known.
            #expect([0, 18, 64].contains(outcome.exitCode), "\(variable): \(outcome.output)\(outcome.errors)")
            #expect(intruder.marks.isEmpty, "\(variable): \(intruder.marks)")
        }
    }

    @Test("no variable names a TPM that is a program of whoever starts it")
    func softwareTPM() throws {
        let outcome = try status(["VIGIL_TPM": "unix:/nowhere/tpm"])
        #expect(outcome.exitCode == 18, "\(outcome.output)\(outcome.errors)")
        #expect(try outcome.json()["reason"].string?.contains("root alone names") == true, "\(outcome.output)")
    }

    @Test("the same variables do bring code into a program that nobody keeps")
    func control() throws {
        for variable in ["LD_PRELOAD", "LD_AUDIT"] {
            let words = try intruder.environment(by: variable).map { Program.quoted("\($0.key)=\($0.value)") }
            _ = try users.shell("env \(words.joined(separator: " ")) true")
            #expect(!intruder.marks.isEmpty, "\(variable)")
            try intruder.forget()
        }
    }

    @Test("whoever starts it gets neither at its memory nor traces it, from its first instruction on")
    func parent() throws {
        for arguments in ["vigil status", "init --pin-fd 3"] {
            let outcome = try users.shell(
                "CASEMATE_VAULT=\(Program.quoted(tree.vault)) VIGIL_TPM=none \(Program.quoted(intruder.parent)) 1000 "
                    + "\(Program.quoted(tree.path("bin/casemate"))) \(arguments)")
            #expect(
                outcome.exitCode == 0 && outcome.output.hasSuffix(" mem 0 vm 0 ptrace 0\n"),
                "\(outcome.output)\(outcome.errors)")
        }
        // The same finds the door of a copy open, for which nobody vouches.
        let copy = try tree.genuineCopy()
        let open = try users.shell("\(Program.quoted(intruder.parent)) 1000 \(Program.quoted(copy)) vigil status")
        #expect(!open.output.contains(" mem 0 "), "\(open.output)")
    }

    @Test("a genuine copy in another place is not the installed program")
    func copy() throws {
        let configuration = ["CASEMATE_VIGIL": tree.path("\(tree.etc)/vigil-app.json")]
        let outcome = try status(configuration, of: try tree.genuineCopy())
        #expect(outcome.exitCode == 18, "\(outcome.output)\(outcome.errors)")
        #expect(try outcome.json()["reason"].string?.contains("peerIdentity") == true, "\(outcome.output)")
        let log = try tree.validatorLog()
        #expect(log.contains("is installed; run that one"), "\(log)")
    }

    @Test("started where the kernel does not hide it, it is refused by name")
    func noNewPrivileges() throws {
        let casemate = Program.quoted(tree.path("bin/casemate"))
        let outcome = try users.shell(
            // The home of whoever runs the tests is none of theirs.
            "VIGIL_TPM=none env --unset=HOME setpriv --no-new-privs \(casemate) vigil status --json")
        #expect(outcome.exitCode == 18, "\(outcome.output)\(outcome.errors)")
        let log = try tree.validatorLog()
        #expect(log.contains("was not started set-group-ID"), "\(log)")
    }

    @Test("started with its group as the real one, so that the kernel hides nothing, it is refused by name")
    func member() throws {
        let casemate = Program.quoted(tree.path("bin/casemate"))
        let outcome = try Program.shell(
            "exec env --unset=HOME VIGIL_TPM=none setpriv --reuid=\(users.signer) --regid=\(users.group) --groups=\(users.signer) "
                + "\(casemate) vigil status --json")
        #expect(outcome.exitCode == 18, "\(outcome.output)\(outcome.errors)")
        let log = try tree.validatorLog()
        #expect(log.contains("hides nothing"), "\(log)")
    }

    @Test("what it makes is the user's, and what it starts has nothing of its group")
    func groups() throws {
        try tree.run(
            ["init", "--network-allowed", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: "a passphrase"]
        ).succeeded()
        let foreign = try users.shell("find \(Program.quoted(tree.vault)) ! -group \(users.signer) -o -perm /077")
        #expect(foreign.output.isEmpty, "\(foreign.output)")
    }

    @Test("a validator without the right to look, or for a file that is not installed so, does not start")
    func misinstalled() throws {
        tree.stopValidator()
        let blind = try users.shell(as: users.validator, looking: false, tree.validatorCommand)
        #expect(blind.exitCode == 78 && blind.errors.contains("CAP_SYS_PTRACE"), "\(blind.errors)")
        try #require(try Program.shell("chmod g-s \(Program.quoted(tree.path("bin/casemate")))").exitCode == 0)
        let plain = try users.shell(as: users.validator, looking: true, tree.validatorCommand)
        #expect(plain.exitCode == 78 && plain.errors.contains("and not 2755"), "\(plain.errors)")
    }
}

/// Programs that want to get into another one.
private final class Intruder {
    /// A library by each door.
    static let variables = [
        "LD_PRELOAD", "LD_PRELOAD and leaves", "LD_AUDIT", "LD_LIBRARY_PATH", "OPENSSL_CONF", "OPENSSL_MODULES",
        "GCONV_PATH",
        "LOCPATH", "VIGIL_TPM", "CASEMATE_TPM", "MAINKEY_TCTI", "TPM2TOOLS_TCTI", "GLIBC_TUNABLES",
    ]

    let parent: String
    private let folder, mark: String

    /// - Parameter folder: of the user, where all may read.
    init(in folder: String, of users: TemporaryUsers) throws {
        self.folder = folder + "/doors"
        mark = self.folder + "/mark"
        parent = self.folder + "/parent"
        try users.makeFolder(self.folder)
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/Doors").path
        for (name, more) in [("intruder.so", ""), ("leaver.so", "-DINTRUDER_LEAVES")] {
            try Compiler.compile(
                "-shared -fPIC \(more) -DINTRUDER_MARK='\"\(mark)\"'", "\(sources)/intruder.c",
                to: "\(self.folder)/\(name)")
        }
        try Compiler.compile("", "\(sources)/parent.c", to: parent)
        try write(
            "openssl_conf = s\n[s]\nproviders = p\n[p]\ndefault = d\nintruder = i\n[d]\nactivate = 1\n[i]\n"
                + "module = \(self.folder)/intruder.so\nactivate = 1\n", "openssl.cnf")
        try write("module INTERNAL UTF-8// intruder 1\nmodule UTF-8// INTERNAL intruder 1\n", "gconv-modules")
        for name in ["libcrypto.so.3", "legacy.so", "default.so", "LC_IDENTIFICATION"] {
            try FileManager.default.copyItem(atPath: "\(self.folder)/intruder.so", toPath: "\(self.folder)/\(name)")
        }
        _ = try Program.shell("chmod -R a+rX \(Program.quoted(self.folder))")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    func environment(by variable: String) throws -> [String: String] {
        switch variable {
        case "LD_PRELOAD and leaves": ["LD_PRELOAD": "\(folder)/leaver.so"]
        case "OPENSSL_CONF": [variable: "\(folder)/openssl.cnf"]
        case "OPENSSL_MODULES": [variable: folder, "OPENSSL_CONF": "\(folder)/openssl.cnf"]
        case "LD_LIBRARY_PATH", "GCONV_PATH", "LOCPATH": [variable: folder, "LC_ALL": "intruder.UTF-16"]
        case "GLIBC_TUNABLES": [variable: "glibc.rtld.nns=1", "LD_PRELOAD": "\(folder)/intruder.so"]
        default: [variable: "\(folder)/intruder.so"]
        }
    }

    /// How code got in.
    var marks: String { (try? String(contentsOfFile: mark, encoding: .utf8)) ?? "" }

    func forget() throws { try FileManager.default.removeItem(atPath: mark) }
}

/// The compiler of C of this machine.
private enum Compiler {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    static func compile(_ options: String, _ source: String, to product: String) throws {
        try Program.shell(
            "cc -O1 -w \(options) -o \(Program.quoted(product)) \(Program.quoted(source))"
        ).succeeded()
    }
}
