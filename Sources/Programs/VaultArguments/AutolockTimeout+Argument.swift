import ArgumentParser
import MainKey

/// Minutes, or a word; numbers below 1 as `status --json` writes the words.
extension AutolockTimeout: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "never": self = .never
        case "always": self = .always
        default:
            guard let minutes = Int(argument), let timeout = AutolockTimeout(rawValue: minutes) else { return nil }
            self = timeout
        }
    }

    public var defaultValueDescription: String { words }

    /// The words that the option takes.
    package var words: String {
        switch self {
        case .never: "never"
        case .always: "always"
        case .minutes(let minutes): "\(minutes)"
        }
    }
}
