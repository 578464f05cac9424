/// One thing that the self check looked at.
///
/// Source: `signer-product` section 12.3.
public struct CheckLine: Equatable, Sendable {
    /// What it means.
    public enum Status: String, Sendable {
        /// As it has to be, or a fact to be compared.
        case ok
        /// Worth looking at.
        case warn
        /// Not to be gone on with.
        case fail
    }

    /// The name by which programs tell lines apart; stable.
    public var code: String
    /// What it means.
    public var status: Status
    /// What was found, in plain words.
    public var text: String

    /// - Parameters:
    ///   - code: of the line.
    ///   - status: what it means.
    ///   - text: without secrets; names from outside in it are for the screen to escape.
    public init(code: String, _ status: Status, text: String) {
        self.code = code
        self.status = status
        self.text = text
    }
}
