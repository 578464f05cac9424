import BasicFoundation
import Console
import TextForms

/// What the doctor found out about one thing, and what to do about it.
struct Finding: Encodable {
    enum Grade: String, Encodable, Comparable {
        case good, weak, bad
        /// The thing could not be examined, or there is none.
        case unknown

        private var rank: Int {
            switch self {
            case .good: 0
            case .unknown: 1
            case .weak: 2
            case .bad: 3
            }
        }

        static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }
    }

    var subject: String
    var grade: Grade
    var found: String
    /// What to do; nil where nothing needs doing.
    var advice: String?

    init(_ subject: String, _ grade: Grade, found: String, advice: String? = nil) {
        self.subject = subject
        self.grade = grade
        self.found = found
        self.advice = advice
    }

    func text(_ style: Style) -> String {
        let grade = DisplayWidth.padded(grade.rawValue, to: 8)
        let coloured =
            switch self.grade {
            case .good: style.good(grade)
            case .unknown: style.dim(grade)
            case .weak: style.warning(grade)
            case .bad: style.danger(grade)
            }
        // Both name files that anybody may have made.
        let line = coloured + DisplayWidth.padded(subject, to: 20) + ScreenText.escape(found)
        let indent = String(repeating: " ", count: 28)
        return advice.map { "\(line)\n\(indent)→ \(ScreenText.escape($0))" } ?? line
    }
}
