import Crypto
import StrictJSON
import TextForms

/// What the gate and its clients say to each other.
///
/// Source: `appattest-gate` section 3.1.
package enum GateMessages {
    /// - Parameter key: a registered one: its challenges do not depend on who else is behind the same address.
    static func challenge(for key: RegisteredKey?) -> GateRequest {
        let fields = key.flatMap { $0.isRegistered ? ["X-App-Assert-KeyId": $0.id] : nil } ?? [:]
        return GateRequest(method: "GET", path: "/attest/challenge", fields: fields)
    }

    /// - Returns: nil if it is no challenge; else 64 digits.
    static func nonce(in answer: GateAnswer) -> String? {
        guard let nonce = try? JSONReader(maximumBytes: 4_096).read(answer.body)["nonce"]?.string,
            Hex.decode(nonce)?.count == 32
        else { return nil }
        return nonce
    }

    /// SHA-256 of the nonce, and of the hash of the device's token where that is sent too.
    ///
    /// - Parameter nonce: its bytes, not its digits.
    package static func clientDataHash(_ nonce: [UInt8], deviceToken: [UInt8]? = nil) -> [UInt8] {
        let token = deviceToken.map { Array(SHA256.hash(data: $0)) } ?? []
        return Array(SHA256.hash(data: nonce + token))
    }

    static func registration(
        _ keyID: String, attestation: [UInt8], nonce: String, deviceToken: [UInt8]? = nil
    ) -> GateRequest {
        var members = [
            JSON.Member(name: "keyId", value: .string(keyID)),
            JSON.Member(name: "attestation", value: .string(Base64.encode(attestation))),
            JSON.Member(name: "clientData", value: .string(nonce)),
        ]
        if let deviceToken {
            members.append(JSON.Member(name: "deviceToken", value: .string(Base64.encode(deviceToken))))
        }
        let body = JSON.object(members)
        return GateRequest(method: "POST", path: "/attest/register", body: body.utf8())
    }
}

/// The header fields with which a WebSocket handshake shows an assertion.
public struct AssertionHeaders: Equatable, Sendable {
    package let keyID: String
    /// The assertion in Base64.
    package let assertion: String
    package let nonce: String
    /// The token of the device in Base64; nil where the gate is told nothing of the device.
    package internal(set) var deviceToken: String?

    init(keyID: String, assertion: [UInt8], nonce: String) {
        self.keyID = keyID
        self.assertion = Base64.encode(assertion)
        self.nonce = nonce
    }

    /// The fields by their names, in their order.
    public var fields: [(name: String, value: String)] {
        [
            ("X-App-Assert-KeyId", keyID), ("X-App-Assert-Data", assertion), ("X-App-Assert-Nonce", nonce),
        ] + (deviceToken.map { [("X-App-Assert-DeviceToken", $0)] } ?? [])
    }
}

/// The gate's no.
///
/// Throw it from the closure of ``AppAttestClient/connect(_:)`` when the handshake is refused, so that the client can
/// do what helps.
public struct GateRefusal: Error, Equatable, Sendable {
    /// The status of the answer.
    public let status: Int
    /// The code of the refusal, for example `unknown_key`; nil where the caller sees the status only, as with
    /// `URLSessionWebSocketTask`.
    public let code: String?
    /// The step that failed, for example `counter_not_increasing`; a gate may keep it to itself.
    public let reason: String?
    /// How long to wait before trying again, where the gate says it.
    public let retryAfter: Duration?

    /// A refusal of whose parts the caller knows some.
    public init(status: Int, code: String? = nil, reason: String? = nil, retryAfter: Duration? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// Reads an answer of the gate.
    public init(_ answer: GateAnswer) {
        let body = try? JSONReader(maximumBytes: 4_096).read(answer.body)
        self.init(
            status: answer.status, code: body?["code"]?.string, reason: body?["reason"]?.string,
            retryAfter: answer.retryAfter)
    }

    /// Reads the reason of a close frame, as a gate with `REJECT_MODE=close` sends it: `401 unknown_key`.
    public init?(closeReason: String) {
        let parts = closeReason.split(separator: " ")
        guard parts.count == 2, let status = Int(parts[0]), 400..<600 ~= status else { return nil }
        self.init(status: status, code: String(parts[1]))
    }
}
