import Foundation

/// A TPM 2.0 simulator, started for a check on a Unix socket or TCP port of its own and ended with this value.
///
/// A test that needs one says `.enabled(if: SoftwareTPM.isInstalled)` and is reported as skipped where it is missing.
public final class SoftwareTPM {
    /// Holds the state and the sockets.
    public let folder: URL
    /// What the tools of the TPM take: `swtpm:path=…` or `swtpm:host=127.0.0.1,port=…`.
    public var tcti: String {
        switch transport {
        case .unix: "swtpm:path=\(socket.path)"
        case .tcp(let port): "swtpm:host=127.0.0.1,port=\(port)"
        }
    }
    public var socket: URL { folder.appending(path: "tpm.sock") }
    public let transport: Transport

    private var process: Process?

    public enum Transport: Sendable {
        case unix
        /// The control port is the next one. Ports of the ephemeral range collide with outgoing connections.
        case tcp(port: UInt16)
    }

    public struct DidNotStart: Error {}

    private static let program = ["/usr/bin/swtpm", "/usr/local/bin/swtpm", "/opt/homebrew/bin/swtpm"]
        .first(where: FileManager.default.isExecutableFile)

    public static let isInstalled = program != nil

    /// - Parameter state: a folder with a simulator's state, which is copied; nil for a new TPM.
    public init(state: URL? = nil, transport: Transport = .unix) throws {
        self.transport = transport
        // A short path: a socket's has at most 107 bytes. Absolute, or the simulator goes into failure mode.
        folder = URL(filePath: "/tmp/tpm-\(UUID().uuidString.prefix(13))")
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
    public func start() throws {
        guard let program = Self.program else { throw DidNotStart() }
        let process = Process()
        process.executableURL = URL(filePath: program)
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
        process.arguments = arguments + ["--flags", "not-need-init,startup-clear"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        try awaitAnswer(of: process)
    }

    /// Ends it as a loss of power does; the state stays.
    public func stop() {
        guard let process else { return }
        // Not SIGTERM, which a test's thread blocks, and its children with it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
        try? FileManager.default.removeItem(at: socket)
        try? FileManager.default.removeItem(atPath: socket.path + ".ctrl")
    }

    /// The simulator says nothing when it is ready, so it is asked until it takes a connection.
    private func awaitAnswer(of process: Process) throws {
        for _ in 0..<500 where process.isRunning {
            if isListening { return }
            usleep(10_000)
        }
        stop()
        throw DidNotStart()
    }

    private var isListening: Bool {
        switch transport {
        case .unix:
            FileManager.default.fileExists(atPath: socket.path)
                && FileManager.default.fileExists(atPath: socket.path + ".ctrl")
        case .tcp(let port): Self.isListening(on: port) && Self.isListening(on: port + 1)
        }
    }

    /// Looks at the system's table of sockets: a connection would make the simulator believe that its user had left.
    private static func isListening(on port: UInt16) -> Bool {
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let address = "0100007F:" + String(format: "%04X", Int(port))
        return table.split(separator: "\n").contains { $0.contains(" \(address) 00000000:0000 0A ") }
    }
}
