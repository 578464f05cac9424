import TextForms

/// The exchange by which a stored receipt becomes a newer one with a risk metric. The caller sends it: nothing here
/// uses a network.
///
/// Source: `appattest-gate` section 1.7.
public enum ReceiptRefresh {
    /// The address to which a receipt of this environment is sent by POST.
    public static func url(of environment: AppAttestEnvironment) -> String { "https://\(host(of: environment))\(path)" }

    /// The server that has the receipts of this environment.
    package static func host(of environment: AppAttestEnvironment) -> String {
        switch environment {
        case .production: "data.appattest.apple.com"
        case .development: "data-development.appattest.apple.com"
        }
    }

    /// The path on that server.
    package static let path = "/v1/attestationData"

    /// The body of the request.
    public static func body(of receipt: [UInt8]) -> String { Base64.encode(receipt) }

    /// The answer of Apple's server.
    public enum Answer: Equatable, Sendable {
        /// Verify it as ``Receipt/Kind/receipt``, then let it take the place of the stored one.
        case receipt([UInt8])
        /// The request came before the time from which on there is a newer receipt.
        case tooEarly
        /// The receipt is malformed, or of the other environment.
        case refused
        /// The token is not valid.
        case unauthorized
        /// Apple has no data on this receipt.
        case unknown
        /// Too many requests were sent.
        case slowDown
        /// The server fails: try again later.
        case unavailable
        /// A status, or the body of a good one, that the protocol does not have.
        case unexpected(status: Int)
    }

    /// What an answer of Apple's server means.
    ///
    /// - Parameters:
    ///   - status: its HTTP status.
    ///   - body: its body; at most 32 KiB of it is of use.
    public static func answer(status: Int, body: [UInt8]) -> Answer {
        switch status {
        case 200:
            guard body.count <= 32 << 10, let receipt = Base64.decode(body), !receipt.isEmpty else {
                return .unexpected(status: status)
            }
            return .receipt(receipt)
        case 304: return .tooEarly
        case 400: return .refused
        case 401: return .unauthorized
        case 404: return .unknown
        case 429: return .slowDown
        case 500, 503: return .unavailable
        default: return .unexpected(status: status)
        }
    }
}
