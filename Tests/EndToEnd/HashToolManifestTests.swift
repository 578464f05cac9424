import Foundation
import TestSupport
import Testing

/// Manifest, signature and check of a product, by the program that the release machine runs.
@Suite("vigil-hash-tool manifest, sign and verify")
struct HashToolManifestTests {
    private static let tool = Program(name: "vigil-hash-tool")
    private static let fixtures = packageRoot.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures")
    private let scratch: Scratch

    /// P-256 keys that openssl made for this test: the second one as its older command writes it, behind its
    /// parameters.
    private static let keys = [
        """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOGyXnB1euyYS4pRE
        26QU+JnRjg0lFWtZa+zneDFV/FqhRANCAATGvkvnHA/Aagqf4QTijlQP2JAbRwdw
        EmGnleLvFSYSS87Dj2OTZg6+3WHb0APAu5MHFq8lT7B5bp9K9VLtp1j6
        -----END PRIVATE KEY-----

        """,
        """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8ZJ7Z4cH4gctOgiv
        ZkNNl1MwPybwu4U/usUtaPDluFGhRANCAARKSHyTsMGphQg0fb7rfYltuRU0luya
        xFP9pB+lGaVPRtaqjllD4++jVZ3tGkftKc8eCiSXYBu+jURPLKgOSOFG
        -----END PRIVATE KEY-----

        """,
    ]
    private static let publicKeys = [
        "04c6be4be71c0fc06a0a9fe104e28e540fd8901b4707701261a795e2ef1526124b"
            + "cec38f6393660ebedd61dbd003c0bb930716af254fb0796e9f4af552eda758fa",
        "044a487c93b0c1a98508347dbeeb7d896db9153496ec9ac453fda41fa519a54f46"
            + "d6aa8e5943e3efa3559ded1a47ed29cf1e0a2497601bbe8d444f2ca80e48e146",
    ]

    /// A product with a signed manifest beside it.
    init() throws {
        scratch = try Scratch()
        for (path, file) in [("bin/app", "elf/hello-x86_64-pie"), ("libexec/validator", "elf/free-riscv64")] {
            let target = URL(filePath: scratch.path("dist/\(path)"))
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Self.fixtures.appending(path: file), to: target)
        }
        for (index, key) in Self.keys.enumerated() {
            try write(key, as: "key\(index)")
        }
        try #expect(manifest().exitCode == 0)
        try #expect(sign("m.json", key: 0, to: "signed.json").exitCode == 0)
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome { try Self.tool.run(arguments) }

