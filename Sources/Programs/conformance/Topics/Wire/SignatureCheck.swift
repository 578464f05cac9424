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
            do { try check(vector, name, &report) } catch { report.fail(name, "\(error)") }
        }
        for (member, reason) in [
            ("bulk", "answers to several transactions"), ("signed_updates", "signed updates"),
            ("sufficient", "certificates of updates"),
        ] where content[member] != .null {
            report.skip(file.name(member), "\(reason) are not part of this version")
        }
    }

    private static func check(_ vector: JSON, _ name: String, _ report: inout Report) throws {
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
            "\(name) text", SignedAnswer(signature: multi, isMessage: isMessage).text, equals: try row.text("qr_text"))
        if let secret = vector["secret_seed"].hex ?? vector["secret"].hex {
            let pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(publicly: secret))
            report.expect("\(name) signature", try pair.sign(message), equals: signature)
        }
    }
}
