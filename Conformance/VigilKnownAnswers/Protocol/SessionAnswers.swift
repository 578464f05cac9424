import CodeMeasurement
import Cryptography
import KnownAnswers
import SecretMemory
import Vigil

/// What two sides share after a handshake, and the messages of their session.
enum SessionAnswers {
    static func check(_ row: inout Row) throws {
        let known = Row(row["session"])
        let challenge = try row.sent("challenge", as: Challenge.self)
        let request = try row.sent("request", as: Request.self)
        let response = try row.sent("response", as: Response.self)
        let agreed = try agreed(known, response: response.message)
        row.expect("shared secret", agreed.revealed, equals: try known.bytes("sharedSecret"))
        let secrets = try secrets(row.json)
        row.expect("transcript", secrets.transcript, equals: try known.digest("transcriptHash"))
        let grantKey = try SessionSecrets.grantKey(of: agreed, challenge: challenge, request: request)
        row.expect("key of the grant", grantKey.revealed, equals: try known.bytes("grantKey"))
        let sealed = try known.bytes("grantCiphertext")
        row.expect("grant in the response", response.message.grant, equals: sealed)
        if sealed.isEmpty {
            row.expect("grant", try known.bytes("grantPlaintext"), equals: [])
        } else {
            let grant = try Grant.open(sealed, key: grantKey)
            row.expect("grant", grant.revealed, equals: try known.bytes("grantPlaintext"))
            row.expect("sealed grant", try Grant.seal(grant, key: grantKey), equals: sealed)
        }
        let sent = try known.sent("revalidate", as: Revalidate.self)
        let revalidate = sent.message
        row.expect(
            "revalidate", revalidate.authenticated(by: secrets).bytes, equals: try known.bytes("revalidate"))
        let revalidated = try known.sent("revalidated", as: Revalidated.self).message
        row.expect(
            "revalidated",
            revalidated.authenticated(by: secrets, answering: sent).bytes,
            equals: try known.bytes("revalidated"))
        for (name, label, unsigned, code) in [
            ("macKeyApp", "vigil/v2/revalidate\0", revalidate.unsigned, revalidate.code),
            (
                "macKeyValidator", "vigil/v2/revalidated\0", SHA256Hash.of(revalidate.bytes) + revalidated.unsigned,
                revalidated.code
            ),
        ] {
            let key = try known.secret(name)
            row.expect(name, HMACSHA256.code(key: key, [Array(label.utf8), unsigned]), equals: code)
        }
    }

    /// One message within a session that has just begun.
    static func check(_ row: inout Row, in conversation: JSON) throws {
        let good = Row(conversation)
        var session = ValidatorSession(
            secrets: try secrets(conversation), response: try good.sent("response", as: Response.self),
            hash: try good.digest("appHash"))
        let expected = try row.text("expect")
        let message = Received(try row.bytes("message"))
        // This case is the message that was answered already.
        if expected == "nonceMismatch after the first" { _ = try session.accept(message) }
        var outcome = "ok"
        do { _ = try session.accept(message) } catch { outcome = "\(error.reason)" }
        row.expect(try row.text("name"), outcome, equals: expected.replacing(" after the first", with: ""))
    }

    private static func secrets(_ conversation: JSON) throws -> SessionSecrets {
        let row = Row(conversation)
        let response = try row.sent("response", as: Response.self)
        return try SessionSecrets(
            try agreed(Row(conversation["session"]), response: response.message),
            challenge: try row.sent("challenge", as: Challenge.self),
            request: try row.sent("request", as: Request.self),
            response: response)
    }

    /// The secret that the app's half and the validator's point agree on.
    private static func agreed(_ known: Row, response: Response) throws -> SecretBytes {
        let own = try known.privateKey("ephemeralAppPrivateKey")
        let other = try known.privateKey("ephemeralValidatorPrivateKey")
        guard other.publicKey.x963 == response.ephemeral, let agreed = try own.agree(with: other.publicKey) else {
            throw RowError.missing("ephemeralValidatorPrivateKey")
        }
        return agreed
    }
}
