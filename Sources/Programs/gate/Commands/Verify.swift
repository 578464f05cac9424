import AppAttest
import AppAttestClient
import ArgumentParser
import BasicFoundation
import Console
import GateTestKit
import TextForms

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify what a device sent, as the gate does.",
        discussion: """
            Exit code 0: it is good. 1: it is not, and the message names the code and the step that refused it. Files \
            hold the bytes as they are, Base64 or hex; - is standard input. Most attestations can be verified for \
            three days only: --at says when it was.
            """,
        subcommands: [AttestationCommand.self, AssertionCommand.self, ReceiptCommand.self])

    struct What: ParsableArguments {
        @Option(name: .long, help: "TEAMID1234.bundle.identifier; may be given several times.")
        var appID: [String]

        @Option(name: .long, help: "production, development or both.")
        var environment = "production"

        @Option(name: .long, help: "The moment to verify at: 2026-02-17T00:00:00Z. Now, if not given.")
        var at: String?

        @Option(name: .long, help: "PEM of other roots than Apple's: that of attestations, then that of receipts.")
        var roots: String?

        var policy: AppAttestPolicy {
            get throws {
                let ids = appID.compactMap { AppID($0) }
                guard ids.count == appID.count, !ids.isEmpty else {
                    throw Failure.usage("Give --app-id TEAMID1234.bundle.identifier.")
                }
                var policy = AppAttestPolicy(appIDs: ids)
                policy.environments = try environments
                return policy
            }
        }

        var environments: Set<AppAttestEnvironment> {
            get throws {
                if environment == "both" { return Set(AppAttestEnvironment.allCases) }
                guard let one = AppAttestEnvironment(rawValue: environment) else {
                    throw Failure.usage("--environment is production, development or both.")
                }
                return [one]
            }
        }

        var time: Date {
            get throws {
                guard let at else { return .now }
                guard let time = try? UTCTimestamp(rfc3339: at, .utc) else {
                    throw Failure.usage("--at is a moment of the form 2026-02-17T00:00:00Z.")
                }
                return Date(time)
            }
        }

        var anchors: TrustAnchors {
            get throws {
                guard let roots else { return .apple }
                do { return try TrustAnchors(pem: try SmallFile.text(roots)) } catch let error as SmallFile.Failure {
                    throw Failure.unreadable(path: roots, reason: error.reason)
                }
            }
        }
    }

    /// The data that the client had signed or attested.
    struct ClientData: ParsableArguments {
        @Option(name: .long, help: "The nonce of the gate's challenge, 64 digits.")
        var nonce: String?

        @Option(name: .long, help: "SHA-256 of the client data, in hex, where it was no nonce of a gate.")
        var clientDataHash: String?

        var hash: [UInt8] {
            get throws {
                switch (nonce, clientDataHash) {
                case (let nonce?, nil): GateMessages.clientDataHash(try EncodedFile.hex(nonce, of: "The nonce"))
                case (nil, let hash?): try EncodedFile.hex(hash, of: "The hash")
                default: throw Failure.usage("Give either --nonce or --client-data-hash.")
                }
            }
        }
    }

    struct AttestationCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "attestation", abstract: "An attestation.")

        @Argument(help: "The attestation.", completion: .file())
        var file: String

        @Option(name: .long, help: "The key's identifier, Base64.")
        var keyID: String

        @Flag(name: .long, help: "Leave the receipt unverified.")
        var withoutReceipt = false

        @OptionGroup var clientData: ClientData
        @OptionGroup var what: What
        @OptionGroup var output: OutputOptions

        func run() throws {
            var policy = try what.policy
            policy.verifyReceipt = !withoutReceipt
            let verifier = try AttestationVerifier(policy: policy, anchors: try what.anchors)
            let (bytes, hash, time) = (try EncodedFile.read(file), try clientData.hash, try what.time)
            let found = try verifier.verify(attestation: bytes, keyID: keyID, clientDataHash: hash, at: time)
            try Inspect.show(
                [
                    ("verified", "attestation"), ("keyId", found.keyID.base64), ("appId", found.appID.description),
                    ("environment", found.environment.rawValue), ("publicKey", Hex.encode(found.publicKey)),
                    ("osVersion", found.certificate.osVersion), ("receipt", found.verifiedReceipt?.kind.rawValue),
                ] + Inspect.facts(found.extensions), output)
        }
    }

    struct AssertionCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "assertion", abstract: "An assertion.")

        @Argument(help: "The assertion.", completion: .file())
        var file: String

        @Option(name: .long, help: "The registered key, 65 bytes in hex.")
        var publicKey: String

        @Option(name: .long, help: "The counter of the last assertion that was let in.")
        var signCount: UInt32 = 0

        @OptionGroup var clientData: ClientData
        @OptionGroup var what: What
        @OptionGroup var output: OutputOptions

        func run() throws {
            let verifier = try AssertionVerifier(policy: try what.policy)
            let (bytes, hash) = (try EncodedFile.read(file), try clientData.hash)
            let key = try EncodedFile.hex(publicKey, of: "The key")
            let found = try verifier.verify(
                assertion: bytes, clientDataHash: hash, publicKey: key, storedSignCount: signCount)
            try Inspect.show(
                [
                    ("verified", "assertion"), ("appId", found.appID.description), ("signCount", "\(found.signCount)"),
                ] + Inspect.facts(found.extensions), output)
        }
    }

    struct ReceiptCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "receipt", abstract: "A receipt.")

        @Argument(help: "The receipt.", completion: .file())
        var file: String

        @Option(name: .long, help: "The attested key, 65 bytes in hex.")
        var publicKey: String

        @OptionGroup var what: What
        @OptionGroup var output: OutputOptions

        func run() throws {
            let policy = try what.policy
            guard policy.appIDs.count == 1, policy.environments.count == 1, let appID = policy.appIDs.first,
                let environment = policy.environments.first
            else { throw Failure.usage("A receipt is of one app and one environment.") }
            let verifier = try ReceiptVerifier(anchors: try what.anchors)
            let bytes = try EncodedFile.read(file)
            let key = try EncodedFile.hex(publicKey, of: "The key")
            let time = try what.time
            let found = try verifier.verify(
                receipt: bytes, publicKey: key, appID: appID, environment: environment, at: time,
                kind: try UnverifiedReceipt(bytes).kind)
            try Inspect.show(
                [
                    ("verified", "receipt"), ("kind", found.kind.rawValue), ("appId", found.appID),
                    ("created", Inspect.date(found.creation.milliseconds)),
                    ("expires", Inspect.date(found.expiration.milliseconds)),
                    ("riskMetric", found.riskMetric.map { "\($0)" }),
                ], output)
        }
    }
}
