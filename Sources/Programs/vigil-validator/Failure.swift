import ArgumentParser
import Console
import HardwareKeys
import Vigil

/// What goes wrong in the program, with its exit code.
struct Failure: Error, CustomStringConvertible {
    enum Code: Int32 {
        case checkFailed = 1
        case usage = 64
        case internalFailure = 70
        case inputOutput = 74
        case configuration = 78
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ConfigurationError: self.init(.configuration, error.description)
        case let error as HardwareKeyError: self.init(.inputOutput, "\(error)")
        case let error as StoreError: self.init(.inputOutput, "\(error)")
        case let error as ChannelError: self.init(.inputOutput, "\(error)")
        case let refusal as Refusal: self.init(.configuration, "\(refusal)")
        default: self.init(.internalFailure, "\(error)")
        }
    }

    /// Shows an error and ends the process.
    static func exit<C: ParsableCommand>(_ error: any Error, as command: C.Type) -> Never {
        // What the parser of arguments throws it also words.
        if error is Failure || error is ConfigurationError || error is HardwareKeyError || error is StoreError
            || error is ChannelError || error is Refusal
        {
            let failure = Failure(error)
            ProgramLine.note(failure.description, by: "vigil-validator")
            command.exit(withError: ExitCode(failure.code.rawValue))
        }
        command.exit(withError: error)
    }
}
