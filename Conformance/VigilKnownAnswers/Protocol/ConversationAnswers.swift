import CodeMeasurement
import KnownAnswers
import SecretMemory
import Vigil

/// The messages of a conversation in version 2: what they say, how they are written, and what their signatures are
/// over.
enum ConversationAnswers {
    static let parts: [(name: String, check: @Sendable (inout Row) throws -> Void)] = [
        ("challenge and request", request), ("response", response), ("confirmation and alert", confirmationAndAlert),
        ("provisioning", provisioning), ("rotation", rotation),
    ]

    @Sendable private static func request(_ row: inout Row) throws {
        let (asked, message) = (try row.bytes("challenge"), try row.bytes("request"))
        let app = try row.publicKey("appPublicKey")
        row.expect("id of a key", app.id, equals: try row.digest("appKeyId"))
        row.expect("SPKI", app.spki, equals: try row.bytes("appPublicKeySPKI"))
        row.expect("size of a challenge", asked.count, equals: row["sizes"]["challenge"].int ?? 0)
        row.expect("size of a request", message.count, equals: row["sizes"]["request"].int ?? 0)
        let frame = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
        row.expect("frame", frame, equals: try row.bytes("requestFrame"))
        for (secret, key) in [("appPrivateKey", app), ("validatorPrivateKey", try row.publicKey("validatorPublicKey"))]
        {
            row.expect(secret, try KnownKey(row, secret).publicKey, equals: key.x963)
        }
        // The key of a stranger, who has signed some of the cases.
        row.expect("a stranger", try KnownKey(row, "otherPrivateKey").publicKey == app.x963, equals: false)
        let challenge = try row.sent("challenge", as: Challenge.self)
        let sent = challenge.message
        row.expect("challenge", sent.bytes, equals: asked)
        row.expect("nonceV", sent.nonce, equals: try row.digest("nonceV"))
        row.expect("validator's key", sent.validatorKeyID, equals: try row.digest("validatorKeyId"))
        let received = try row.sent("request", as: Request.self)
        let request = received.message
        row.expect("unsigned bytes", received.unsigned, equals: request.unsigned)
        row.expect("request", request.bytes, equals: message)
        row.expect("answered nonceV", request.challengeNonce, equals: try row.digest("nonceV"))
        row.expect("nonceA", request.nonce, equals: try row.digest("nonceA"))
        row.expect("hash", request.hash, equals: try row.digest("appHash"))
        row.expect("epoch", request.epoch, equals: try row.integer("epoch"))
        row.expect("timestamp", request.timestampMilliseconds, equals: try row.integer("timestampMs"))
        row.expect("key", request.publicKey, equals: app.x963)
        let signed = Signed.request(request.unsigned, challenge: challenge)
        row.expect("signed bytes", signed, equals: try row.bytes("requestSignedBytes"))
        row.expect("signature", app.verifies(request.signature, of: signed), equals: true)
        let own = try request.signed(by: KnownKey(row, "appPrivateKey"), answering: challenge)
        row.expect("own signature", app.verifies(own.message.signature, of: signed), equals: true)
    }

    @Sendable private static func response(_ row: inout Row) throws {
        let challenge = try row.sent("challenge", as: Challenge.self)
        let request = try row.sent("request", as: Request.self)
        let message = try row.bytes("response")
        let validator = try row.publicKey("validatorPublicKey")
        row.expect("size", message.count, equals: row["sizes"]["response"].int ?? 0)
        let response = try row.sent("response", as: Response.self).message
        row.expect("response", response.bytes, equals: message)
        row.expect("nonceA", response.requestNonce, equals: try row.digest("nonceA"))
        row.expect("nonceV", response.challengeNonce, equals: try row.digest("nonceV"))
        row.expect("hash", response.validatorHash, equals: try row.digest("validatorHash"))
        row.expect("observed hash", response.observedHash, equals: try row.digest("appHash"))
        row.expect("epoch", response.epoch, equals: try row.integer("epoch"))
        row.expect("key", response.publicKey, equals: validator.x963)
        row.expect("verdict", response.isValid, equals: true)
        let signed = Signed.response(response.unsigned, request: request, challenge: challenge)
        row.expect("signed bytes", signed, equals: try row.bytes("responseSignedBytes"))
        row.expect("signature", validator.verifies(response.signature, of: signed), equals: true)
    }

