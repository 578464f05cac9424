import ArgumentParser
import BasicFoundation

extension ParsableCommand {
    /// Parses a command line; refuses also help about what is no command, for which the parser shows the program's.
    package static func parseProgram(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
        if let unknown = wordWithoutHelp(in: arguments) {
            throw ValidationError("There is no command '\(unknown)' to help with.")
        }
        return try parseAsRoot(arguments)
    }

    /// The word behind `help` that names no command of the one before it.
    private static func wordWithoutHelp(in arguments: [String]) -> String? {
        let help = "help"
        var command: any ParsableCommand.Type = Self.self
        guard arguments.first == help, !command.configuration.subcommands.isEmpty else { return nil }
        for word in arguments.dropFirst() where !word.hasPrefix("-") && word != help {
            let next = command.configuration.subcommands.first {
                $0._commandName == word || $0.configuration.aliases.contains(word)
            }
            guard let next else { return word }
            command = next
        }
        return nil
    }

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