    /// A file with a private key, which only its owner reads.
    private func write(_ key: String, as name: String, mode: Int = 0o600) throws {
        try Data(key.utf8).write(to: URL(filePath: scratch.path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path(name))
    }

    private func manifest(_ more: String...) throws -> Program.Outcome {
        try run(
            [
                "manifest", "--app", scratch.path("dist/bin/app"), "--validator",
                scratch.path("dist/libexec/validator"),
                "--bundle-root", scratch.path("dist"), "--epoch", "7", "--product", "org.example", "--out",
                scratch.path("m.json"), "--with-writable-parts",
            ] + more)
    }

    private func sign(_ input: String, key: Int, to output: String, _ more: String...) throws -> Program.Outcome {
        try run(
            ["sign", scratch.path(input), "--key", scratch.path("key\(key)"), "--out", scratch.path(output)] + more)
    }

    private func verify(_ file: String, _ arguments: String...) throws -> Program.Outcome {
        try run(["verify", scratch.path(file)] + arguments)
    }

    @Test("a release that is signed and untouched is accepted")
    func accepted() throws {
        let outcome = try verify("signed.json", "--trust", Self.publicKeys[0], "--against", scratch.path("dist"))
        #expect(outcome.output == "org.example, epoch 7: signed, all files as signed\n")
        #expect((outcome.exitCode, outcome.errors) == (0, ""))
    }

    @Test("rules of behaviour are signed as such, and what no installation would read is not")
    func behaviour() throws {
        let rules = #"{"version": 2, "rules": [], "product": "org.example", "epoch": 7}"#
        try write(rules, as: "rules.json")
        let signed = try sign("rules.json", key: 0, to: "behaviour.json", "--type", "behaviour")
        #expect((signed.exitCode, signed.errors) == (0, ""))
        let envelope = try String(contentsOfFile: scratch.path("behaviour.json"), encoding: .utf8)
        #expect(envelope.contains("application/vnd.vigil.behaviour.v2+json"))
        let asManifest = try sign("rules.json", key: 0, to: "none.json")
        #expect(asManifest.exitCode == 3)
        try write(rules.replacing(#""product": "org.example", "#, with: ""), as: "anybody.json")
        let unnamed = try sign("anybody.json", key: 0, to: "none.json", "--type", "behaviour")
        #expect(unnamed.exitCode == 3 && unnamed.errors.contains("product"), "\(unnamed.errors)")
        #expect(unnamed.errors.contains("[malformedBehaviour]"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.json")))
        try #expect(sign("signed.json", key: 1, to: "none.json", "--append", "--type", "behaviour").exitCode == 3)
    }

    @Test("a program whose constants stay writable is refused unless that is asked for, and told by name")
    func writable() throws {
        let refused = try run([
            "manifest", "--app", scratch.path("dist/bin/app"), "--validator", scratch.path("dist/libexec/validator"),
            "--epoch", "7", "--product", "org.example", "--bundle-root", scratch.path("dist"), "--out",
            scratch.path("n.json"),
        ])
        #expect(refused.exitCode == 3 && refused.errors.contains("[writableConstants]"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("n.json")))
        let told = try run(["writable", scratch.path("dist/bin/app")])
        #expect(told.exitCode == 1 && told.output.contains("Link with"))
        #expect(try run(["writable", scratch.path("m.json")]).exitCode == 3)
        // Nor is an installation of such a program whole, though all of it is signed.
        try Program.shell(
            """
            cd \(Program.quoted(scratch.path)) && cp signed.json dist/vigil-manifest.json
            openssl pkey -in key0 -pubout -out key0.pub
            """
        ).succeeded()
        let checked = try Program(name: "vigil-validate").run([
            scratch.path("dist"), "--trust", scratch.path("key0.pub"),
        ])
        #expect(checked.exitCode == 1 && checked.output.contains("constants of bin/app"), "\(checked.output)")
        #expect(checked.output.contains("looked up when they are called first"))
    }

    @Test(
        "no constant and no address of a function stays writable in the programs of this package",
        arguments: [
            "casemate", "casemate-worker", "vigil-validator", "vigil-hash-tool", "vigil-validate", "vigil-demo",
            "mainkey",
            "airgap", "forcefield", "gate",
        ])
    func ownPrograms(name: String) throws {
        let outcome = try run(["writable", Program(name: name).path])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("keys are looked for where a service keeps its state")
    func stateOfService() throws {
        let help = try Program(name: "vigil-hash-tool")
            .run(["help", "sign"], environment: ["STATE_DIRECTORY": "/var/lib/casemate-release"])
        #expect(help.output.contains("/var/lib/casemate-release)"), "\(help.output)")
    }

    @Test("what no program would take gets no further signature either, nor what nobody has signed")
    func appended() throws {
        let type = "application/vnd.vigil.manifest.v2+json"
        let whole = try Data(contentsOf: URL(filePath: scratch.path("m.json")))
        let garbage = Data(#"{"vigilManifest":1,"garbage":true}"#.utf8)
        for (payload, signatures) in [(garbage, #"{"keyid":"","sig":"MAA="}"#), (garbage, ""), (whole, "")] {
            try write(
                #"{"payloadType":"\#(type)","payload":"\#(payload.base64EncodedString())","signatures":[\#(signatures)]}"#,
                as: "prepared.json")
            #expect(try sign("prepared.json", key: 0, to: "none.json", "--append").exitCode == 3)
            #expect(!FileManager.default.fileExists(atPath: scratch.path("none.json")))
        }
        #expect(try sign("signed.json", key: 1, to: "b.json", "--append").output == "org.example, epoch 7: signed\n")
    }

    @Test("a second signature is added, and both are counted")
    func twoKeys() throws {
        #expect(try sign("signed.json", key: 1, to: "both.json", "--append").exitCode == 0)
        let both = ["--trust"] + Self.publicKeys + ["--threshold", "2"]
        #expect(try run(["verify", scratch.path("both.json")] + both).exitCode == 0)
        let one = try run(["verify", scratch.path("signed.json")] + both)
        #expect(one.exitCode == 3)
        #expect(one.errors.contains("[thresholdNotMet]"))
    }

    @Test("a changed file and a missing one are named, with exit code 1")
    func changed() throws {
        let app = URL(filePath: scratch.path("dist/bin/app"))
        var bytes = try Data(contentsOf: app)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: app)
        let arguments = ["--trust", Self.publicKeys[0], "--against", scratch.path("dist")]
        let outcome = try run(["verify", scratch.path("signed.json")] + arguments)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("differs: bin/app (x86_64): file\n"))
        #expect(!outcome.output.contains("text2"))
        try FileManager.default.removeItem(at: app)
        let missing = try run(["verify", scratch.path("signed.json")] + arguments + ["--json"])
        #expect(missing.exitCode == 1)
        let json = try JSON(parsing: Array(missing.output.utf8))
        #expect(json["epoch"].int == 7)
        #expect(json["differences"].strings.count == 1)
    }

    @Test("for embedding there are no digests of whole files, so that other bytes outside the code do not matter")
    func embedding() throws {
        #expect(try manifest("--embedding").exitCode == 0)
        #expect(try sign("m.json", key: 0, to: "signed.json").exitCode == 0)
        let app = URL(filePath: scratch.path("dist/bin/app"))
        var bytes = try Data(contentsOf: app)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: app)
        #expect(
            try verify("signed.json", "--trust", Self.publicKeys[0], "--against", scratch.path("dist")).exitCode == 0)
    }

    @Test("what is no manifest is not signed, and nobody else's signature counts")
    func refused() throws {
        #expect(try sign("key1", key: 0, to: "other.json").exitCode == 3)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("other.json")))
        #expect(try verify("signed.json", "--trust", Self.publicKeys[1]).exitCode == 3)
        #expect(try verify("m.json", "--trust", Self.publicKeys[0]).errors.contains("[malformedEnvelope]"))
        #expect(try verify("missing.json", "--trust", Self.publicKeys[0]).exitCode == 4)
        #expect(try verify("signed.json", "--trust", Self.publicKeys[0], "--threshold", "2").exitCode == 2)
    }

    @Test("a release key that others may read is not used", arguments: [0o644, 0o640, 0o622])
    func openKey(_ mode: Int) throws {
        try write(Self.keys[0], as: "open", mode: mode)
        let outcome = try run([
            "sign", scratch.path("m.json"), "--key", scratch.path("open"), "--out", scratch.path("other.json"),
        ])
        #expect(outcome.exitCode == 4 && outcome.errors.contains("chmod"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("other.json")))
        // One of somebody else is: root signs with the key of whoever called it.
        if geteuid() == 0 {
            try write(Self.keys[0], as: "open")
            try #require(chown(scratch.path("open"), 65534, 65534) == 0)
            #expect(
                try run([
                    "sign", scratch.path("m.json"), "--key", scratch.path("open"), "--out", scratch.path("other.json"),
                ]).exitCode == 0)
        }
    }

    @Test("keys in the older form of openssl sign as well; what is no key, cut off or encrypted is refused")
    func formsOfKeys() throws {
        let old = try Program.shell("openssl ec -in \(Program.quoted(scratch.path("key0"))) 2>/dev/null")
        try #require(old.output.contains("BEGIN EC PRIVATE KEY"))
        try write(old.output, as: "key2")
        #expect(try sign("m.json", key: 2, to: "old.json").exitCode == 0)
        #expect(try verify("old.json", "--trust", Self.publicKeys[0]).exitCode == 0)
        let lines = Self.keys[0].split(separator: "\n")
        let broken = [
            "", "-----BEGIN PRIVATE KEY-----", Self.keys[0].replacing("MIGH", with: "MI=H"),
            Self.keys[0].replacing("MIGH", with: "MIG\u{e4}"), (lines[..<2] + lines[4...]).joined(separator: "\n"),
            lines[..<4].joined(separator: "\n"),
            Self.keys[0].replacing("PRIVATE", with: "ENCRYPTED PRIVATE").replacing("MIGHAgEA", with: "MIGHMFEA"),
        ]
        for (index, key) in broken.enumerated() {
            try write(key, as: "key3")
            #expect(try sign("m.json", key: 3, to: "other.json").exitCode != 0, "\(index)")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("other.json")))
        }
    }

    @Test("it leaves no core dump, from before it reads anything")
    func hardened() throws {
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        process.executableURL = URL(filePath: Self.tool.path)
        process.arguments = ["sign", pipe, "--key", scratch.path("key0"), "--out", scratch.path("other.json")]
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        // Opens when the program waits for the manifest.
        let writer = open(pipe, O_WRONLY)
        try #require(writer >= 0)
        defer { close(writer) }
        let limits = try KernelFile.text("/proc/\(process.processIdentifier)/limits")
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
    }

    @Test("a key in the TPM that is not there is an error of the machine")
    func missingTPMKey() throws {
        let outcome = try run([
            "sign", scratch.path("m.json"), "--key", "vgtk:release", "--key-directory", scratch.path("keys"), "--out",
            scratch.path("other.json"),
        ])
        #expect(outcome.exitCode == 4)
        #expect(outcome.errors.contains("release"))
    }
}