    @Sendable private static func confirmationAndAlert(_ row: inout Row) throws {
        let challenge = try row.sent("challenge", as: Challenge.self)
        let request = try row.sent("request", as: Request.self)
        let response = try row.sent("response", as: Response.self)
        let confirmation = try row.sent("confirm", as: Confirmation.self).message
        row.expect("confirmation", confirmation.bytes, equals: try row.bytes("confirm"))
        row.expect("size of a confirmation", confirmation.bytes.count, equals: row["sizes"]["confirm"].int ?? 0)
        let confirmed = Signed.confirmation(
            confirmation.unsigned, response: response, request: request, challenge: challenge)
        row.expect("signed bytes of a confirmation", confirmed, equals: try row.bytes("confirmSignedBytes"))
        row.expect(
            "signature of a confirmation",
            try row.publicKey("appPublicKey").verifies(confirmation.signature, of: confirmed), equals: true)
        let alert = try row.sent("alert", as: Alert.self).message
        row.expect("alert", alert.bytes, equals: try row.bytes("alert"))
        row.expect("size of an alert", alert.bytes.count, equals: row["sizes"]["alert"].int ?? 0)
        let alerted = Signed.alert(alert.unsigned, response: response)
        row.expect("signed bytes of an alert", alerted, equals: try row.bytes("alertSignedBytes"))
        row.expect(
            "signature of an alert", try row.publicKey("validatorPublicKey").verifies(alert.signature, of: alerted),
            equals: true)
    }

    @Sendable private static func provisioning(_ row: inout Row) throws {
        let known = Row(row["provision"])
        let challenge = try known.sent("challenge", as: Challenge.self)
        let token = try known.secret("token")
        let asked = try known.sent("request", as: ProvisionRequest.self)
        let request = asked.message
        row.expect("request", request.bytes, equals: try known.bytes("request"))
        row.expect("token of the request", request.tokenCode, equals: try known.digest("requestTokenMac"))
        row.expect("request carries the token", request.carries(token), equals: true)
        row.expect(
            "signed bytes of the request", Signed.provisionRequest(request.unsigned, challenge: challenge),
            equals: try known.bytes("requestSignedBytes"))
        row.expect(
            "signature of the request",
            asked.isSigned(by: try row.publicKey("appPublicKey"), answering: challenge), equals: true)
        let answer = try known.sent("response", as: ProvisionResponse.self)
        let response = answer.message
        row.expect("response", response.bytes, equals: try known.bytes("response"))
        row.expect("token of the response", response.tokenCode, equals: try known.digest("responseTokenMac"))
        row.expect("response carries the token", response.carries(token), equals: true)
        row.expect(
            "signed bytes of the response",
            Signed.provisionResponse(response.unsigned, request: asked, challenge: challenge),
            equals: try known.bytes("responseSignedBytes"))
        row.expect(
            "signature of the response",
            answer.isSigned(by: try row.publicKey("validatorPublicKey"), answering: asked, challenge: challenge),
            equals: true)
    }

    @Sendable private static func rotation(_ row: inout Row) throws {
        let known = Row(row["rotate"])
        let challenge = try known.sent("challenge", as: Challenge.self)
        let asked = try known.sent("request", as: RotationRequest.self)
        let request = asked.message
        row.expect("request", request.bytes, equals: try known.bytes("request"))
        row.expect("old key", request.oldKeyID, equals: try row.digest("appKeyId"))
        row.expect("new key", request.newPublicKey, equals: try known.bytes("newPublicKey"))
        row.expect(
            "new private key", try KnownKey(known, "newPrivateKey").publicKey,
            equals: try known.bytes("newPublicKey"))
        row.expect(
            "signed bytes", Signed.rotationRequest(request.unsigned, challenge: challenge),
            equals: try known.bytes("signedBytes"))
        row.expect(
            "both signatures",
            asked.isSigned(
                by: try row.publicKey("appPublicKey"), and: try known.publicKey("newPublicKey"), answering: challenge),
            equals: true)
    }
}
