import AppAttest
import ArgumentParser
import Console
import Gate
import TextForms
import X509

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is in something that a device sent.",
        discussion: """
            Nothing is verified: gate verify does that. Files hold the bytes as they are, Base64 or hex; - is standard \
            input.
            """,
        subcommands: [AttestationCommand.self, AssertionCommand.self, ReceiptCommand.self])

    /// Names and values, in order.
    typealias Facts = [(name: String, value: String?)]

    static func show(_ facts: Facts, _ output: OutputOptions) throws {
        let present = facts.compactMap { fact in fact.value.map { (fact.name, $0) } }
        try output.show(
            Dictionary(present, uniquingKeysWith: { first, _ in first }),
            text: present.map { name, value in
                "\(name)\(String(repeating: " ", count: max(1, 18 - name.count)))\(ScreenText.escape(value))"
            }.joined(separator: "\n"))
    }

    static func facts(_ extensions: AuthenticatorDataExtensions) -> Facts {
        [
            ("category", extensions.category.map { "\($0.rawValue)" }), ("bundleVersion", extensions.bundleVersion),
            ("codeHash", extensions.codeDirectoryHash.map { Hex.encode($0) }),
            ("codeHashType", extensions.codeDirectoryHashType.map { "\($0)" }),
            ("otherExtensions", extensions.other.isEmpty ? nil : extensions.other.joined(separator: " ")),
        ]
    }

    static func date(_ milliseconds: Int64?) -> String? { milliseconds.map { Timestamp(milliseconds: $0).text } }

    struct AttestationCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "attestation", abstract: "An attestation.")

        @Argument(help: "The attestation.", completion: .file())
        var file: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let bytes = try EncodedFile.read(file)
            let found = try UnverifiedAttestation(bytes)
            var facts: Facts = [
                ("bytes", "\(found.byteCount)"), ("keyId", KeyID(bytes: found.credentialID)?.base64),
                ("appIdHash", Hex.encode(found.rpIDHash)), ("appId", found.namedApp),
                ("environment", found.environment?.rawValue ?? "unknown: \(Hex.encode(found.aaguid))"),
                ("signCount", "\(found.signCount)"), ("publicKey", Hex.encode(found.publicKey)),
                ("nonce", found.nonce.map { Hex.encode($0) }),
                ("receiptBytes", "\(found.receipt.count)"),
            ]
            facts += Inspect.facts(found.extensions)
            if let certificate = found.facts {
                facts += [
                    ("osVersion", certificate.osVersion), ("osBuild", certificate.osBuild),
                    ("platform", certificate.platform),
                    ("validFrom", Inspect.date(certificate.notBefore.milliseconds)),
                    ("validTo", Inspect.date(certificate.notAfter.milliseconds)),
                ]
            }
            for (index, der) in found.certificates.enumerated() {
                let certificate = try? Certificate(derEncoded: der)
                facts.append(("certificate\(index)", certificate.map { "\($0.subject)" } ?? "not one"))
            }
            try Inspect.show(facts, output)
        }
    }

    struct AssertionCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "assertion", abstract: "An assertion.")

        @Argument(help: "The assertion.", completion: .file())
        var file: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let bytes = try EncodedFile.read(file)
            let found = try UnverifiedAssertion(bytes)
            try Inspect.show(
                [
                    ("bytes", "\(found.byteCount)"), ("appIdHash", Hex.encode(found.rpIDHash)),
                    ("signCount", "\(found.signCount)"), ("signature", Hex.encode(found.signature)),
                ] + Inspect.facts(found.extensions), output)
        }
    }

    struct ReceiptCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "receipt", abstract: "A receipt.")

        @Argument(help: "The receipt.", completion: .file())
        var file: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let bytes = try EncodedFile.read(file)
            let found = try UnverifiedReceipt(bytes)
            try Inspect.show(
                [
                    ("bytes", "\(found.byteCount)"), ("kind", found.kind.rawValue), ("appId", found.appID),
                    ("environment", found.environment), ("created", Inspect.date(found.creation.milliseconds)),
                    ("notBefore", Inspect.date(found.notBefore?.milliseconds)),
                    ("expires", Inspect.date(found.expiration.milliseconds)),
                    ("riskMetric", found.riskMetric.map { "\($0)" }),
                    ("publicKey", found.publicKey.map { Hex.encode($0) }),
                    ("certificates", "\(found.certificateCount)"),
                ], output)
        }
    }
}
