/// What a high number of keys on one device means for the key.
///
/// Source: `appattest-gate` section 3.11.
struct RiskPolicy: Equatable, Sendable {
    enum Action: String, Sendable, CaseIterable {
        case flag, deny
    }

    enum Verdict: Int, CaseIterable, Sendable, MetricLabel {
        case fine, flagged, denied

        static let labelName = "verdict"
        static var texts: [String] { allCases.map { "\($0)" } }
    }

    /// The highest metric that is fine; nil for any.
    let maximum: Int?
    let action: Action

    /// - Parameter metric: nil where no receipt told one yet.
    func judge(_ metric: Int?) -> Verdict {
        guard let maximum, let metric, metric > maximum else { return .fine }
        return action == .deny ? .denied : .flagged
    }
}
