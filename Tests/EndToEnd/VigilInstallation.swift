import Foundation
import TestSupport
import Testing

/// A demo app and its validator as they are installed: signed by a release key of their own, pinned to each other, in a
/// folder that is removed at the end. Both run as the user of the tests.
final class VigilInstallation {
    let scratch: Scratch
    private var started: [Process] = []
    private static let tool = Program(name: "vigil-hash-tool")
    private static let environment = ["SWIFT_BACKTRACE": "enable=no", "VIGIL_TPM": "none"]

    /// Release 1, made once for all tests.
    private static let release: Result<Scratch, any Error> = Result {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.path("root/bin"), withIntermediateDirectories: true)
        for name in ["vigil-demo", "vigil-validator"] {
            try ExecutableCopy.make(of: Program(name: name).path, at: scratch.path("root/bin/\(name)"))
        }
        _ = try Program.shell(
            """
            cd \(Program.quoted(scratch.path)) && strip root/bin/*
            openssl ecparam -name prime256v1 -genkey -noout -out release.pem
            openssl ec -in release.pem -pubout -out release.pub && head -c 32 /dev/urandom >token && head -c 64 /dev/zero >grant
            chmod 600 token grant release.pub
            """)
        try sign(scratch, epoch: 1)
        // What a constant holds is never released.
        atexit { try? FileManager.default.removeItem(at: VigilInstallation.release.get().url) }
        return scratch
    }

    /// - Parameter isProvisioned: whether the two are pinned to each other already.
    init(isProvisioned: Bool = true) throws {
        scratch = try Scratch()
        try Program.shell(
            "cp -R \(Program.quoted(Self.release.get().path))/. \(Program.quoted(scratch.path))"
        ).succeeded()
        for (name, mode) in [("run", 0o750), ("app", 0o700), ("validator", 0o700)] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(name), withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
        }
        try configure("app", [:])
        try configure("validator", ["grantFile": scratch.path("grant")])
        if isProvisioned { try provision() }
    }

    deinit {
        for process in started where process.isRunning {
            kill(process.processIdentifier, SIGCONT)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Writes the configuration of a side, with what differs from the usual one.
    func configure(_ side: String, _ more: [String: Any], as name: String? = nil) throws {
        var members: [String: Any] = [
            "product": "org.example.demo", "bundleRoot": scratch.path("root"),
            "manifest": scratch.path("root/vigil-manifest.json"), "socketPath": scratch.path("run/vigil.sock"),
            "stateDirectory": scratch.path(side), "allowedUids": [Int(geteuid())],
            "trustedKeys": [scratch.path("release.pub")], "externalPrefixes": Self.libraryFolders,
            // Nobody waits for these times but who says so; a busy machine may take longer than the usual ones.
            "timeoutMs": 60_000, "frameTimeoutMs": 60_000, "intervalMs": 100, "ttlMs": 300_000,
        ]
        if side == "validator" { members["scanIntervalMs"] = 100 }
        members.merge(more) { $1 }
        let file = URL(filePath: scratch.path("\(name ?? side).json"))
        try JSONSerialization.data(withJSONObject: members).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }

    /// Those of the system, and the one of Swift's libraries where the programs do not bring them.
    private static let libraryFolders: [String] = {
        let maps = (try? KernelFile.text("/proc/self/maps")) ?? ""
        let swift = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }?
            .split(separator: " ").last.map { URL(filePath: String($0)).deletingLastPathComponent().path }
        return ["/usr/lib", "/lib", "/usr/lib64", "/lib64"] + (swift.map { [$0] } ?? [])
    }()

    // MARK: Releases

    static func sign(_ scratch: Scratch, epoch: Int) throws {
        let root = scratch.path("root")
        try tool.run([
            "manifest", "--app", "\(root)/bin/vigil-demo", "--validator", "\(root)/bin/vigil-validator",
            "--bundle-root", root, "--epoch", "\(epoch)", "--product", "org.example.demo", "--pages", "--externals",
            "none", "--out", scratch.path("m.json"),
        ]).succeeded()
        try tool.run([
            "sign", scratch.path("m.json"), "--key", scratch.path("release.pem"), "--out",
            "\(root)/vigil-manifest.json",
        ]).succeeded()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: "\(root)/vigil-manifest.json")
    }

    func path(of name: String) -> String { scratch.path("root/bin/\(name)") }

    /// Puts the file of the release back, as another file of the same content.
    func reinstall(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(of: name))
        try ExecutableCopy.make(of: Self.release.get().path("root/bin/\(name)"), at: path(of: name))
    }

    /// Changes one byte of the code of a file.
    func patch(_ name: String) throws {
        let place = try CodeOfFile(path(of: name)).harmless
        var program = try Data(contentsOf: URL(filePath: path(of: name)))
        program[Int(place)] ^= 1
        try FileManager.default.removeItem(atPath: path(of: name))
        try ExecutableCopy.make(program, at: path(of: name))
    }

    // MARK: Programs

    func start(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws -> RunningProgram {
        let program = try RunningProgram(
            path(of: name), arguments, output: scratch.path("\(name)-\(started.count)"),
            environment: Self.environment.merging(environment) { $1 })
        started.append(program.process)
        return program
    }

    func startValidator() throws -> RunningProgram {
        let validator = try start("vigil-validator", ["run", "--config", scratch.path("validator.json")])
        try #require(validator.waits { $0.errors.contains("answers at") }, "\(validator.errors)")
        return validator
    }

    func openWindow() throws -> RunningProgram {
        let window = try start(
            "vigil-validator",
            [
                "provision", "--config", scratch.path("validator.json"), "--window", "600", "--token-file",
                scratch.path("token"),
            ])
        let socket = scratch.path("run/vigil.sock")
        try #require(window.waits { _ in FileManager.default.fileExists(atPath: socket) }, "\(window.errors)")
        return window
    }

    func provision() throws {
        let window = try openWindow()
        // Pinned; whether the window's program still answers afterwards is another matter.
        _ = try ask("--token-file", scratch.path("token"))
        window.process.waitUntilExit()
        try #require(window.process.terminationStatus == 0, "\(window.errors)")
    }

    /// Asks once.
    func ask(_ more: String..., environment: [String: String] = [:], configuration: String = "app") throws -> DemoReport
    {
        let app = try start(
            "vigil-demo", ["--config", scratch.path("\(configuration).json"), "--once"] + more, environment: environment
        )
        app.process.waitUntilExit()
        return try #require(app.reports.last, "\(app.errors)")
    }

    /// An app that goes on asking and has been found valid.
    func startApp(environment: [String: String] = [:]) throws -> RunningProgram {
        let app = try start("vigil-demo", ["--config", scratch.path("app.json")], environment: environment)
        try #require(app.waits { !$0.reports.isEmpty }, "\(app.errors)")
        try #require(app.reports.first?.result == "valid", "\(app.reports)")
        return app
    }
}

