import AppAttest
import AppAttestTestKit
import ArgumentParser
import BasicFoundation
import Console
import GateTestKit

struct MintTestCA: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint-test-ca",
        abstract: "Make a test authority, so that the whole flow can be tried without an Apple device.",
        discussion: """
            The folder gets roots and signers of attestations and receipts (anchors.pem is what APPATTEST_ROOT_CA_PATH \
            takes), a certificate of the gate for localhost with its authority (tls-ca.pem), a client certificate for \
            ALLOW_MTLS_FALLBACK with its authority (client-ca.pem), and gate.conf, which uses them. Private keys can \
            be read by you alone.

            A gate trusts such roots with APP_ENV=development or APP_ENV=test only.
            """)

    @Argument(help: "The folder to be made.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The App ID that gate.conf admits.")
    var appID = "TESTTEAM01.com.example.trial"

    @Option(name: .long, help: "Names and addresses that the gate's certificate is good for, separated by commas.")
    var hosts = "localhost,127.0.0.1"

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let appID = AppID(appID) else {
            throw Failure.usage("\(appID) is no App ID (TEAMID1234.bundle.identifier).")
        }
        let path = try absolute(folder)
        guard mkdir(path, 0o700) == 0 else {
            throw Failure.cannotWrite(path: folder, reason: String(cString: strerror(errno)))
        }
        let now = Date.now
        var files = try TestAuthority(at: now).trialFiles
        files.merge(try TLSAuthority.files(hosts: hosts.split(separator: ",").map(String.init), at: now)) { $1 }
        files["gate.conf"] = Self.configuration(appID, path)
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            try SmallFile.write(Array(content.utf8), to: "\(path)/\(name)", isSecret: name.hasSuffix("-key.pem"))
        }
        try output.show(
            files.keys.sorted(),
            text: """
                \(folder) holds a test authority. Now:
                  gate serve --config \(folder)/gate.conf
                  gate mint connect wss://localhost:6200/ --authority \(folder)
                """)
    }

    private func absolute(_ path: String) throws -> String {
        guard !path.hasPrefix("/") else { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else {
            throw Failure.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
    }

    private static func configuration(_ appID: AppID, _ folder: String) -> String {
        """
        # A gate for trying things out, with a test authority in place of Apple's. Not for production.
        APP_ENV=test
        APPATTEST_TEAM_ID=\(appID.description.prefix(10))
        APPATTEST_BUNDLE_ID=\(appID.description.dropFirst(11))
        APPATTEST_ROOT_CA_PATH=\(folder)/anchors.pem
        ATTESTED_KEYS_PATH=\(folder)/attested-keys.json
        TLS_CERT_PATH=\(folder)/tls.pem
        TLS_KEY_PATH=\(folder)/tls-key.pem
        # The service behind the gate. The gate's own echo is for APP_ENV=test.
        UPSTREAM_URL=echo:

        """
    }
}
