/// An error as screens, tests and logs of a host get it: a stable code, what it is about, and a text without secrets.
///
/// Source: `signer-product` section 9.
package struct CoreFailure: Hashable, Sendable, Encodable {
    /// The name by which programs tell errors apart: one of ``ErrorCode``, or one that the vault adds.
    package var code: String
    /// What the text names, each by itself, for pages that draw it: a network's name, a version, a public key.
    package var parameters: [String: String]
    /// What happened and what to do.
    package var text: String

    /// Takes code, parameters and text from the error, whichever part of the vault it is of.
    package init(_ error: any Error) {
        guard let error = error as? any ReportedError else {
            code = "Internal"
            parameters = [:]
            text = "Something went wrong that should not: \(type(of: error)). Report it."
            return
        }
        code = error.reportedCode
        parameters = error.parameters
        text = "\(error)"
    }
}
