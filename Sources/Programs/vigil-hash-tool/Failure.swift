import BasicFoundation
import CodeMeasurement
import Console
import ExecutableImage
import HardwareKeys
import ManifestMaking
import TextForms
import Vigil

/// What goes wrong, in words that say the next step.
enum Failure: Error {
    case image(path: String, ImageFailure)
    case writable(path: String, WritablePart)
    case noSuchArchitecture(String, path: String, available: [String])
    case severalArchitectures(path: String, available: [String])
    case emptyBundle(path: String)
    case cannotWrite(path: String, reason: String)
    case notOurs(path: String)
    case cannotRead(path: String, reason: String)
    case tooLarge(path: String, limit: Int)
    case manifest(path: String, ManifestError)
    /// Rules of behaviour that no installation would read.
    case behaviour(path: String, reason: String)
    /// A program that is not where it has to be.
    case outsideBundle(ManifestDraftError)
    case noKey(path: String, expected: String)
    case key(HardwareKeyError)
    /// A process that cannot be looked at.
    case process(Int32, MeasurementRefusal)
    case hardening

    init(_ error: ManifestDraftError) {
        self =
            switch error {
            case .image(let path, let failure): .image(path: path, failure)
            case .writable(let path, let part): .writable(path: path, part)
            case .outside: .outsideBundle(error)
            case .manifest(let error): .manifest(path: "The manifest", error)
            }
    }

    /// What came of signing, told as this program tells it.
    static func explaining(_ error: any Error, at path: String) throws -> Failure {
        switch error {
        case let error as Failure: error
        case let error as ManifestError: .manifest(path: path, error)
        case let error as EnvelopeError: .manifest(path: path, .envelope(error))
        case let error as HardwareKeyError: .key(error)
        case let error as ConfigurationError: .behaviour(path: path, reason: "\(error)")
        default: throw error
        }
    }

    var exitCode: Int32 {
        switch self {
        case .image(_, .refused), .writable, .emptyBundle, .notOurs, .tooLarge, .manifest, .behaviour, .noKey: 3
        case .image, .cannotWrite, .cannotRead, .key, .process, .hardening: 4
        case .noSuchArchitecture, .severalArchitectures, .outsideBundle: 2
        }
    }

    /// The stable name of what is wrong with the input.
    var identifier: String? {
        switch self {
        case .image(_, let failure): failure.error?.rawValue
        case .writable: "writableConstants"
        case .emptyBundle: "emptyBundle"
        case .manifest(_, let error): error.identifier
        case .behaviour: "malformedBehaviour"
        default: nil
        }
    }

    /// Shows the failure on standard error.
    func show() { ProgramLine.failure(description, code: identifier, by: "vigil-hash-tool") }
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .image(let path, let failure): "\(ScreenText.escape(path)): \(failure)"
        case .writable(let path, let part): "\(ScreenText.escape(path)): \(ScreenText.escape("\(part)"))"
        case .noSuchArchitecture(let name, let path, let available):
            "\(ScreenText.escape(path)) has nothing for \(name). It has: \(available.joined(separator: ", "))."
        case .severalArchitectures(let path, let available):
            "\(ScreenText.escape(path)) has several architectures. Choose one with --arch: "
                + available.joined(separator: ", ") + "."
        case .emptyBundle(let path): "There is no ELF and no Mach-O file below \(ScreenText.escape(path))."
        case .cannotRead(let path, let reason): "\(ScreenText.escape(path)) cannot be read: \(reason)."
        case .tooLarge(let path, let limit): "\(ScreenText.escape(path)) has more than \(limit) bytes."
        case .manifest(let path, let error): "\(ScreenText.escape(path)): \(error)"
        case .behaviour(let path, let reason):
            "\(ScreenText.escape(path)): \(ScreenText.escape(reason)). Nothing was signed."
        case .outsideBundle(let error): ScreenText.escape("\(error)")
        case .noKey(let path, let expected): "\(ScreenText.escape(path)) does not hold \(expected)."
        case .key(let error): ScreenText.escape("\(error)")
        case .hardening: "The process cannot be protected against core dumps, so it does not touch keys."
        case .process(let number, let refusal):
            "Process \(number) cannot be looked at: \(ScreenText.escape(refusal.finding.description))."
        case .cannotWrite(let path, let reason): "\(ScreenText.escape(path)) cannot be written: \(reason)."
        case .notOurs(let path):
            "\(ScreenText.escape(path)) is there and is no list of hashes. Give another name, or remove it."
        }
    }
}
