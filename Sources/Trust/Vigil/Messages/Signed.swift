import Cryptography

/// What the signatures of the protocol are over: the purpose, the digests of all that was said before, and the message
/// itself without its signature. So a signature counts in one place of one conversation.
///
/// Source: `vigil` section 7.4 and 7.5.
package enum Signed {
    /// r ‖ s.
    package static let signatureLength = 64

    package static func request(_ unsigned: [UInt8], challenge: Sent<Challenge>) -> [UInt8] {
        transcript("request", after: [challenge.bytes], unsigned)
    }

    package static func response(_ unsigned: [UInt8], request: Sent<Request>, challenge: Sent<Challenge>) -> [UInt8] {
        transcript("response", after: [challenge.bytes, request.bytes], unsigned)
    }

    package static func confirmation(
        _ unsigned: [UInt8], response: Sent<Response>, request: Sent<Request>, challenge: Sent<Challenge>
    ) -> [UInt8] {
        transcript("confirm", after: [challenge.bytes, request.bytes, response.bytes], unsigned)
    }

    package static func alert(_ unsigned: [UInt8], response: Sent<Response>) -> [UInt8] {
        transcript("alert", after: [response.bytes], unsigned)
    }

    package static func provisionRequest(_ unsigned: [UInt8], challenge: Sent<Challenge>) -> [UInt8] {
        transcript("provision-request", after: [challenge.bytes], unsigned)
    }

    package static func provisionResponse(
        _ unsigned: [UInt8], request: Sent<ProvisionRequest>, challenge: Sent<Challenge>
    ) -> [UInt8] {
        transcript("provision-response", after: [challenge.bytes, request.bytes], unsigned)
    }

    package static func rotationRequest(_ unsigned: [UInt8], challenge: Sent<Challenge>) -> [UInt8] {
        transcript("rotate-request", after: [challenge.bytes], unsigned)
    }

    package static func rotationResponse(
        _ unsigned: [UInt8], request: Sent<RotationRequest>, challenge: Sent<Challenge>
    ) -> [UInt8] {
        transcript("rotate-response", after: [challenge.bytes, request.bytes], unsigned)
    }

    private static func transcript(_ purpose: String, after before: [[UInt8]], _ unsigned: [UInt8]) -> [UInt8] {
        before.reduce(Array("vigil/v2/\(purpose)\0".utf8)) { $0 + SHA256Hash.of($1) } + unsigned
    }
}
