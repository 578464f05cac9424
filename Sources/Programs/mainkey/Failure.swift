import ArgumentParser
import BasicFoundation
import Console
import Files
import GRDB
import HardwareKeys
import MainKey
import MainKeyGRDB

/// An error of the program itself, in words that say the next step.
enum Failure: Error {
    case hardening
    case usage(String)
    case unreadable(path: String, reason: String)
    case unusableDatabase(path: String, reason: String)
    case notACertificate(path: String)
    case notHex(String)
    /// A test of the program found what must not be.
    case testFailed(String)
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .hardening: "The process cannot be protected against core dumps, so it does not touch keys."
        case .usage(let text), .testFailed(let text): text
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .unusableDatabase(let path, let reason):
            "\(path) cannot be used: \(reason). Name an SQLite database that this user may read and write."
        case .notACertificate(let path): "\(path) is no certificate. Give one in PEM or DER."
        case .notHex(let what): "\(what) is not hex: an even number of the digits 0-9 and a-f is expected."
        }
    }
}

extension Failure {
    /// All exit codes with their names, for `--help`.
    static let exitCodes = """
          0 done                 1 declined, testFailed   10 notFound
         11 badMagic            12 unsupportedVersion     13 malformed
         14 truncated           15 limitExceeded          20 wrongCredential
         21 throttled           22 attemptsExhausted      23 noSuchSlot
         24 weakPIN             30 tampered               31 rolledBack
         32 authFailed          33 wrongPurpose           34 unknownEpoch
         35 fileKeyMismatch     36 trailingData           40 locked
         41 stale               42 busy                   43 noSecureTemp
         44 configError         50 hardwareUnavailable    51 hardwareLockout
         52 hardwareDead        53 hardwareChanged        60 io
         61 recoverable         64 usage                  70 internal
        """
}

/// Any error as the program tells it: its stable name, its exit code and what to do.
struct FailureReport {
    private let code: String
    private let exitCode: Int32
    private let message: String

    init(_ error: any Error) {
        message = Self.message(error)
        (code, exitCode) = Self.code(error)
    }

    private static func message(_ error: any Error) -> String {
        // The parser's own errors know the command's usage.
        isParsing(error) ? MainKeyProgram.wrongUsage(error) : NextStep.text(of: error)
    }

    private static func isParsing(_ error: any Error) -> Bool {
        MainKeyProgram.exitCode(for: error) == ExitCode.validationFailure
    }

    private static func code(_ error: any Error) -> (String, Int32) {
        switch error {
        case let error as MainKeyError: (error.code, error.exitCode)
        case let error as SealedColumnError: code(error.mainKeyError)
        case let error as SealedFileError: code(error.error)
        case is DatabaseError: code(MainKeyError.io(path: "the database", reason: "\(error)"))
        case HardwareKeyError.invalidAddress: usage
        case let error as HardwareKeyError: code(MainKeyError.hardwareUnavailable(reason: "\(error)"))
        case InteractionError.cancelled, InteractionError.declined: ("declined", 1)
        case InteractionError.secretsDiffer, InteractionError.secretTooLong:
            code(MainKeyError.configError(reason: ""))
        case InteractionError.unreadable, InteractionError.unwritable, InteractionError.terminalLost:
            code(MainKeyError.io(path: "", reason: ""))
        case is InteractionError: usage
        case Failure.unreadable, Failure.unusableDatabase, is FileError: code(MainKeyError.io(path: "", reason: ""))
        case Failure.usage, Failure.notHex: usage
        case Failure.notACertificate: code(MainKeyError.malformed(.file, reason: ""))
        case Failure.testFailed: ("testFailed", 1)
        case _ where isParsing(error): usage
        default: code(MainKeyError.internalFailure(reason: ""))
        }
    }

    private static let usage: (String, Int32) = ("usage", 64)

    /// Prints the failure and ends the program.
    func end() -> Never { ProgramLine.end(message, code: code, by: "mainkey", status: exitCode) }
}
