import SCALE
import WebAssembly
import Zstandard

/// Why nothing is read of a runtime.
enum RuntimeRefusal: Error, Hashable, Sendable {
    case tooLarge(limit: Int)
    /// The file holds something else.
    case notWebAssembly(String)
    case compression(ZstdFrameError)
    case module(ModuleError)
    /// An export is missing, or is of another type.
    case noExport(String)
    case run(function: String, Trap)
    /// The result of a function is not what it has to be.
    case result(function: String, ScaleError)
    case noMetadata(version: UInt32, offered: [UInt32])
    /// What it tells of itself is larger than it may be.
    case answerTooLarge(what: String, count: Int, limit: Int)
}

extension RuntimeRefusal: CustomStringConvertible {
    /// What is wrong, and what helps, as whole sentences.
    var description: String {
        switch self {
        case .tooLarge(let limit): "It is larger than the \(limit) bytes that a runtime may have."
        case .notWebAssembly(let what): "It is \(what). Give the runtime's WebAssembly, plain or compressed."
        case .compression(let error): "Its compressed content is not read: \(error). Fetch the file again."
        case .module(let error): "It is no module that is run: \(error). Fetch the file again."
        case .noExport(let name): "It has no \(name) as runtimes have it. Give the file of a Substrate runtime."
        case .run(let function, .outOfFuel):
            "Its \(function) used up all the steps that it was given. Do not trust it; if it is known to be that slow, allow more steps."
        case .run(let function, let trap):
            "Its \(function) failed: \(trap). Ask a node for the metadata instead (load-metadata)."
        case .result(let function, let error): "What its \(function) gave does not decode: \(error)."
        case .answerTooLarge(let what, let count, let limit):
            "Its \(what) of \(count) bytes is more than the \(limit) that are read. Do not trust it."
        case .noMetadata(let version, let offered):
            "It has no metadata of version \(version)"
                + (offered.isEmpty ? "." : "; it has \(offered.map(String.init).joined(separator: ", ")).")
        }
    }
}
