import Airgap
import KnownAnswers
import SCALE
import SecretMemory
import Signer
import Sr25519
import Substrate

/// `{vectors: [{kind, scheme, signable, signed_message, public_key, signature, qr_text, secret…}]}`.
enum SignatureCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content["vectors"].has("signable", "signed_message", "qr_text")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for vector in content["vectors"].rows {
            let name = file.name(vector["name"].string ?? "?")
            do { try check(vector, name: name, report: &report) } catch { report.fail(name, because: "\(error)") }
        }
        if !content["bulk"].isNull { checkBulk(content, name: file.name("bulk"), report: &report) }
        for update in content["signed_updates"].array {
            let name = file.name("signed_updates \(update["file"].string ?? "?")")
            do { try checkUpdate(update, of: file, name: name, report: &report) } catch {
                report.fail(name, because: "\(error)")
            }
        }
        if !content["sufficient"].isNull {
            let name = file.name("sufficient")
            do { try checkSufficient(content["sufficient"], name: name, report: &report) } catch {
                report.fail(name, because: "\(error)")
            }
        }
    }

    /// Where the message and the signature of an update lie; what is behind the signature is left alone.
    private static func checkUpdate(_ json: JSON, of file: AnswerFile, name: String, report: inout Report) throws {
        let row = Row(json)
        let bytes = try file.bytes(of: row.text("file"))
        guard case .update(let update) = try Payload(bytes), let signer = update.signer,
            let offset = json["message_offset"].int, let count = json["signed_message_bytes"].int,
            let tail = json["tail_bytes"].int
        else { return report.fail(name, because: "no signed update") }
        let message = update.content.signedBytes
        report.expect("\(name) signer", signer.publicKey, equals: try row.bytes("public_key"))
        report.expect("\(name) scheme", signer.scheme.name, equals: try row.text("scheme"))
        report.expect("\(name) message", message.count, equals: count)
        report.expect("\(name) hash", Blake2b.hash256(message).hex, equals: try row.text("signed_message_blake2_256"))
        report.expect("\(name) place", bytes.dropFirst(offset).starts(with: message), equals: true)
        let signature = try row.bytes("signature")
        report.expect(
            "\(name) signature", bytes.dropLast(tail).suffix(signature.count).elementsEqual(signature), equals: true)
        let crypto = SufficientCrypto(signer: signer, signature: signature)
        report.expect("\(name) vouches", crypto?.vouches(for: update.content), equals: true)
        // Written again, it is the same up to what lies behind.
        let written = crypto.map { UpdatePayload.payload(update.content, vouchedBy: $0) } ?? []
        report.expect("\(name) written", written.elementsEqual(bytes.dropLast(tail)), equals: true)
    }

    /// A signature of an update that a vault gives out, and the update that it makes.
    private static func checkSufficient(_ json: JSON, name: String, report: inout Report) throws {
        // In words, what the message is.
        json.leave("content")
        let row = Row(json)
        let specs = try NetworkSpecs(scaleEncoded: row.bytes("message"))
        let bytes = try row.bytes("sufficient_crypto_ed25519")
        let crypto = try SufficientCrypto(scaleEncoded: bytes)
        report.expect("\(name) written", crypto.scaleEncoded, equals: bytes)
        report.expect("\(name) vouches", crypto.vouches(for: .specs(specs)), equals: true)
        let payload = UpdatePayload.payload(.specs(specs), vouchedBy: crypto)
        report.expect("\(name) update", payload, equals: try row.bytes("complete_update"))
        let captured = try row.bytes("captured_example")
        report.expect(
            "\(name) captured", try SufficientCrypto(scaleEncoded: captured).scaleEncoded, equals: captured)
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
        let row = Row(vector)
        guard let scheme = SignatureScheme(name: try row.text("scheme")) else { throw RowError.missing("scheme") }
        let signable = try row.bytes("signable")
        let isMessage = try row.choice("kind", ["message": true, "transaction": false])
        report.expect("\(name) size", signable.count, equals: try row.integer("signable_bytes"))
        let message = isMessage ? signable : SigningPayload.message(for: signable)
        report.expect("\(name) message", message, equals: try row.bytes("signed_message"))
        report.expect("\(name) is hashed first", message != signable, equals: try row.flag("hashed_first"))
        if let digest = vector["digest"].hex {
            let found = scheme == .ethereum ? Keccak.hash256(message) : Blake2b.hash256(message).bytes
            report.expect("\(name) digest", found, equals: digest)
        }
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
            let pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(copying: secret))
            report.expect("\(name) signature", try pair.sign(message), equals: signature)
        }
    }
}
