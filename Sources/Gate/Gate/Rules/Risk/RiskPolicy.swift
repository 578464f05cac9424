/// What a high number of keys on one device means for the key.
///
/// Source: `appattest-gate` section 3.11.
public struct RiskPolicy: Equatable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        case flag, deny
    }

    public enum Verdict: Int, CaseIterable, Sendable, MetricLabel {
        case fine, flagged, denied

        public static let labelName = "verdict"
        public static var texts: [String] { allCases.map { "\($0)" } }
    }

    /// The highest metric that is fine; nil for any.
    public let maximum: Int?
    public let action: Action

    public init(maximum: Int? = nil, action: Action = .flag) {
        self.maximum = maximum
        self.action = action
    }

    /// - Parameter metric: nil where no receipt told one yet.
    public func judge(_ metric: Int?) -> Verdict {
        guard let maximum, let metric, metric > maximum else { return .fine }
        return action == .deny ? .denied : .flagged
    }
}
