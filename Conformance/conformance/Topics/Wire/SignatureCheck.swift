import KnownAnswers
import SecretMemory
import Signer
import Substrate

/// `{vectors: [{kind, scheme, signable, signed_message, public_key, signature, qr_text, secret…}]}`.
enum SignatureCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content["vectors"].has("signable", "signed_message", "qr_text")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for vector in content["vectors"].array {
            let name = file.name(vector["name"].string ?? "?")
            do { try check(vector, name: name, report: &report) } catch { report.fail(name, because: "\(error)") }
        }
        if content["bulk"] != .null { checkBulk(content, name: file.name("bulk"), report: &report) }
        for (member, reason) in [
            ("signed_updates", "signed updates"), ("sufficient", "certificates of updates"),
        ] where content[member] != .null {
            report.skip(file.name(member), because: reason)
        }
    }

    /// The signatures of some vectors in one record.
    private static func checkBulk(_ content: JSON, name: String, report: inout Report) {
        let members = content["bulk"]["members"].strings.compactMap { member -> MultiSignature? in
            guard let vector = content["vectors"].array.first(where: { $0["name"].string == member }),
                let scheme = vector["scheme"].string.flatMap({ SignatureScheme(name: $0) })
            else { return nil }
            return vector["signature"].hex.flatMap { MultiSignature(scheme: scheme, signature: $0) }
        }
        report.expect(
            name, SignedAnswer(signatures: members, isMessage: false).text,
            equals: content["bulk"]["encoded"].string ?? "")
    }

    private static func check(_ vector: JSON, name: String, report: inout Report) throws {
        let row = Row(vector, index: 0)
        guard let scheme = SignatureScheme(name: try row.text("scheme")) else { throw RowError.missing("scheme") }
        let signable = try row.bytes("signable")
        let isMessage = vector["kind"].string == "message"
        let message = isMessage ? signable : SigningPayload.message(for: signable)
        report.expect("\(name) message", message, equals: try row.bytes("signed_message"))
        let signature = try row.bytes("signature")
        let publicKey = try row.bytes("public_key")
        let valid = SignatureVerifier.isValid(
            signature: signature, message: message, publicKey: publicKey, scheme: scheme)
        report.expect("\(name) verifies", valid, equals: true)
        guard let multi = MultiSignature(scheme: scheme, signature: signature) else {
            throw RowError.missing("signature")
        }
        report.expect(
            "\(name) text", SignedAnswer(signatures: [multi], isMessage: isMessage).text,
            equals: try row.text("qr_text"))
        if let secret = vector["secret_seed"].hex ?? vector["secret"].hex {
            let pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(publicly: secret))
            report.expect("\(name) signature", try pair.sign(message), equals: signature)
        }
    }
}
