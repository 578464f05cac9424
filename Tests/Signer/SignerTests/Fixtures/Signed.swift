import Substrate
import Testing

@testable import Signer

extension SignedAnswer {
    /// Whether there is one signature for each request, and each is of the request's key for the request's bytes.
    func isValid(for requests: [SignRequest]) -> Bool {
        guard signatures.count == requests.count else { return false }
        return zip(signatures, requests).allSatisfy { signature, request in
            guard case .transaction(let signable, _) = request.content else { return false }
            return SignatureVerifier.isValid(
                signature: signature.signature, message: SigningPayload.message(for: signable),
                publicKey: request.key.signer.publicKey, scheme: request.network?.scheme ?? .sr25519)
        }
    }
}

extension Answer {
    /// The code of the error card, if there is one.
    var errorCode: String? {
        if case .error(let error)? = cards.error.first?.kind { error.code } else { nil }
    }

    var warningCodes: [String] {
        cards.warning.compactMap { if case .warning(let warning) = $0.kind { warning.code } else { nil } }
    }
}
