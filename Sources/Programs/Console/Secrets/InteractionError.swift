/// Why what a person was asked for is not there, in words that say the next step.
package enum InteractionError: Error, Equatable {
    case cancelled
    case declined
    case noTerminalForSecret(prompt: String, option: String)
    case noTerminalForOutput(what: String, option: String)
    case noTerminalForQuestion
    case screenTooSmall(columns: Int, rows: Int)
    case secretsDiffer
    /// A new secret was to be typed.
    case nothingTyped
    case secretTooLong(limit: Int)
    case unreadable(option: String, reason: String)
    case unwritable(option: String, reason: String)
    /// What was to be shown did not reach the terminal.
    case terminalLost

    /// A descriptor gave no line where one is needed.
    package static func noLine(_ option: String) -> InteractionError {
        .unreadable(option: option, reason: "it has no line left")
    }
}

extension InteractionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cancelled: "Cancelled. Nothing was changed."
        case .declined: "Declined. Nothing was done."
        case .noTerminalForSecret(let prompt, let option):
            "\(prompt) is needed and there is no terminal to ask on. Give it through a descriptor: \(option) 3 3<file"
        case .noTerminalForOutput(let what, let option):
            "\(what) is needed and there is no terminal to show it on. Give it a descriptor: \(option) 3 3>file"
        case .noTerminalForQuestion:
            "There is no terminal to ask on. Look at what it is about first, then add --yes."
        case .screenTooSmall(let columns, let rows):
            "The terminal is too small to show what it is about. Make it at least \(columns) columns wide and \(rows) rows high."
        case .secretsDiffer: "The two entries differ. Nothing was changed; try again."
        case .nothingTyped:
            "Nothing was typed, and nothing was changed: a PIN, passphrase or password has at least one character."
        case .secretTooLong(let limit): "At most \(limit) bytes are taken."
        case .unreadable(let option, let reason): "The descriptor of \(option) cannot be read: \(reason)."
        case .unwritable(let option, let reason):
            "The descriptor of \(option) cannot be written: \(reason). What was to be shown was not seen, and what "
                + "waited for that was not done."
        case .terminalLost: "The terminal does not take what was to be shown, and nothing was stored."
        }
    }
}
