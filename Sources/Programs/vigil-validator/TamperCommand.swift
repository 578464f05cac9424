import Foundation
import Synchronization
import Vigil

/// What the configuration has run when something was found: a program and its arguments, without a shell. The reason follows as the
/// last argument.
final class TamperCommand: Sendable {
    private let arguments: [String]
    private let isRunning = Atomic(false)

    /// - Throws: `ConfigurationError` for a program that others may exchange.
    init(_ arguments: [String]) throws(ConfigurationError) {
        self.arguments = arguments
        if let program = arguments.first { try TrustedPath().check(program) }
    }

    /// Does not wait for it. One runs at a time: whoever causes findings must not fill the machine with processes.
    func run(_ refusal: Refusal) {
        guard let program = arguments.first else { return }
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
            return Self.tell("\(program) still runs, and is not run again for: \(refusal.reason)")
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments.dropFirst() + ["\(refusal.reason)"]
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { [self] _ in isRunning.store(false, ordering: .releasing) }
        do {
            try TrustedPath().check(program)
            try process.run()
        } catch {
            isRunning.store(false, ordering: .releasing)
            Self.tell("\(program) cannot be run: \(error)")
        }
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data("vigil-validator: \(text)\n".utf8))
    }
}
