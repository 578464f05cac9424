import ArgumentParser
import BasicFoundation

extension ParsableCommand {
    /// Ends the program over a refusal by a command that was parsed already: with the usage of that command, for which
    /// the parser would print the program's.
    package static func end(_ refusal: ValidationError, by command: any ParsableCommand, _ exitCode: Int32) -> Never {
        let text = "Error: \(refusal)\nUsage: \(usageString(for: type(of: command)))"
        StandardError.write(StandardError.shown(text) + "\n")
        BasicFoundation.exit(exitCode)
    }

    /// What is wrong with the arguments, and the usage, behind the program's name.
    package static func wrongUsage(_ error: any Error) -> String {
        let text = fullMessage(for: error)
        return text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text
    }
}
