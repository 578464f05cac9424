import BasicFoundation
import Processes
import TextForms

/// A TPM 2.0 simulator, started for a check on a Unix socket or TCP port of its own and ended with this value.
///
/// A test that needs one says `.enabled(if: SoftwareTPM.isInstalled)` and is reported as skipped where it is missing.
package final class SoftwareTPM {
    /// The folder of the state and the sockets.
    package let folder: URL
    /// What the tools of the TPM take: `swtpm:path=…` or `swtpm:host=127.0.0.1,port=…`.
    package var tcti: String {
        switch transport {
        case .unix: "swtpm:path=\(socket.path)"
        case .tcp(let port): "swtpm:host=127.0.0.1,port=\(port)"
        }
    }
    package var socket: URL { folder.appending(path: "tpm.sock") }
    package let transport: Transport

    private var process: SpawnedProgram?
    private let logsCommands: Bool

    package enum Transport: Sendable {
        case unix
        /// The control port is the next one. Ports of the ephemeral range collide with outgoing connections.
        case tcp(port: UInt16)
    }

    package struct DidNotStart: Error {
        /// What the simulator wrote, and whether it still ran.
        package let reason: String
    }

    private static let program = ["/usr/bin/swtpm", "/usr/local/bin/swtpm"]
        .first(where: FileManager.default.isExecutableFile)

    package static let isInstalled = program != nil

    /// - Parameters:
    ///   - state: a folder with a simulator's state, which is copied; nil for a new TPM.
    ///   - logsCommands: keeps what ``commands()`` gives.
    package init(state: URL? = nil, transport: Transport = .unix, logsCommands: Bool = false) throws {
        self.transport = transport
        self.logsCommands = logsCommands
        // In memory, since a new simulator syncs its state many times, which on a busy disk takes seconds. A short
        // path: a socket's has at most 107 bytes. Absolute, or the simulator goes into failure mode.
        let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        folder = URL(filePath: "\(parent)/tpm-\(UUID().uuidString.prefix(13))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let own = folder.appending(path: "state")
        if let state {
            try FileManager.default.copyItem(at: state, to: own)
            // The data may be read only, which the copy would inherit.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: own.path)
            for file in try FileManager.default.contentsOfDirectory(atPath: own.path) {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: own.appending(path: file).path)
            }
        } else {
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        }
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it on the state that it has.
    package func start() throws {
        guard let program = Self.program else { throw DidNotStart(reason: "swtpm is not installed") }
        var arguments = ["socket", "--tpm2", "--tpmstate", "dir=\(folder.path)/state"]
        switch transport {
        case .unix:
            arguments += [
                "--server", "type=unixio,path=\(socket.path)", "--ctrl", "type=unixio,path=\(socket.path).ctrl",
            ]
        case .tcp(let port):
            arguments += ["--server", "type=tcp,bindaddr=127.0.0.1,port=\(port)"]
            arguments += ["--ctrl", "type=tcp,bindaddr=127.0.0.1,port=\(port + 1)"]
        }
        if logsCommands { arguments += ["--log", "file=\(commandLog.path),level=20"] }
        let process = try SpawnedProgram(
            program, arguments + ["--flags", "not-need-init,startup-clear"],
            outputs: .errors(to: folder.appending(path: "swtpm.log").path))
        self.process = process
        try awaitAnswer(of: process)
    }

    /// Ends it as a loss of power does; the state stays.
    package func stop() {
        guard let process else { return }
        // Not SIGTERM, which a test's thread blocks, and its children with it.
        kill(process.id, SIGKILL)
        process.wait()
        self.process = nil
        try? FileManager.default.removeItem(at: socket)
        try? FileManager.default.removeItem(atPath: socket.path + ".ctrl")
    }

    private var commandLog: URL { folder.appending(path: "commands.log") }

    /// The codes of the commands that it was given since it was made, as the simulator wrote them down.
    package func commands() throws -> [UInt32] {
        let lines = String(decoding: try Data(contentsOf: commandLog), as: UTF8.self).split(separator: "\n")
        return zip(lines, lines.dropFirst()).compactMap { line, next in
            guard line.contains("SWTPM_IO_Read") else { return nil }
            let bytes = next.split(separator: " ").compactMap { UInt32($0, radix: 16) }
            return bytes.count < 10 ? nil : bytes[6..<10].reduce(0) { $0 << 8 | $1 }
        }
    }

    /// The simulator says nothing when it is ready, so it is asked until it takes a connection.
    private func awaitAnswer(of process: SpawnedProgram) throws {
        var end: Int32?
        for _ in 0..<60_000 where end == nil {
            if isListening { return }
            end = process.ended()
            usleep(10_000)
        }
        let log = (try? String(contentsOf: folder.appending(path: "swtpm.log"), encoding: .utf8)) ?? ""
        let reason = end.map { "it ended with \($0)" } ?? "it runs and does not listen"
        if end != nil { self.process = nil }
        stop()
        throw DidNotStart(reason: "\(reason). \(log)")
    }

    /// Looks at the system's tables of sockets: a connection would make the simulator believe that its user had left,
    /// and a socket's file is there before anything listens.
    private var isListening: Bool {
        switch transport {
        case .unix:
            let listening = Self.rows(of: "/proc/net/unix").filter { $0.count == 8 && $0[3] == "00010000" }.map {
                $0[7]
            }
            return listening.contains(socket.path[...]) && listening.contains((socket.path + ".ctrl")[...])
        case .tcp(let port):
            let listening = Self.rows(of: "/proc/net/tcp").filter { $0.count > 3 && $0[3] == "0A" }.map { $0[1] }
            return [port, port + 1].allSatisfy {
                listening.contains("0100007F:\(Hex.encode([UInt8($0 >> 8), UInt8($0 & 0xff)]).uppercased())")
            }
        }
    }

    private static func rows(of table: String) -> [[Substring]] {
        // The kernel's files have no size, and Foundation takes such a file for one of a page.
        guard let file = fopen(table, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        // Leniently: names of other programs' sockets may be any bytes.
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    }
}

/// The tools that owners of TPMs use, for what this package does not do itself.
extension SoftwareTPM {
    package static let hasTools = FileManager.default.isExecutableFile(atPath: "/usr/bin/tpm2_createprimary")

    package struct ToolFailed: Error {
        package let command: String
    }

    /// Runs a tool on this TPM, in ``folder``, and flushes what it left: the simulator has no resource manager.
    package func run(_ tool: String, _ arguments: String...) throws {
        try run(tool: tool, arguments)
        try run(tool: "tpm2_flushcontext", ["--transient-object"])
    }

    private func run(tool: String, _ arguments: [String]) throws {
        let process = try SpawnedProgram(
            "/usr/bin/env", ["--chdir=\(folder.path)", "/usr/bin/\(tool)"] + arguments + ["--tcti", tcti],
            outputs: .nowhere)
        guard process.wait() == 0 else { throw ToolFailed(command: tool) }
    }
}
