import AppAttest
import AppAttestClient
import AppAttestTestKit
import Foundation
import GateTestKit
import TestSupport
import Testing
import WebSocketFrames

@Suite("The gate, from the mint to the echo")
struct GateFlowTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    private var settings: [String] { ["--config", "\(site.folder)/gate.conf"] }

    /// A device that keeps its key in a file.
    private func device() throws -> TrialDevice { try site.device(path: site.scratch.path("phone")) }

    @Test("a device registers, connects, and hears its own words over TLS; a bare client gets 401")
    func flow() async throws {
        let gate = try await GateProcess(settings)
        let client = try site.client(gate)
        let socket = try await site.connect(device(), client)
        try await socket.send("hello")
        #expect(try await socket.nextMessage() == Array("hello".utf8))
        try await socket.close()

        let refusal = await #expect(throws: GateRefusal.self) { try await TrialWebSocket.open(client) }
        #expect(refusal?.status == 401)
        #expect(refusal?.code == "app_auth_required")
        gate.signal("TERM")
        #expect(await gate.wait() == 0)
    }

    @Test("the README's lines work: mint-test-ca, serve, mint connect")
    func readme() async throws {
        let gate = try await GateProcess(settings)
        let said = try await OwnThread.run {
            try Program(name: "gate").run(
                [
                    "mint", "connect", "wss://localhost:\(gate.port)/", "--authority", site.folder, "--message",
                    "good morning",
                ])
        }
        #expect(said.exitCode == 0, "\(said.errors)")
        #expect(said.output == "good morning\n")
        let registered = try await OwnThread.run {
            try Program(name: "gate").run(
                ["mint", "register", "https://localhost:\(gate.port)", "--authority", site.folder, "--json"])
        }
        #expect(registered.exitCode == 0, "\(registered.errors)")
    }

    @Test("an address that is taken, and a gate of another authority, are told in words")
    func wrongAddress() async throws {
        let gate = try await GateProcess(settings)
        let program = Program(name: "gate")
        let other = try await GateSite()
        let connected = try await OwnThread.run {
            try program.run(["mint", "connect", "wss://localhost:\(gate.port)/", "--authority", other.folder])
        }
        #expect(connected.exitCode == 69, "\(connected.errors)")
        #expect(connected.errors.contains("no TLS with a certificate of this authority"), "\(connected.errors)")
        let second = try await OwnThread.run {
            try program.run(
                ["serve", "--config", "\(other.folder)/gate.conf", "--admin-bind", "off", "--ws-port", "\(gate.port)"])
        }
        #expect(second.exitCode == 69 && second.errors.contains("Address already in use"), "\(second.errors)")
    }

    @Test("an assertion is good once, and its client hears why")
    func replay() async throws {
        let gate = try await GateProcess(settings)
        let client = try site.client(gate)
        let phone = try device()
        let app = AppAttestClient(service: phone, transport: client, storage: phone)
        let headers = try await app.connect { $0 }
        let socket = try await TrialWebSocket.open(client, headers.fields)
        let refusal = await #expect(throws: GateRefusal.self) { try await TrialWebSocket.open(client, headers.fields) }
        #expect(refusal?.code == "nonce_invalid")
        try await socket.send("still here")
        #expect(try await socket.nextMessage() == Array("still here".utf8))
    }

    @Test("an app whose key was revoked makes another by itself")
    func revoked() async throws {
        let phone = try device()
        var gate: GateProcess? = try await GateProcess(settings)
        try await site.connect(phone, site.client(gate!)).close()
        let first = try #require(await phone.load()?.id)
        gate?.signal("TERM")
        #expect(await gate?.wait() == 0)
        gate = nil
        let store = "json:\(site.folder)/attested-keys.json"
        let revoked = try await OwnThread.run {
            try Program(name: "gate").run(["keys", "revoke", first, "--store", store, "--reason", "lost phone"])
        }
        #expect(revoked.exitCode == 0, "\(revoked.errors)")
        let list = try await OwnThread.run { try Program(name: "gate").run(["keys", "list", "--store", store]) }
        #expect(list.output.contains("revoked: lost phone"))

        let again = try await GateProcess(settings)
        let socket = try await site.connect(phone, site.client(again))
        try await socket.send("new key")
        #expect(try await socket.nextMessage() == Array("new key".utf8))
        #expect(await phone.load()?.id != first)
    }

    @Test("the independent client of PyPI goes through", .enabled(if: PythonClient.isPossible, PythonClient.absence))
    func independentClient() async throws {
        let gate = try await GateProcess(settings)
        let answer = try await OwnThread.run {
            try PythonClient.run(
                """
                import asyncio, json, ssl, subprocess, sys
                import websockets
                gate, port, folder = sys.argv[1:]
                context = ssl.create_default_context(cafile=folder + "/tls-ca.pem")
                async def main():
                    try:
                        async with websockets.connect(f"wss://localhost:{port}/", ssl=context): print("let in")
                    except websockets.exceptions.InvalidStatus as refusal: print(refusal.response.status_code)
                    headers = json.loads(subprocess.check_output(
                        [gate, "mint", "assert", f"https://localhost:{port}", "--authority", folder, "--json"]))
                    async with websockets.connect(
                        f"wss://localhost:{port}/", ssl=context, additional_headers=headers) as socket:
                        for message in ["hello", "x" * 100_000, b"bytes"]:
                            await socket.send(message)
                            assert await socket.recv() == message
                        print("echoed")
                asyncio.run(main())
                """, [Program(name: "gate").path, "\(gate.port)", site.folder])
        }
        #expect(answer.output == "401\nechoed\n", "\(answer.errors)")
    }

    @Test("a telnet service behind the gate is spoken to in messages")
    func telnet() async throws {
        let server = try await TrialServer.start { connection in
            // IAC WILL ECHO, a prompt, and then every line in capitals.
            try await connection.send([255, 251, 1] + Array("name? ".utf8) + [255, 249])
            while case .bytes(let bytes) = await connection.receive() {
                let text = bytes.filter { $0 < 128 }
                try await connection.send(Array(String(decoding: text, as: UTF8.self).uppercased().utf8))
            }
        }
        let gate = try await GateProcess(
            settings + ["--upstream-url", "telnet://127.0.0.1:\(server.port)", "--client-framing", "text"])
        let socket = try await site.connect(device(), site.client(gate))
        var heard = ""
        while !heard.contains("name?") {
            heard += String(decoding: try #require(await socket.nextMessage()), as: UTF8.self)
        }
        try await socket.send("gandalf\n")
        while !heard.contains("GANDALF") {
            heard += String(decoding: try #require(await socket.nextMessage()), as: UTF8.self)
        }
        await server.stop()
    }

    @Test("SIGTERM closes every connection with 1001 and ends with 0")
    func drain() async throws {
        let gate = try await GateProcess(
            settings + [
                "--shutdown-grace-ms", "10", "--shutdown-deadline-ms", "10000", "--max-connections-per-key", "100",
                "--challenge-rate", "off",
            ])
        let client = try site.client(gate)
        let phone = try device()
        var sockets: [TrialWebSocket] = []
        for _ in 0..<20 { sockets.append(try await site.connect(phone, client)) }
        gate.signal("TERM")
        for socket in sockets {
            var code: CloseCode?
            while let event = try await socket.next() { if case .close(let payload) = event { code = payload.code } }
            #expect(code == .goingAway)
        }
        #expect(await gate.wait() == 0)
    }

    @Test("a certificate of a client counts only where everything says so")
    func clientCertificates() async throws {
        let fallback = ["--allow-mtls-fallback", "true", "--mtls-client-ca-path", "\(site.folder)/client-ca.pem"]
        let gate = try await GateProcess(settings + fallback)
        let socket = try await TrialWebSocket.open(try gate.client(folder: site.folder, certificate: true))
        try await socket.send("developer")
        #expect(try await socket.nextMessage() == Array("developer".utf8))
        var refusal = await #expect(throws: GateRefusal.self) {
            try await TrialWebSocket.open(try site.client(gate))
        }
        #expect(refusal?.code == "app_auth_required")
        // A wrong assertion is not made good by a certificate.
        refusal = await #expect(throws: GateRefusal.self) {
            try await TrialWebSocket.open(
                try gate.client(folder: site.folder, certificate: true),
                [
                    ("X-App-Assert-KeyId", String(repeating: "A", count: 43)), ("X-App-Assert-Data", "omlz"),
                    ("X-App-Assert-Nonce", String(repeating: "0", count: 64)),
                ])
        }
        #expect(refusal?.code == "nonce_invalid")

        // In production, and that is what no APP_ENV means, the flag has no effect.
        let inProduction = try await GateProcess(
            settings + fallback + [
                "--app-env", "production", "--appattest-root-ca-path", "", "--attested-keys-path",
                site.scratch.path("other-keys.json"), "--upstream-url", "ws://127.0.0.1:9",
            ])
        refusal = await #expect(throws: GateRefusal.self) {
            try await TrialWebSocket.open(try inProduction.client(folder: site.folder, certificate: true))
        }
        #expect(refusal?.code == "app_auth_required")
    }
}

/// Waits for programs where no test's task has to.
enum OwnThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }
}

/// PyPI's `websockets`, in a virtual environment that the first test that asks makes.
enum PythonClient {
    static let isPossible = FileManager.default.isExecutableFile(atPath: interpreter)
    static let absence: Comment = "python3-venv or PyPI is not there, so there is no independent WebSocket client"

    private static let environment: Result<Scratch, any Error> = Result {
        let scratch = try Scratch()
        let made = try Program.shell(
            """
            python3 -m venv \(Program.quoted(scratch.path("venv"))) && \
            \(Program.quoted(scratch.path("venv/bin/pip"))) install --quiet --disable-pip-version-check 'websockets>=14'
            """)
        guard made.exitCode == 0 else { throw CocoaError(.featureUnsupported) }
        return scratch
    }

    private static var interpreter: String { (try? environment.get().path("venv/bin/python")) ?? "" }

    static func run(_ script: String, _ arguments: [String]) throws -> Program.Outcome {
        try Program.shell(([interpreter, "-c", script] + arguments).map(Program.quoted).joined(separator: " "))
    }
}
