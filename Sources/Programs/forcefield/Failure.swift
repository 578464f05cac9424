import ArgumentParser
import BasicFoundation
import Console
import Files
import ForceField
import ForceFieldWatch
import TextForms

/// What is wrong with what was asked, in words that say the next step.
enum Failure: Error {
    case usage(String)
    case unreadable(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case notLinked(path: String)
    case peerMissing(String)
    /// What a worker wrote or answered could not be handed on.
    case lostOutput(Errno)

    /// What the program exits with.
    ///
    /// A file that was named and cannot be used is wrong usage, as the table of codes in docs/formats has it.
    static func exitCode(of error: any Error) -> Int32 {
        switch error {
        case WatchError.spawn: 15
        case Failure.lostOutput: 17
        case is Failure, is WatchError: 2
        case ForceFieldError.terminated(let termination): termination.exitCode
        case _ where ForceFieldProgram.exitCode(for: error) == .validationFailure: 2
        default: EXIT_FAILURE
        }
    }
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage(let text): text
        case .unreadable(let path, let reason): "\(ScreenText.escape(path)) cannot be read: \(reason)."
        case .cannotWrite(let path, let reason): "\(ScreenText.escape(path)) cannot be written: \(reason)."
        case .notLinked(let path):
            """
            \(ScreenText.escape(path)) does not link ForceField, so it would not lock itself in. Build it with ForceFieldWorker, or \
            give a static executable with --exec.
            """
        case .lostOutput(let fault): "The output cannot be written: \(fault). What came out is not all of it."
        case .peerMissing(let name): "\(name) is not installed. Install it (apt-get install \(name)), or leave it out."
        }
    }
}

extension Failure {
    static func show(_ error: any Error, isParsing: Bool = false) {
        // The parser's own errors know the command's usage.
        write(StandardError.shown(isParsing ? ForceFieldProgram.fullMessage(for: error) : "forcefield: \(error)"))
    }

    /// How a worker ended, with what helps; nothing where all went well.
    static func show(_ termination: Termination, program: String) {
        guard termination != .clean else { return }
        let style = Style(enabled: isatty(STDERR_FILENO) == 1 && Terminal.environmentTakesColour)
        write(style.danger("forcefield: ") + "\(termination)")
        if let advice = Advice.after(termination, program: program) { write("  → \(advice)") }
    }

    private static func write(_ text: String) {
        StandardError.write((text + "\n"))
    }
}

/// What helps after an end that the user can do something about.
enum Advice {
    static func after(_ termination: Termination, program: String) -> String? {
        switch termination {
        case .setupFailed(.stage(.executable, errno: ENOEXEC)):
            """
            \(ScreenText.escape(program)) is no static executable of this machine. Link it statically: cc -static, or swift build \
            -Xswiftc -static-executable.
            """
        case .setupFailed(.stage(.executable, errno: EACCES)):
            "\(ScreenText.escape(program)) is no regular file, or is set-uid. Give a plain copy of it."
        case .setupFailed(.stage(let stage, let errno)):
            Obstacle(stage, errno: errno, in: .current).words
        case .setupFailed(.interfaceMismatch): "If it has more methods than this one, say --any-interface."
        case .policyViolation:
            "forcefield trace shows all such calls at once. What a library needs beyond computing, its host has to do."
        case .killedByOS(.cpuLimit): "Give it more with --cpu SECONDS."
        case .killedByOS(.memoryLimit): "Give it more with --memory BYTES."
        case .crashed(let crash): crash.hint == .memoryLimit ? "Give it more with --memory BYTES." : nil
        case .killedByHost(.deadline): "Give it more time with --wall or --deadline, in milliseconds."
        case .killedByHost(.outputLimit): "Allow more with --max-output BYTES."
        default: nil
        }
    }
}

extension Obstacle {
    /// Why, and what helps.
    var words: String { "\(reason) \(remedy)" }
}
