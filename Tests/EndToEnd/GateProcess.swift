import Foundation
import GateTestSupport
import GateTrial
import Testing

/// A built `gate serve` of a test. It ends with the last reference, however the test ends, and with the test process.
final class GateProcess: Sendable {
    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    /// Nil where there is no listener for operators.
    let adminPort: Int?
    private let child: ChildProgram

    /// No test waits for these; with thousands of tests beside it, one may come to its next step only after minutes.
    private static let patience =
        [
            "header", "body", "tls-handshake", "upstream-connect",
        ].flatMap { ["--\($0)-timeout-ms", "300000"] } + [
            "--ws-heartbeat-interval-ms", "300000", "--ws-heartbeat-timeout-ms", "600000", "--nonce-ttl-ms", "600000",
        ]

    /// The whole flow's files, as `gate mint-test-ca` makes them.
    static func mintAuthority(_ folder: String) throws {
        let made = try Program(name: "gate").run(["mint-test-ca", folder])
        try #require(made.exitCode == 0, "\(made.errors)")
    }

    /// - Parameters:
    ///   - arguments: behind `gate serve`.
    ///   - log: a file for standard error; nil: it is not kept.
    init(_ arguments: [String], log: String? = nil) async throws {
        // The shell's other child ends the gate when this process does: its input ends then.
        let words =
            [Program(name: "gate").path, "serve", "--json", "--ws-port", "0", "--admin-bind", "off"] + Self.patience
            + arguments
        let script = """
            \(words.map(Program.quoted).joined(separator: " ")) 2>\(Program.quoted(log ?? "/dev/null")) </dev/null &
            gate=$!
            exec 3<&0
            (while read -r word <&3; do kill -s "$word" $gate; done; kill -s KILL $gate) >/dev/null 2>&1 &
            watch=$!
            wait $gate
            result=$?
            kill $watch 2>/dev/null
            echo "ended $result"
            """
        child = try ChildProgram("/bin/sh", ["-c", script])
        guard let line = await child.nextLine(),
            let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let port = json["port"] as? Int
        else {
            child.kill()
            let text = log.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
            throw DidNotStart(description: "gate serve did not start: \(text)")
        }
        self.port = port
        adminPort = json["adminPort"] as? Int
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
}
