import Crypto

/// What the signatures of the protocol are over: the purpose, the digests of all that was said before, and the message
/// itself without its signature. So a signature counts in one place of one conversation.
///
/// Source: `vigil` section 7.4 and 7.5.
package enum Signed {
    /// r ‖ s.
    package static let signatureCount = 64

    package static func request(_ unsigned: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("request", [challenge], unsigned)
    }

    package static func response(_ unsigned: [UInt8], request: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("response", [challenge, request], unsigned)
    }

    package static func confirmation(
        _ unsigned: [UInt8], response: [UInt8], request: [UInt8], challenge: [UInt8]
    ) -> [UInt8] {
        transcript("confirm", [challenge, request, response], unsigned)
    }

    package static func alert(_ unsigned: [UInt8], response: [UInt8]) -> [UInt8] {
        transcript("alert", [response], unsigned)
    }

    package static func provisionRequest(_ unsigned: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("provision-request", [challenge], unsigned)
    }

    package static func provisionResponse(_ unsigned: [UInt8], request: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("provision-response", [challenge, request], unsigned)
    }

    package static func rotationRequest(_ unsigned: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("rotate-request", [challenge], unsigned)
    }

    package static func rotationResponse(_ unsigned: [UInt8], request: [UInt8], challenge: [UInt8]) -> [UInt8] {
        transcript("rotate-response", [challenge, request], unsigned)
    }

    private static func transcript(_ purpose: String, _ before: [[UInt8]], _ unsigned: [UInt8]) -> [UInt8] {
        before.reduce(Array("vigil/v2/\(purpose)\0".utf8)) { $0 + SHA256.hash(data: $1) } + unsigned
    }
}
