/// One thing that the self check looked at.
///
/// Source: `signer-product` section 12.3.
package struct CheckLine: Equatable, Sendable {
    /// What it means.
    package enum Status: String, Sendable {
        /// As it has to be, or a fact to be compared.
        case ok
        /// Worth looking at.
        case warn
        /// Not to be gone on with.
        case fail
    }

    /// The name by which programs tell lines apart; stable.
    package var code: String
    /// What it means.
    package var status: Status
    /// What was found, in plain words.
    package var text: String

    /// - Parameters:
    ///   - code: of the line.
    ///   - status: what it means.
    ///   - text: without secrets; names from outside in it are for the screen to escape.
    package init(code: String, _ status: Status, text: String) {
        self.code = code
        self.status = status
        self.text = text
    }
}
