import Airgap
import AirgapLink
import BasicFoundation
import Console
import Files
import HotSide
import RuntimeReader
import TextForms

/// What goes wrong on the way to the libraries, in words that say the next step.
enum Failure: Error {
    case notHex(String)
    case noCode(source: String)
    case picture(source: String, reason: String)
    case unreadableCodes(String)
    case notAnAnswer
    case notAFilm(path: String)
    case fileName(String)
    case notAnUpdate(path: String, reason: String)
    /// Updates of a portal carry the words of several keys.
    case severalVerifiers
    /// Some networks failed, and the others are done.
    case someFailed([String])
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .notHex(let what): "\(what) is not hex: an even number of the digits 0-9 and a-f is expected."
        case .noCode(let source):
            "No QR code was found in \(source). Take the picture closer, straighter and sharp, with the whole code in it."
        case .picture(let source, let reason): "\(source): \(reason)"
        case .unreadableCodes(let reason): reason
        case .notAnAnswer: "The code holds no text of a vault's answer."
        case .notAFilm(let path): "What to write to \(path) is not clear: end it with .png, .apng, .gif, .html or .y4m."
        case .fileName(let name):
            "A network's name, \(name), cannot be part of a file's name. Name the file with --name."
        case .notAnUpdate(let path, let reason):
            "\(path) is no finished update. \(reason) Make one with: generate-message make --goal text"
        case .severalVerifiers:
            "The updates are signed by several keys, or some by nobody. A portal has one verifier: write one for each."
        case .someFailed(let names): "Not done: \(names.joined(separator: ", ")). The others are."
        }
    }

    var code: String {
        switch self {
        case .notHex: "NotHex"
        case .noCode: "NoCode"
        case .picture, .unreadableCodes: "PictureUnreadable"
        case .notAnAnswer: "NotAnAnswer"
        case .notAFilm: "NotAFilm"
        case .fileName: "FileName"
        case .notAnUpdate: "NotAnUpdate"
        case .severalVerifiers: "SeveralVerifiers"
        case .someFailed: "SomeFailed"
        }
    }
}

/// The exit codes of the program, as `generate-message --help` lists them.
enum ExitStatus: Int32, NamedStatus {
    case failure = 1
    case refused = 2
    case nodeFailed = 3
    case somethingNew = 4
    case notFound = 16
    case damaged = 15
    case pictureUnreadable = 17
    case wrongUsage = 64

    static let help = """
        0 done · 1 failed · 2 refused: what came does not fit what is known, or is no such thing · 3 a node gave no \
        answer that can be used · 4 watch: a network has a new version · 15 damaged database, or of another version · \
        16 no such network, metadata or types · 17 no QR code in the picture, or pictures cannot be read · 64 wrong \
        usage
        """

    init(_ error: any Error) {
        self =
            switch error {
            case let error as HotSideError: Self(error)
            case NodeError.badAddress: .wrongUsage
            case is NodeError: .nodeFailed
            case is SignerPayloadError, is TransferError: .refused
            case let error as RuntimeError: error.isOfRuntime ? .refused : .failure
            case let error as Failure: Self(error)
            default: .failure
            }
    }

    private init(_ failure: Failure) {
        self =
            switch failure {
            case .noCode, .picture, .unreadableCodes: .pictureUnreadable
            case .notHex, .notAnAnswer, .fileName, .notAnUpdate, .severalVerifiers: .refused
            case .someFailed: .nodeFailed
            case .notAFilm: .failure
            }
    }

    private init(_ error: HotSideError) {
        self =
            switch error {
            case .noHotDatabase, .databaseOfAnotherVersion, .databaseDamaged, .overTwoEntries: .damaged
            case .titleNotFound, .networkNotFound, .metadataNotFound, .typesNotFound: .notFound
            case .databaseBusy, .storageUnavailable, .notSupported, .notCompressed: .failure
            default: .refused
            }
    }
}

/// Any error as the program tells it: its words, its stable name and its exit code.
struct FailureReport {
    private let message: String
    private let code: String?
    private let status: ExitStatus

    init(_ error: any Error) {
        message = "\(error)"
        code = Self.code(error)
        status = ExitStatus(error)
    }

    static func code(_ error: any Error) -> String? {
        (error as? HotSideError)?.code ?? (error as? NodeError)?.code ?? (error as? SignerPayloadError)?.code
            ?? (error as? Failure)?.code ?? (error as? RuntimeError)?.code
    }

    func end() -> Never {
        OutputOptions.printFailure(message, code: code ?? status.name)
        let text = ScreenText.escape(message, keepingNewlines: true)
        ProgramLine.failure(text, code: code, by: "generate-message")
        exit(status.rawValue)
    }
}
