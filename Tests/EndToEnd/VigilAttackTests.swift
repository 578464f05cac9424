import Foundation
import TestSupport
import Testing

/// The two programs, run and attacked for real.
///
/// Source: `vigil` sections 8 and 13.
@Suite("Vigil, two processes", .serialized, .timeLimit(.minutes(30)))
struct VigilAttackTests {
    private static let isRoot = geteuid() == 0

    @Test("untouched, they trust each other by descriptors alone, and the grant is given")
    func clean() throws {
        let vigil = try VigilInstallation()
        _ = try vigil.startValidator()
        let report = try vigil.ask()
        #expect(report.result == "valid" && report.reason == "ok" && report.hasGrant == true)
        #expect(report.measuredApp.map { $0 & 0x0f } == 0x0f)
        #expect(report.measuredValidator.map { $0 & 0x0e } == 0x0e)
    }

    @Test("where the validator's key cannot be used, its status tells why, and still who is pinned")
    func status() throws {
        let vigil = try VigilInstallation()
        func status() throws -> (exitCode: Int32, report: JSON) {
            let asked = try vigil.start(
                "vigil-validator", ["status", "--json", "--config", vigil.scratch.path("validator.json")])
            asked.process.waitUntilExit()
            return (asked.process.terminationStatus, try JSON(parsing: Array(asked.output.utf8)))
        }
        let before = try status()
        #expect(before.exitCode == 0 && before.report["pins"].array.count == 1)
        #expect(before.report["stateFault"].string == nil)
        // The key that it has is a software key.
        try vigil.configure("validator", ["grantFile": vigil.scratch.path("grant"), "requireHardware": true])
        let after = try status()
        #expect(after.exitCode == 74 && after.report["stateFault"].string != nil)
        for member in ["keyID", "keyKind"] {
            #expect(after.report[member].string != nil && after.report[member].string == before.report[member].string)
        }
        #expect(after.report["pins"][0]["keyID"].string == before.report["pins"][0]["keyID"].string)
    }

    @Test("a byte of code that was patched on disk is found, with its page")
    func patchedFile() throws {
        let vigil = try VigilInstallation()
        let validator = try vigil.startValidator()
        try vigil.patch("vigil-demo")
        let report = try vigil.ask()
        #expect(report.result == "tampered" && report.reason == "hashMismatch" && report.hasGrant == false)
        let finding = try #require(validator.verdicts.last?.finding)
        #expect(finding.path == "bin/vigil-demo" && finding.segment != nil && finding.pages?.count == 1)
    }

    @Test("a byte of code that was patched in memory is found, also when it was put back", .enabled(if: isRoot))
    func patchedMemory() throws {
        let vigil = try VigilInstallation()
        let validator = try vigil.startValidator()
        for isRestored in [false, true] {
            let app = try vigil.startApp()
            let memory = try MemoryOfProcess(app.pid, vigil.path(of: "vigil-demo"))
            let byte = try memory.peek()
            try memory.poke(byte ^ 1)
            if isRestored { try memory.poke(byte) }
            let report = try app.nextReport()
            #expect(report.result == "tampered" && report.reason == "codeModified")
            let finding = try #require(validator.verdicts.last { $0.reason == "codeModified" }?.finding)
            #expect(finding.path == "bin/vigil-demo" && finding.segment != nil && finding.pages?.count == 1)
            app.process.terminate()
        }
    }

