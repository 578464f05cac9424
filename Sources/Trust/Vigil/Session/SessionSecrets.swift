import Cryptography
import SecretMemory

/// What two sides share after a handshake: one key for the codes of each of them.
///
/// Source: `vigil` sections 7.6 and 7.7.
package struct SessionSecrets: Sendable {
    package static let codeLength = 32

    private let app: SecretBytes
    private let validator: SecretBytes
    /// Digest of the three messages of the handshake.
    package let transcript: Bytes32

    /// - Parameter agreed: the x coordinate that the two ephemeral keys agree on.
    /// - Throws: ``Refusal``: `internal` where there is no memory for them.
    package init(
        _ agreed: SecretBytes, challenge: Sent<Challenge>, request: Sent<Request>, response: Sent<Response>
    ) throws(Refusal) {
        let transcript = Self.digest("vigil/v2/transcript\0", [challenge.bytes, request.bytes, response.bytes])
        self.transcript = transcript
        (app, validator) = try Refusal.secret { () throws(SecretMemoryError) in
            let keys = try HKDFSHA256.derive(
                agreed, salt: transcript.bytes, info: Array("vigil/v2/session\0".utf8), count: 64)
            return (try keys.part(0..<32), try keys.part(32..<64))
        }
    }

    /// What a code is for.
    enum Purpose {
        case revalidate
        /// The answer to the message that it holds.
        case revalidated(Sent<Revalidate>)
        case evidenceRequest
    }

    func code(of unsigned: [UInt8], _ purpose: Purpose) -> [UInt8] {
        let (key, message) = input(unsigned, purpose)
        return HMACSHA256.code(key: key, [message])
    }

    /// Whether the code belongs to the message, compared in constant time.
    func accepts(_ code: [UInt8], of unsigned: [UInt8], _ purpose: Purpose) -> Bool {
        let (key, message) = input(unsigned, purpose)
        return HMACSHA256.isCode(code, key: key, [message])
    }

    private func input(_ unsigned: [UInt8], _ purpose: Purpose) -> (SecretBytes, [UInt8]) {
        switch purpose {
        case .revalidate: (app, Array("vigil/v2/revalidate\0".utf8) + unsigned)
        case .revalidated(let request):
            (validator, Array("vigil/v2/revalidated\0".utf8) + SHA256Hash.of(request.bytes) + unsigned)
        case .evidenceRequest: (app, Array("vigil/v2/evidence-request\0".utf8) + unsigned)
        }
    }

    static func digest(_ purpose: String, _ messages: [[UInt8]]) -> Bytes32 {
        .hash(of: messages.reduce(Array(purpose.utf8)) { $0 + SHA256Hash.of($1) })
    }

    /// The key of a grant: it seals one secret, once.
    ///
    /// - Parameter agreed: the x coordinate that the two ephemeral keys agree on.
    package static func grantKey(
        of agreed: SecretBytes, challenge: Sent<Challenge>, request: Sent<Request>
    ) throws(Refusal) -> SecretBytes {
        let salt = digest("vigil/v2/grant-salt\0", [challenge.bytes, request.bytes])
        return try Refusal.secret { () throws(SecretMemoryError) in
            try HKDFSHA256.derive(agreed, salt: salt.bytes, info: Array("vigil/v2/grant\0".utf8))
        }
    }
}
