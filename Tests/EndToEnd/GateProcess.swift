import Foundation
import GateTestKit
import TestSupport
import Testing

/// A built `gate serve` of a test. It ends with the last reference, however the test ends, and with the test process.
final class GateProcess: Sendable {
    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    /// The port for operators; nil where there is no listener for them.
    let adminPort: Int?
    /// The process of the gate itself, not of the shell beside it.
    let id: Int
    private let child: ChildProgram

    /// No test waits for these; with thousands of tests beside it, one may come to its next step only after minutes.
    private static let patience = [
        "--header-timeout-ms": "300000", "--body-timeout-ms": "300000", "--tls-handshake-timeout-ms": "300000",
        "--upstream-connect-timeout-ms": "300000", "--ws-heartbeat-interval-ms": "300000",
        "--ws-heartbeat-timeout-ms": "600000", "--nonce-ttl-ms": "600000", "--store-timeout-ms": "300000",
        "--ws-port": "0", "--admin-bind": "off",
    ]

    /// The whole flow's files, as `gate mint-test-ca` makes them.
    static func mintAuthority(_ folder: String) throws {
        try Program(name: "gate").run(["mint-test-ca", folder]).succeeded()
    }

    /// - Parameters:
    ///   - arguments: behind `gate serve`.
    ///   - log: a file for standard error; nil: it is not kept.
    ///   - prelude: what the shell does first, for example set a limit.
    init(_ arguments: [String], log: String? = nil, prelude: String = ":") async throws {
        // The shell's other child ends the gate when this process does: its input ends then.
        let patience = Self.patience.filter { !arguments.contains($0.key) }.flatMap { [$0.key, $0.value] }
        let words = [Program(name: "gate").path, "serve", "--json"] + patience + arguments
        let script = """
            \(prelude)
            \(words.map(Program.quoted).joined(separator: " ")) 2>\(Program.quoted(log ?? "/dev/null")) </dev/null &
            gate=$!
            echo "id $gate"
            exec 3<&0
            (while read -r word <&3; do kill -s "$word" $gate; done; kill -s KILL $gate) >/dev/null 2>&1 &
            watch=$!
            wait $gate
            result=$?
            kill $watch 2>/dev/null
            echo "ended $result"
            """
        child = try ChildProgram("/bin/sh", ["-c", script])
        var id: Int?
        var ports: [String: Any]?
        while id == nil || ports == nil, let line = await child.nextLine(), !line.hasPrefix("ended ") {
            if line.hasPrefix("id ") {
                id = Int(line.dropFirst(3))
            } else {
                ports = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            }
        }
        guard let id, let port = ports?["port"] as? Int else {
            child.kill()
            let text = log.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
            throw DidNotStart(description: "gate serve did not start: \(text)")
        }
        self.id = id
        self.port = port
        adminPort = ports?["adminPort"] as? Int
    }

    deinit { child.endInput() }

    func signal(_ name: String) { child.send(name) }

    /// Waits until it has ended.
    ///
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    func wait() async -> Int? {
        while let line = await child.nextLine() {
            if line.hasPrefix("ended ") { return Int(line.dropFirst(6)) }
        }
        return nil
    }

    func client(_ path: String = "/", folder: String, certificate: Bool = false) throws -> TrialGate {
        var certificates = TrialGate.Certificates(authorities: try SmallFile.text("\(folder)/tls-ca.pem"))
        if certificate { certificates.client = ("\(folder)/client.pem", "\(folder)/client-key.pem") }
        return try TrialGate("wss://localhost:\(port)\(path)", certificates)
    }

    // MARK: Memory

    /// Whether the system tells how much memory a process has.
    static let showsMemory = FileManager.default.fileExists(atPath: "/proc/self/status")

    /// What of its memory is in use.
    func residentBytes() throws -> Int {
        let lines = try KernelFile.text("/proc/\(id)/status").split(separator: "\n")
        let words = try #require(lines.first { $0.hasPrefix("VmRSS:") }).split(whereSeparator: \.isWhitespace)
        return try #require(Int(words[1])) << 10
    }
}
