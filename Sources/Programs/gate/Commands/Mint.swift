import AppAttest
import AppAttestClient
import AppAttestTestKit
import ArgumentParser
import Console
import GateTestKit
import TextForms

struct Mint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Be a device, under a test authority.",
        discussion: """
            The folder of gate mint-test-ca holds the authority, and from the first registration on the device \
            (device.json): its key and its counter. Only a gate that trusts that authority takes what is minted.
            """,
        subcommands: [Connect.self, Register.self, Assert.self])

    struct DeviceOptions: ParsableArguments {
        @Option(name: .long, help: "The folder of gate mint-test-ca.", completion: .directory)
        var authority: String

        @Option(name: .long, help: "The App ID of the app; that of gate.conf if not given.")
        var appID = "TESTTEAM01.com.example.trial"

        @Option(name: .long, help: "production or development.")
        var environment = "production"

        @Flag(name: .long, help: "Show the client certificate of the folder.")
        var clientCertificate = false

        func device() throws -> TrialDevice {
            guard let app = AppID(appID) else {
                throw Failure.usage("\(appID) is no App ID (TEAMID1234.bundle.identifier).")
            }
            guard let environment = AppAttestEnvironment(rawValue: environment) else {
                throw Failure.usage("--environment is production or development.")
            }
            let authority: TestAuthority
            do {
                authority = try TestAuthority(reading: { try SmallFile.text("\(self.authority)/\($0)") })
            } catch let error as SmallFile.Failure {
                throw Failure.unreadable(path: error.path, reason: error.reason)
            }
            return try TrialDevice(
                authority: authority, appID: app, environment: environment, path: "\(self.authority)/device.json")
        }

        func gate(_ address: String) throws -> TrialGate {
            var certificates = TrialGate.Certificates(authorities: try? SmallFile.text("\(authority)/tls-ca.pem"))
            if clientCertificate {
                certificates.client = ("\(authority)/client.pem", "\(authority)/client-key.pem")
            }
            return try TrialGate(address, certificates)
        }
    }

    struct Connect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "connect",
            abstract: "Register where that is needed, connect, and send a line.",
            discussion: "Prints what comes back. It is what an app with AppAttestClient does.")

        @Argument(help: "wss://host:port/path")
        var url: String

        @Option(name: .long, help: "What to send.")
        var message = "hello"

        @OptionGroup var device: DeviceOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (phone, gate) = (try device.device(), try device.gate(url))
            let client = AppAttestClient(service: phone, transport: gate, storage: phone)
            let socket = try await client.connect { try await TrialWebSocket.open(gate, $0.fields) }
            try await socket.send(message)
            let answer = try await socket.nextMessage()
            try await socket.close()
            guard let answer else { throw TrialFailure.cutShort }
            let text = String(decoding: answer, as: UTF8.self)
            try output.show(["received": text], text: ScreenText.escape(text))
        }
    }

    struct Register: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "register",
            abstract: "Make a key and register it.",
            discussion: "With --nonce in place of an address: print the body of the registration for that nonce.")

        @Argument(help: "https://host:port")
        var url: String?

        @Option(name: .long, help: "The nonce of a challenge, 64 digits.")
        var nonce: String?

        @OptionGroup var device: DeviceOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let phone = try device.device()
            await phone.save(nil)
            switch (url, nonce) {
            case (let url?, nil):
                let gate = try device.gate(url)
                let client = AppAttestClient(service: phone, transport: gate, storage: phone)
                let headers = try await client.connect { $0 }
                try output.show(["keyId": headers.keyID], text: "registered \(headers.keyID)")
            case (nil, let nonce?):
                let hash = GateMessages.clientDataHash(try EncodedFile.hex(nonce, of: "The nonce"))
                let keyID = try await phone.generateKey()
                let attestation = try await phone.attest(keyID, clientDataHash: hash)
                await phone.save(RegisteredKey(id: keyID, isRegistered: true))
                try output.printJSON([
                    "keyId": keyID, "attestation": Base64.encode(attestation), "clientData": nonce,
                ])
            default: throw Failure.usage("Give either an address or --nonce.")
            }
        }
    }

    struct Assert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "assert",
            abstract: "Print the header fields of a handshake, for any WebSocket client.",
            discussion: """
                They are good once, and for a minute. With --json as an object, for a script. With --nonce in place of \
                an address: for that nonce.
                """)

        @Argument(help: "https://host:port")
        var url: String?

        @Option(name: .long, help: "The nonce of a challenge, 64 digits.")
        var nonce: String?

        @OptionGroup var device: DeviceOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let phone = try device.device()
            let fields: [(name: String, value: String)]
            switch (url, nonce) {
            case (let url?, nil):
                let client = AppAttestClient(service: phone, transport: try device.gate(url), storage: phone)
                fields = try await client.connect { $0 }.fields
            case (nil, let nonce?):
                guard let key = await phone.load() else {
                    throw Failure.notRegistered(path: "\(device.authority)/device.json")
                }
                let hash = GateMessages.clientDataHash(try EncodedFile.hex(nonce, of: "The nonce"))
                let assertion = try await phone.assert(key.id, clientDataHash: hash)
                fields = [
                    ("X-App-Assert-KeyId", key.id), ("X-App-Assert-Data", Base64.encode(assertion)),
                    ("X-App-Assert-Nonce", nonce),
                ]
            default: throw Failure.usage("Give either an address or --nonce.")
            }
            try output.show(
                Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
                text: fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
    }
}
