import Foundation
import TestSupport
import Testing

/// What looks at an installation and at a process without being one of the two.
///
/// Source: `vigil` section 10.
@Suite("vigil-validate, and vigil-hash-tool self and pid", .serialized, .timeLimit(.minutes(30)))
struct VigilValidateTests {
    private static let validate = Program(name: "vigil-validate")
    private static let tool = Program(name: "vigil-hash-tool")

    /// - Parameter more: names of further configurations.
    private func check(_ vigil: VigilInstallation, _ more: String...) throws -> Program.Outcome {
        let configurations = ["validator", "app"] + more
        return try Self.validate.run(
            [vigil.scratch.path("root")] + configurations.flatMap { ["--config", vigil.scratch.path("\($0).json")] })
    }

    @Test("an installation that is as it has to be passes")
    func whole() throws {
        let outcome = try check(try VigilInstallation())
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("software") && !outcome.output.contains("FAILED"))
    }

    @Test("a file that differs, one that others may write, an open state folder and an open socket folder are found")
    func defects() throws {
        let patched = try VigilInstallation(isProvisioned: false)
        try patched.patch("vigil-validator")
        let outcome = try check(patched)
        #expect(outcome.exitCode == 1 && outcome.output.contains("text2"))
        for (path, mode) in [("root/bin/vigil-demo", 0o757), ("app", 0o750), ("run", 0o755)] {
            let open = try VigilInstallation(isProvisioned: false)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: open.scratch.path(path))
            #expect(try check(open).exitCode == 1, "\(path)")
        }
    }

    @Test("what another user may change is found, wherever on the way to it")
    func foreign() throws {
        for name in ["root/vigil-manifest.json", "release.pub", "app.json", "root", "."] {
            let open = try VigilInstallation(isProvisioned: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.scratch.path(name))
            let outcome = try check(open)
            #expect(outcome.exitCode == 1 && outcome.output.contains("others may write"), "\(name): \(outcome)")
        }
    }

    @Test("what belongs to another user is found", .enabled(if: geteuid() == 0))
    func foreignOwner() throws {
        for name in ["root/bin/vigil-demo", "root/bin", "root/vigil-manifest.json", "release.pub", "validator.json"] {
            let open = try VigilInstallation(isProvisioned: false)
            try FileManager.default.setAttributes([.ownerAccountID: 1234], ofItemAtPath: open.scratch.path(name))
            let outcome = try check(open)
            #expect(outcome.exitCode == 1 && outcome.output.contains("belongs to user 1234"), "\(name): \(outcome)")
        }
    }

    @Test("an installation may begin at the root folder")
    func rootFolder() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let (draft, manifest) = (vigil.scratch.path("system.json"), vigil.scratch.path("system.signed"))
        for arguments in [
            [
                "manifest", "--app", "/bin/sleep", "--validator", "/bin/true", "--epoch", "1", "--product", "system",
                "--externals", "none", "--with-writable-parts", "--out", draft,
            ],
            ["sign", draft, "--key", vigil.scratch.path("release.pem"), "--out", manifest],
        ] {
            try Self.tool.run(arguments).succeeded()
        }
        let outcome = try Self.validate.run(["/", "--manifest", manifest, "--trust", vigil.scratch.path("release.pub")])
        let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("who may change bin/") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains("passed") }, "\(outcome)")
    }

    @Test("each configuration is looked at with the manifest, the keys and the product that it names")
    func eachConfiguration() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        try Program.shell(
            """
            cd \(Program.quoted(vigil.scratch.path)) && mkdir -p root/etc/users/1500 root/etc/users/1501
            openssl ecparam -name prime256v1 -genkey -noout -out other.pem && openssl ec -in other.pem -pubout -out other.pub
            """
        ).succeeded()
        let others: [(code: Int32, members: [String: Any])] = [
            (0, [:]), (4, ["manifest": "/nowhere/manifest.json"]),
            (3, ["trustedKeys": [vigil.scratch.path("other.pub")]]), (1, ["product": "org.example.other"]),
            (1, ["bundleRoot": "/nowhere"]),
        ]
        for (code, members) in others {
            try vigil.configure("app", members, as: "other")
            let outcome = try check(vigil, "other")
            #expect(outcome.exitCode >= code && (outcome.exitCode == 0) == (code == 0), "\(members): \(outcome)")
            // The same for users whose configurations are found by their place.
            for (user, members) in [("1500", [:]), ("1501", members)] {
                try vigil.configure("app", members, as: "root/etc/users/\(user)/vigil-app")
            }
            #expect(try Self.validate.run([vigil.scratch.path("root")]).exitCode == outcome.exitCode)
        }
    }

    @Test("secrets that a configuration names are there, and for their owner alone")
    func secrets() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        try vigil.configure(
            "validator",
            ["grantFile": vigil.scratch.path("grant"), "provisioning": ["tokenFile": vigil.scratch.path("token")]])
        #expect(try check(vigil).exitCode == 0)
        // A token that was used may be gone; a validator does not start without its grant.
        for (name, codeWithout) in [("token", 0), ("grant", 4)] as [(String, Int32)] {
            let path = vigil.scratch.path(name)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            #expect(try check(vigil).exitCode == 1, "\(name)")
            try FileManager.default.removeItem(atPath: path)
            #expect(try check(vigil).exitCode == codeWithout, "\(name)")
        }
    }

    @Test("a configuration with which its side would not start is found")
    func unusable() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let rows: [(code: Int32, members: [String: Any])] = [
            (1, ["allowedUids": [Int]()]), (3, ["graceMs": 5]), (4, ["behaviour": "/nowhere/rules.json"]),
            (3, ["behaviour": vigil.scratch.path("root/vigil-manifest.json")]), (4, ["onTamper": ["/nowhere/program"]]),
        ]
        for (code, members) in rows {
            try vigil.configure("validator", ["grantFile": vigil.scratch.path("grant")].merging(members) { $1 })
            let outcome = try check(vigil)
            #expect(outcome.exitCode == code, "\(members): \(outcome)")
        }
        try vigil.configure("validator", ["grantFile": vigil.scratch.path("grant"), "requireHardware": true])
        for name in ["validator.vgtk", "validator.vgsk"] {
            try Data("x".utf8).write(to: URL(filePath: vigil.scratch.path("validator/\(name)")))
            #expect(try check(vigil).exitCode == (name.hasSuffix(".vgsk") ? 1 : 0), "\(name)")
        }
    }

    @Test(
        "a manifest that nobody trusted has signed is malformed, one that is missing unreadable, and no folder is wrong usage"
    )
    func codes() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let manifest = vigil.scratch.path("root/vigil-manifest.json")
        try Data("{}".utf8).write(to: URL(filePath: manifest))
        #expect(try check(vigil).exitCode == 3)
        try FileManager.default.removeItem(atPath: manifest)
        #expect(try check(vigil).exitCode == 4)
        #expect(try Self.validate.run([]).exitCode == 2)
    }

    @Test("a program is in memory as it is in its file, until somebody writes to it", .enabled(if: geteuid() == 0))
    func process() throws {
        let own = try Self.tool.run(["self"])
        #expect(own.exitCode == 0 && Set(own.output.split(separator: "\n").map { $0.prefix(64) }).count == 1)
        let sleeper = Process()
        sleeper.executableURL = URL(filePath: "/bin/sleep")
        sleeper.arguments = ["3600"]
        try sleeper.run()
        // Not by SIGTERM: Foundation's children inherit what the starting thread blocks.
        defer { kill(sleeper.processIdentifier, SIGKILL) }
        let look = ["pid", "\(sleeper.processIdentifier)", "--levels", "0x1f", "--json"]
        #expect(try Self.tool.run(look).exitCode == 0)
        // Each level by itself, with the map that it needs.
        let levels = ["0x02", "0x04", "0x08", "0x10", "0x20", "0x40"]
        for level in levels { #expect(try exitCode(of: sleeper, level) == 0, "\(level)") }
        let memory = try MemoryOfProcess(sleeper.processIdentifier, "/sleep")
        try memory.poke(memory.peek())
        let written = try Self.tool.run(look)
        #expect(written.exitCode == 1 && written.output.contains("codeModified"))
        #expect(try Self.tool.run(["pid", "0"]).exitCode == 4)
        try memory.poke(memory.peek() ^ 1)
        let found = try levels.filter { try exitCode(of: sleeper, $0) == 1 }
        #expect(found == ["0x08", "0x10"])
    }

    @Test("a name that a process chooses does not reach the terminal", .enabled(if: geteuid() == 0))
    func foreignNames() throws {
        let scratch = try Scratch()
        let folder = scratch.url.appending(path: "a\u{1b}[2Jb")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try ExecutableCopy.make(of: "/bin/sleep", at: folder.appending(path: "sleep").path)
        let sleeper = Process()
        sleeper.executableURL = folder.appending(path: "sleep")
        sleeper.arguments = ["3600"]
        try sleeper.run()
        defer { kill(sleeper.processIdentifier, SIGKILL) }
        let memory = try MemoryOfProcess(sleeper.processIdentifier, "/sleep")
        try memory.poke(memory.peek() ^ 1)
        for levels in ["0x08", "0x10"] {
            let outcome = try Self.tool.run(["pid", "\(sleeper.processIdentifier)", "--levels", levels])
            #expect(outcome.exitCode == 1 && !(outcome.output + outcome.errors).contains("\u{1b}"), "\(levels)")
        }
    }

    private func exitCode(of process: Process, _ levels: String) throws -> Int32 {
        try Self.tool.run(["pid", "\(process.processIdentifier)", "--levels", levels]).exitCode
    }

    @Test(
        "every command of the validator is closed to debuggers and leaves no core", arguments: ["learn", "provision"])
    func hardened(command: String) throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let arguments =
            command == "learn"
            ? ["learn", "--pid", "\(getpid())", "--product", "p", "--epoch", "1", "--seconds", "600"]
            : [
                "provision", "--config", vigil.scratch.path("validator.json"), "--token-file",
                vigil.scratch.path("token"),
            ]
        let program = try vigil.start("vigil-validator", arguments)
        defer { program.process.terminate() }
        let limits = "/proc/\(program.pid)/limits"
        #expect(
            program.waits { _ in
                (try? KernelFile.text(limits))?.split(separator: "\n").first { $0.hasPrefix("Max core file size") }?
                    .split(separator: " ").filter { $0 == "0" }.count == 2
            })
    }

    @Test("all checks of selftest pass for a validator of its own, before its first start and afterwards")
    func selftest() throws {
        for isProvisioned in [false, true] {
            let vigil = try VigilInstallation(isProvisioned: isProvisioned)
            let test = try vigil.start(
                "vigil-validator", ["selftest", "--config", vigil.scratch.path("validator.json")])
            test.process.waitUntilExit()
            #expect(test.process.terminationStatus == 0, "\(test.output)\(test.errors)")
            #expect(test.output.contains("none yet") == !isProvisioned)
            try vigil.patch("vigil-demo")
            let failing = try vigil.start(
                "vigil-validator", ["selftest", "--config", vigil.scratch.path("validator.json")])
            failing.process.waitUntilExit()
            #expect(failing.process.terminationStatus == 1 && failing.output.contains("FAILED"), "\(failing.output)")
            #expect(!failing.output.contains(#"\u{1b}"#))
        }
    }
}
