/// How long what is voted with stays locked, for more weight of the vote.
enum Conviction: UInt8, Hashable, Sendable {
    case none, locked1x, locked2x, locked3x, locked4x, locked5x, locked6x

    /// - Parameter name: of the variant in metadata: `None`, `Locked1x` to `Locked6x`.
    init?(variant name: String) {
        switch name {
        case "None": self = .none
        case "Locked1x": self = .locked1x
        case "Locked2x": self = .locked2x
        case "Locked3x": self = .locked3x
        case "Locked4x": self = .locked4x
        case "Locked5x": self = .locked5x
        case "Locked6x": self = .locked6x
        default: return nil
        }
    }

    /// What a vote weighs, times the amount.
    var words: String { self == .none ? "conviction 0.1x, no lock" : "conviction \(rawValue)x" }
}
