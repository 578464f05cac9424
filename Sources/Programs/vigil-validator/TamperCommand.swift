import Console
import Processes
import Synchronization
import Threads
import Vigil

/// What the configuration has run when something was found: a program and its arguments, without a shell. The reason
/// follows as the last argument.
final class TamperCommand: Sendable {
    private let arguments: [String]
    private let isRunning = Atomic(false)

    /// - Throws: `ConfigurationError` for a program that others may exchange.
    init(_ arguments: [String]) throws(ConfigurationError) {
        self.arguments = arguments
        if let program = arguments.first { try TrustedPath().check(program) }
    }

    /// Starts the command and does not wait for it, unless no thread can be made. One runs at a time, so that an app
    /// that causes findings cannot fill the machine with processes.
    func run(_ refusal: Refusal) {
        guard let program = arguments.first else { return }
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
            return Self.log("\(program) still runs, and is not run again for: \(refusal.reason)")
        }
        do {
            try TrustedPath().check(program)
            let child = try SpawnedProgram(program, arguments.dropFirst() + ["\(refusal.reason)"])
            SystemThread.startOrRun { [self] in
                child.wait()
                isRunning.store(false, ordering: .releasing)
            }
        } catch {
            isRunning.store(false, ordering: .releasing)
            Self.log("The command cannot be run: \(error)")
        }
    }

    private static func log(_ text: String) { ProgramLine.note(text, by: "vigil-validator") }
}
