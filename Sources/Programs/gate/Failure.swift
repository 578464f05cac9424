import AppAttest
import AppAttestClient
import ArgumentParser
import BasicFoundation
import Console
import Gate
import GateTestKit
import TextForms

/// An error of the program itself, in words that say the next step.
enum Failure: Error {
    case usage(String)
    case unreadable(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case notHex(String)
    /// What a setting names cannot be used.
    case setting(SettingName, String)
    case noSuchKey(String)
    case ambiguousKey(String)
    case notBanned
    case notRegistered(path: String)
    /// A key file that is asked for and is not there.
    case noStore(path: String)
    /// A key file whose folder belongs to the user as whom a gate runs.
    case foreignStore(path: String, owner: UInt32)
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage(let text): text
        case .unreadable(let path, let reason): "\(ScreenText.escape(path)) cannot be read: \(reason)."
        case .cannotWrite(let path, let reason): "\(ScreenText.escape(path)) cannot be written: \(reason)."
        case .notHex(let what): "\(what) is not hex: an even number of the digits 0-9 and a-f is expected."
        case .setting(let name, let text): "The configuration cannot be used.\n\(name.rawValue): \(text)"
        case .noSuchKey(let name): "No key is called \(ScreenText.escape(name)). gate keys list shows their names."
        case .ambiguousKey(let name):
            "More than one key is called \(ScreenText.escape(name)). Give more digits of its name."
        case .notBanned: "The account is not banned. gate accounts list shows those that are."
        case .notRegistered(let path): "\(ScreenText.escape(path)) has no key. gate mint register makes one."
        case .noStore(let path):
            "There is no key file \(ScreenText.escape(path)). Name the gate's: by ATTESTED_KEYS_PATH or --store."
        case .foreignStore(let path, let owner):
            """
            The folder of \(ScreenText.escape(path)) belongs to user \(owner), who could not open what root makes \
            there. Run this as that user: setpriv --reuid=\(owner) --clear-groups, or as docs/gate.md says of services.
            """
        }
    }
}

extension Failure {
    /// All exit codes with their names, for `--help`.
    static let exitCodes = """
          0 done                  1 refused, not genuine, no such key, not banned
         64 usage                66 unreadable            69 unavailable
         70 internal             73 cannotWrite           75 inUse
         78 configuration
        """
}

/// Any error as the program tells it: its stable name, its exit code and what to do.
struct FailureReport {
    private let code: String
    private let exitCode: Int32
    private let message: String

    init(_ error: any Error) {
        message = Self.isParsing(error) ? GateProgram.wrongUsage(error) : Self.message(error)
        (code, exitCode) = Self.code(error)
    }

    private static func isParsing(_ error: any Error) -> Bool {
        GateProgram.exitCode(for: error) == ExitCode.validationFailure
    }

    private static func message(_ error: any Error) -> String {
        switch error {
        case let error as ConfigurationFailure: "The configuration cannot be used.\n\(error)"
        case GateServerError.setting(let name, let text): message(Failure.setting(name, text))
        // What a device sent is not good; its step is the specification's.
        case let error as AppAttestError: "Not genuine: \(error)"
        case let error as StoreError: message(error)
        case let error as AppAttestClientError: message(error)
        case let error as SmallFile.Failure: "\(ScreenText.escape(error.path)) cannot be used: \(error.reason)."
        default: "\(error)"
        }
    }

    private static func message(_ error: StoreError) -> String {
        switch error {
        case .unavailable(let reason): "The store does not answer: \(reason). Nothing was changed."
        case .corrupt(let reason): "The store cannot be read: \(reason). --recover sets a damaged file aside."
        case .inUse(let path):
            "A gate runs on \(ScreenText.escape(path)). Stop it first, or ask it: its admin listener has /admin/keys."
        case .refused(let reason): "The store cannot be used: \(reason)."
        }
    }

    private static func message(_ error: AppAttestClientError) -> String {
        switch error {
        case .refused(let refusal): "The gate says no: \(words(refusal))."
        case .tryLater(let refusal):
            "The gate says not now: \(words(refusal))\(refusal.retryAfter.map { "; again in \($0.components.seconds) s" } ?? "")."
        case .service(let reason): "The device does not sign: \(reason)."
        case .notTheGate(let status): "Something else than a gate answers there, with status \(status)."
        case .outOfOrder: "The steps of a connection came out of order."
        }
    }

    static func words(_ refusal: GateRefusal) -> String {
        (["\(refusal.status)"] + [refusal.code, refusal.reason].compactMap(\.self)).map { ScreenText.escape($0) }
            .joined(separator: " ")
    }

    private static func code(_ error: any Error) -> (String, Int32) {
        switch error {
        case is ConfigurationFailure, Failure.setting, Failure.foreignStore, GateServerError.setting,
            is VerifierSetupError:
            ("configuration", ConfigurationFailure.exitStatus)
        case is GateServerError: ("unavailable", EX_UNAVAILABLE)
        case StoreError.inUse: ("inUse", EX_TEMPFAIL)
        case StoreError.refused: ("configuration", ConfigurationFailure.exitStatus)
        case is StoreError: ("unavailable", EX_UNAVAILABLE)
        case AppAttestClientError.tryLater, AppAttestClientError.notTheGate: ("unavailable", EX_UNAVAILABLE)
        case is AppAttestClientError, is GateRefusal: ("refused", 1)
        case TrialFailure.badAddress: ("usage", EX_USAGE)
        case is TrialFailure: ("unavailable", EX_UNAVAILABLE)
        case Failure.noSuchKey, Failure.ambiguousKey: ("noSuchKey", 1)
        case Failure.notBanned: ("notBanned", 1)
        case is AppAttestError: ("notGenuine", 1)
        case Failure.unreadable, Failure.notRegistered, Failure.noStore: ("unreadable", EX_NOINPUT)
        case Failure.cannotWrite, is SmallFile.Failure: ("cannotWrite", EX_CANTCREAT)
        case is Failure: ("usage", EX_USAGE)
        case _ where isParsing(error): ("usage", EX_USAGE)
        default: ("internal", EX_SOFTWARE)
        }
    }

    /// Prints the failure and ends the program.
    func end() -> Never { ProgramLine.end(message, code: code, by: "gate", status: exitCode) }
}