/// What the demo prints, or the validator's log has, in one line.
struct DemoReport: Decodable {
    struct Finding: Decodable {
        var text: String
        var path: String?
        var segment: Int?
        var pages: [Int]?
    }

    var result: String
    var reason: String
    var measuredApp: UInt8?
    var measuredValidator: UInt8?
    var flags: UInt8
    var latencyMs: Double?
    var hasGrant: Bool?
    var findings: [Finding]?
    var finding: Finding?
}

/// A program that runs, and what it has written.
final class RunningProgram {
    let process = Process()
    private let outputPath, errorPath: String

    init(_ path: String, _ arguments: [String], output: String, environment: [String: String]) throws {
        outputPath = output + ".out"
        errorPath = output + ".err"
        for path in [outputPath, errorPath] { try Data().write(to: URL(filePath: path)) }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: outputPath)
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
    }

    var pid: Int32 { process.processIdentifier }
    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    /// The reports of the demo.
    var reports: [DemoReport] { Self.lines(output) }
    /// The reports of the validator.
    var verdicts: [DemoReport] { Self.lines(errors) }

    private static func lines(_ text: String) -> [DemoReport] {
        text.split(separator: "\n").compactMap { try? JSONDecoder().decode(DemoReport.self, from: Data($0.utf8)) }
    }

    /// Looks until it is so, for no longer than ten minutes.
    func waits(for condition: (RunningProgram) -> Bool) -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        while !condition(self) {
            guard ContinuousClock.now < end else { return false }
            usleep(5000)
        }
        return true
    }

    /// What it reports next after the first.
    func nextReport() throws -> DemoReport {
        try #require(waits { $0.reports.count > 1 }, "\(errors)")
        return reports[1]
    }
}

/// Where code lies.
struct CodeOfFile {
    /// The place in the file of the last byte of the address in an instruction that does nothing, so that a patched
    /// program gets as far as an untouched one; the middle of the code where there is no such instruction.
    let harmless: UInt64

    /// `nopw 0(rax, rax)`, as compilers of x86-64 fill up with; the address is never used.
    private static let filler: [UInt8] = [0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]

    init(_ path: String) throws {
        let file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(file[offset + $1]) << (8 * UInt64($1)) }
        }
        let table = Int(number(32, 8))
        let entries = (0..<Int(number(56, 2))).map { table + $0 * 56 }
        let code = try #require(entries.first { number($0, 4) == 1 && number($0 + 4, 4) & 1 == 1 })
        let start = Int(number(code + 8, 8))
        let end = start + Int(number(code + 32, 8))
        let middle = (start + end) / 2
        harmless = UInt64(file.range(of: Data(Self.filler), in: middle..<end).map { $0.upperBound - 1 } ?? middle)
    }
}

/// The memory of a process, for those who may write to it.
struct MemoryOfProcess {
    private let file: FileHandle
    /// In the middle of its code, and executed by nobody: a program that runs into a changed byte ends before anybody
    /// looks.
    private let code: UInt64

    init(_ pid: Int32, _ path: String) throws {
        // Who starts a process runs on before the kernel has mapped the program's file.
        var found: Substring?
        for _ in 0..<3000 where found == nil {
            let maps = try KernelFile.text("/proc/\(pid)/maps")
            found = maps.split(separator: "\n").first { $0.contains(" r-xp ") && $0.hasSuffix(path) }
            if found == nil { usleep(20_000) }
        }
        let line = try #require(found)
        let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
        let middle = (range[0] + range[1]) / 2
        file = try #require(FileHandle(forUpdatingAtPath: "/proc/\(pid)/mem"))
        try file.seek(toOffset: middle)
        let bytes = try #require(try file.read(upToCount: Int(range[1] - middle)))
        // What compilers fill up with behind the end of a function; where they do so in another way, behind the last
        // one.
        let returnAndFilling = Data([0xc3, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00])
        let filling = bytes.range(of: returnAndFilling).map {
            bytes.distance(from: bytes.startIndex, to: $0.upperBound)
        }
        code = middle + UInt64((filling ?? bytes.count) - 1)
    }

    func peek() throws -> UInt8 {
        try file.seek(toOffset: code)
        return try #require(try file.read(upToCount: 1)?.first)
    }

    func poke(_ byte: UInt8) throws {
        try file.seek(toOffset: code)
        try file.write(contentsOf: [byte])
    }
}