    @Test(
        "a library that was preloaded is gone before the first line of the program, and the program starts anew only once"
    )
    func preloaded() throws {
        let vigil = try VigilInstallation()
        _ = try vigil.startValidator()
        let maps = try KernelFile.text("/proc/self/maps")
        let mapping = try #require(
            maps.split(separator: "\n").first { $0.contains("/libm.so") || $0.contains("/libm-") })
        let spy = vigil.scratch.path("libspy.so")
        let library = try #require(mapping.split(separator: " ").last)
        try FileManager.default.copyItem(atPath: String(library), toPath: spy)
        let report = try vigil.ask(environment: ["LD_PRELOAD": spy, "LD_DEBUG_OUTPUT": "/dev/null"])
        #expect(report.result == "valid", "\(report)")
        let app = try vigil.startApp(environment: ["LD_PRELOAD": spy, "OPENSSL_CONF": spy, "HOME": "/kept"])
        #expect(try !KernelFile.text("/proc/\(app.pid)/maps").contains(spy))
        let environment = try KernelFile.text("/proc/\(app.pid)/environ")
        #expect(!environment.contains(spy) && environment.contains("HOME=/kept"))
    }

    @Test(
        "a debugger is found",
        .enabled(if: isRoot && FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    func traced() throws {
        let vigil = try VigilInstallation()
        _ = try vigil.startValidator()
        let app = try vigil.startApp()
        let debugger = Process()
        debugger.executableURL = URL(filePath: "/usr/bin/strace")
        debugger.arguments = ["-qq", "-f", "-o", "/dev/null", "-p", "\(app.pid)"]
        try debugger.run()
        defer { debugger.terminate() }
        let report = try app.nextReport()
        #expect(report.result == "tampered" && report.reason == "traced")
    }

    @Test("a program whose file was replaced keeps its session and gets no new one")
    func replaced() throws {
        let vigil = try VigilInstallation()
        // The next handshake begins `timeoutMs` before the session's end, thirty seconds from here.
        try vigil.configure("app", ["sessionSeconds": 90, "timeoutMs": 60_000])
        _ = try vigil.startValidator()
        let app = try vigil.startApp()
        try vigil.reinstall("vigil-demo")
        // What it reports of its session may come in between.
        try #require(app.waits { $0.reports.last?.result != "valid" }, "\(app.errors)")
        let report = try #require(app.reports.last)
        #expect(report.result == "tampered" && report.reason == "hashMismatch")
        #expect(try vigil.ask().result == "valid")
    }

    @Test("a validator that is killed, stopped or absent is as bad as tampering, within the limit")
    func silence() throws {
        let vigil = try VigilInstallation()
        let first = try vigil.startValidator()
        let app = try vigil.startApp()
        kill(first.pid, SIGKILL)
        let ended = try app.nextReport()
        #expect(ended.result == "tampered" && ended.reason == "malformed")
        app.process.terminate()
        first.process.waitUntilExit()
        try vigil.configure("app", ["timeoutMs": 2000], as: "hasty-app")
        #expect(try vigil.ask(configuration: "hasty-app").result == "timeout")
        let second = try vigil.startValidator()
        kill(second.pid, SIGSTOP)
        let stopped = try vigil.ask(configuration: "hasty-app")
        #expect(stopped.result == "timeout" && stopped.reason == "expired")
        // Two seconds, and what a busy machine adds.
        #expect(stopped.latencyMs.map { $0 < 60_000 } == true)
    }

    @Test("a validator that is patched is not believed", .enabled(if: isRoot))
    func patchedValidator() throws {
        let vigil = try VigilInstallation()
        let validator = try vigil.startValidator()
        let memory = try MemoryOfProcess(validator.pid, vigil.path(of: "vigil-validator"))
        try memory.poke(memory.peek() ^ 1)
        let report = try vigil.ask()
        #expect(report.result == "tampered" && report.reason == "codeModified", "\(report)")
        #expect(report.findings?.first?.path == "bin/vigil-validator" && report.findings?.first?.pages?.count == 1)
        kill(validator.pid, SIGKILL)
        validator.process.waitUntilExit()
        try vigil.patch("vigil-validator")
        let patched = try vigil.start("vigil-validator", ["run", "--config", vigil.scratch.path("validator.json")])
        patched.process.waitUntilExit()
        #expect(patched.process.terminationStatus == 78)
    }

    @Test("an older genuine release is refused after a newer one was seen")
    func rollback() throws {
        let vigil = try VigilInstallation()
        let manifest = vigil.scratch.path("root/vigil-manifest.json")
        let older = try Data(contentsOf: URL(filePath: manifest))
        try older.write(to: URL(filePath: vigil.scratch.path("older.json")))
        try vigil.configure("app", ["manifest": vigil.scratch.path("older.json")], as: "old-app")
        try VigilInstallation.sign(vigil.scratch, epoch: 2)
        _ = try vigil.startValidator()
        // Before the app has seen the newer one itself, the validator tells.
        let old = try vigil.ask(configuration: "old-app")
        #expect(old.result == "tampered" && old.reason == "epochRollback")
        #expect(try vigil.ask().result == "valid")
        let app = try vigil.start("vigil-demo", ["--config", vigil.scratch.path("old-app.json"), "--once"])
        app.process.waitUntilExit()
        #expect(app.process.terminationStatus == 78 && app.errors.contains("epoch 2 was seen"))
    }

    @Test("in the window nobody is pinned without the token, and nobody after the first")
    func race() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let window = try vigil.openWindow()
        // An app that does not want to see the token itself.
        try vigil.configure("thief", ["provisioning": ["requireToken": false]])
        #expect(try vigil.ask(configuration: "thief").reason == "notProvisioned")
        _ = try vigil.ask("--token-file", vigil.scratch.path("token"))
        window.process.waitUntilExit()
        #expect(window.process.terminationStatus == 0 && window.output.contains("Pinned"))
        _ = try vigil.startValidator()
        let late = try vigil.ask("--token-file", vigil.scratch.path("token"), configuration: "thief")
        // The token is good until the window would have ended, for the app that was pinned.
        #expect(late.result == "tampered" && late.reason == "publicKeyMismatch")
        #expect(try vigil.ask().result == "valid")
    }

    @Test("a window is closed by whatever ends its command", arguments: [SIGINT, SIGTERM, SIGHUP])
    func endedWindow(number: Int32) throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let window = try vigil.openWindow()
        kill(window.pid, number)
        window.process.waitUntilExit()
        #expect(window.process.terminationStatus == 1)
        for name in ["window", "token"] {
            #expect(!FileManager.default.fileExists(atPath: vigil.scratch.path("validator/provisioning.\(name)")))
        }
    }

    @Test("an app ends by itself where its configuration says so")
    func grace() throws {
        let vigil = try VigilInstallation()
        try vigil.configure("app", ["graceMs": 0])
        let validator = try vigil.startValidator()
        let app = try vigil.startApp()
        kill(validator.pid, SIGKILL)
        app.process.waitUntilExit()
        #expect(app.process.terminationStatus == 70)
    }

    @Test("a member that only the other side looks at keeps a program from starting")
    func foreignMember() throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        try vigil.configure("app", ["scanIntervalMs": 100])
        let app = try vigil.start("vigil-demo", ["--config", vigil.scratch.path("app.json"), "--once"])
        app.process.waitUntilExit()
        #expect(app.process.terminationStatus == 78 && app.errors.contains("scanIntervalMs"))
    }

    @Test(
        "an app speaks version 1 where its configuration says so, and is told of nonces that are as weak",
        .enabled(if: isRoot))
    func versionOne() throws {
        let vigil = try VigilInstallation()
        try vigil.configure("app", ["allowProtocolV1": true, "v1Nonce": "allowIndependent"])
        try vigil.configure("validator", ["grantFile": vigil.scratch.path("grant"), "allowProtocolV1": true])
        _ = try vigil.startValidator()
        let report = try vigil.ask()
        #expect(report.result == "valid" && report.hasGrant == false)
        let app = try vigil.start("vigil-demo", ["--config", vigil.scratch.path("app.json"), "--once"])
        app.process.waitUntilExit()
        #expect(app.errors.contains("Set v1Nonce to requireEcho"))
    }

    @Test(
        "a folder that others may write to keeps the validator from starting, wherever on the way it is",
        arguments: [["etc", "manifest"], ["run", "socketPath"], ["tool", "onTamper"]])
    func openFolder(names: [String]) throws {
        let vigil = try VigilInstallation(isProvisioned: false)
        let open = vigil.scratch.path("open")
        try FileManager.default.createDirectory(
            atPath: "\(open)/\(names[0])", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        let file = "\(open)/\(names[0])/file"
        let original = ["manifest": vigil.scratch.path("root/vigil-manifest.json"), "onTamper": "/bin/true"][names[1]]
        if let original { try ExecutableCopy.make(of: original, at: file) }
        let member: Any = names[1] == "onTamper" ? [file] : file
        try vigil.configure("validator", [names[1]: member])
        for mode in [0o777, 0o755] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: open)
            let validator = try vigil.start(
                "vigil-validator", ["run", "--config", vigil.scratch.path("validator.json")])
            if mode == 0o755 {
                #expect(validator.waits { $0.errors.contains("answers at") }, "\(validator.errors)")
            } else {
                validator.process.waitUntilExit()
                #expect(
                    validator.process.terminationStatus == 78 && validator.errors.contains("others may write \(open)"))
            }
        }
    }

    @Test("a state folder that another user has copied is of no use", .enabled(if: isRoot))
    func stolenState() throws {
        let vigil = try VigilInstallation()
        _ = try vigil.startValidator()
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: vigil.scratch.path)
        try Program.shell(
            "cd \(Program.quoted(vigil.scratch.path)) && cp -R app thief && chown -R 12399 thief && chmod 644 release.pub"
        ).succeeded()
        try vigil.configure("thief", [:])
        let thief = try Program.shell(
            "VIGIL_TPM=none setpriv --reuid 12399 --regid 12399 --clear-groups "
                + "\(vigil.path(of: "vigil-demo")) --config \(vigil.scratch.path("thief.json")) --once")
        #expect(thief.exitCode == 78, "\(thief.output) \(thief.errors)")
    }
}
