/// The time without use, or in the background, after which a vault locks by itself.
///
/// As a number: negative never, 0 always, else minutes. Source: `mainkey` sections 5 and 21.
public enum AutolockTimeout: Hashable, Sendable {
    /// Locks only when it is asked to, or the process ends.
    case never
    /// Locks at once in the background, or after each use.
    case always
    /// Locks after so many minutes; at most 10080, which is a week.
    case minutes(Int)

    /// A week at the most.
    package static let minutesAllowed = 1...10080

    /// Whether this can be set.
    public var isAllowed: Bool {
        if case .minutes(let minutes) = self { Self.minutesAllowed.contains(minutes) } else { true }
    }
}

extension AutolockTimeout {
    /// - Returns: nil above the most minutes that are allowed.
    package init?(rawValue: Int) {
        switch rawValue {
        case ..<0: self = .never
        case 0: self = .always
        case Self.minutesAllowed: self = .minutes(rawValue)
        default: return nil
        }
    }

    package var rawValue: Int {
        switch self {
        case .never: -1
        case .always: 0
        case .minutes(let minutes): minutes
        }
    }
}
