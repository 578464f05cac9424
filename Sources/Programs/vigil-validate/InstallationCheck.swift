/// One thing that was looked at.
struct InstallationCheck: Encodable {
    enum Outcome: String, Encodable {
        case passed
        /// Worth knowing, and no defect.
        case noted
        case failed
        case malformed
        case unreadable

        var exitCode: Int32 {
            switch self {
            case .passed, .noted: 0
            case .failed: 1
            case .malformed: 3
            case .unreadable: 4
            }
        }
    }

    var name: String
    var outcome: Outcome
    /// What was found, and what to do about it.
    var detail: String
}
