import AirgapLink
import ForceField
import SCALE
import Substrate
import TextForms

/// Why a runtime is not read.
package enum RuntimeError: Error, Equatable, Sendable {
    /// The program that reads runtimes is not there, or may not be used.
    case noReader(reason: String)
    /// What has to stand around the program that reads runtimes does not.
    case noSandbox(MissingLayers)
    /// The runtime ended its reader, or had it ended.
    case ended(PictureLoss.Ending)
    /// The file is no runtime that is run, or the run failed: whole sentences, fit for a screen.
    case refused(String)
    /// What the runtime gave as metadata are none that are read.
    case metadata(MetadataError)
    /// The version that the runtime tells beside its metadata does not decode.
    case version(ScaleError)
    /// The runtime contradicts itself.
    case otherVersion(ofRuntime: RuntimeVersion, ofMetadata: RuntimeVersion)
    /// The runtime gave metadata of another version than was asked for.
    case otherFormat(UInt8)
}

extension RuntimeError: CustomStringConvertible {
    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .noReader(let reason):
            "Runtimes are not read, because the program for it cannot be used. \(reason) It is runtime-worker, which has to lie beside this "
                + "program: build it (make build)."
        case .noSandbox(let missing): "Runtimes are not read: the sandbox of their reader is incomplete. \(missing)"
        case .ended(let ending):
            "The runtime's reader \(ending). Do not trust this file: fetch it again, or ask a node for the metadata (load-metadata)."
        case .refused(let reason): "The runtime is not read. \(reason)"
        case .metadata(let error): "What the runtime gives as its metadata is not read: \(error)."
        case .version(let error):
            "The version that the runtime states does not decode: \(error). Do not trust this file."
        case .otherVersion(let runtime, let metadata):
            "The runtime says that it is \(runtime.shown), and its metadata say \(metadata.shown). Do not trust this file."
        case .otherFormat(let version):
            "The runtime gave metadata of version \(version), which were not asked for. Do not trust this file."
        }
    }
}

extension RuntimeError {
    /// The stable name of the error.
    package var code: String {
        switch self {
        case .noReader: "NoRuntimeReader"
        case .noSandbox: "NoSandbox"
        case .ended: "RuntimeEnded"
        case .refused: "RuntimeRefused"
        case .metadata: "MetadataBroken"
        case .version: "RuntimeVersionBroken"
        case .otherVersion: "RuntimeContradictsItself"
        case .otherFormat: "OtherMetadataFormat"
        }
    }

    /// Whether the runtime is to blame, and not this machine.
    package var isOfRuntime: Bool {
        switch self {
        case .noReader, .noSandbox: false
        case .ended, .refused, .metadata, .version, .otherVersion, .otherFormat: true
        }
    }
}

extension RuntimeVersion {
    /// Name, version and transaction version, fit for a screen.
    fileprivate var shown: String {
        "\(ScreenText.escape(specName)) \(specVersion) (transactions \(transactionVersion))"
    }
}

extension RuntimeError {
    /// - Parameter refusal: the worker's words.
    init(refusal: String) { self = .refused(ScreenText.escape(refusal)) }

    init(_ error: ForceFieldError, timeLimit: Duration) {
        self =
            switch error {
            case .deadlineExceeded: .ended(.tooSlow(timeLimit))
            case .terminated(.setupFailed(let failure)): Self.notStarted(failure)
            case .terminated(let termination): .ended(.terminated(termination))
            case .invalidReply(let error): .ended(.unbelievable("\(error)"))
            case .refusedReply(let reason): .ended(.unbelievable(reason))
            case .worker(_, let text): .ended(.unbelievable(text))
            default: .noReader(reason: "\(error)")
            }
    }

    private static func notStarted(_ failure: SetupFailure) -> RuntimeError {
        switch LinkError(failure) {
        case .noSandbox(let missing): .noSandbox(missing)
        default: .noReader(reason: "\(Termination.setupFailed(failure))")
        }
    }
}
