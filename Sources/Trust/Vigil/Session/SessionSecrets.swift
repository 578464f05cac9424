import Crypto

/// What two sides share after a handshake: one key for the codes of each of them.
///
/// Source: `vigil` sections 7.6 and 7.7.
package struct SessionSecrets: Sendable {
    package static let codeLength = 32

    private let app: SymmetricKey
    private let validator: SymmetricKey
    /// Digest of the three messages of the handshake.
    package let transcript: Bytes32

    /// - Parameter agreed: the x coordinate that the two ephemeral keys agree on.
    package init(
        _ agreed: SharedSecret, challenge: Sent<Challenge>, request: Sent<Request>, response: Sent<Response>
    ) {
        transcript = Self.digest("vigil/v2/transcript\0", [challenge.bytes, request.bytes, response.bytes])
        let keys = agreed.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: transcript.bytes, sharedInfo: Array("vigil/v2/session\0".utf8),
            outputByteCount: 64)
        (app, validator) = keys.withUnsafeBytes {
            (SymmetricKey(data: $0.prefix(32)), SymmetricKey(data: $0.suffix(32)))
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
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// Whether the code belongs to the message, compared in constant time.
    func accepts(_ code: [UInt8], of unsigned: [UInt8], _ purpose: Purpose) -> Bool {
        let (key, message) = input(unsigned, purpose)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }

    private func input(_ unsigned: [UInt8], _ purpose: Purpose) -> (SymmetricKey, [UInt8]) {
        switch purpose {
        case .revalidate: (app, Array("vigil/v2/revalidate\0".utf8) + unsigned)
        case .revalidated(let request):
            (validator, Array("vigil/v2/revalidated\0".utf8) + SHA256.hash(data: request.bytes) + unsigned)
        case .evidenceRequest: (app, Array("vigil/v2/evidence-request\0".utf8) + unsigned)
        }
    }

    static func digest(_ purpose: String, _ messages: [[UInt8]]) -> Bytes32 {
        .hash(of: messages.reduce(Array(purpose.utf8)) { $0 + SHA256.hash(data: $1) })
    }
}

extension SharedSecret {
    /// The key of a grant: it seals one secret, once.
    package func grantKey(challenge: Sent<Challenge>, request: Sent<Request>) -> SymmetricKey {
        hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: SessionSecrets.digest("vigil/v2/grant-salt\0", [challenge.bytes, request.bytes]).bytes,
            sharedInfo: Array("vigil/v2/grant\0".utf8), outputByteCount: 32)
    }
}
