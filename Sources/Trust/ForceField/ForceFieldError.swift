import ForceFieldWire
import TextForms

/// Why a call has no reply.
///
/// Source: `forcefield` sections 14, 16, 17 and 21.
public enum ForceFieldError: Error, Hashable, Sendable {
    /// The worker ended while the call was open.
    case terminated(Termination)
    /// The worker answered with an error. The text is the worker's.
    case worker(WorkerErrorCode, text: String)
    /// The reply is not what the method promises. The worker has been retired.
    case invalidReply(CodecError)
    /// The caller's own check refused the reply.
    case refusedReply(reason: String)
    /// The request cannot be written.
    case invalidRequest(CodecError)
    case requestTooLarge(bytes: Int, limit: Int)
    case deadlineExceeded
    case cancelled
    /// As many calls wait as may wait.
    case overloaded(waiting: Int)
    case inBackground
    /// This input has ended workers before.
    case quarantined
    /// Workers gave different replies to one request.
    case disagreement
    /// The field has been terminated.
    case closed
    /// The worker's executable may not be used.
    case unusableProgram(path: String, reason: String)
    /// What a capability names cannot be granted.
    case unusableCapability(String, errno: Int32)
    /// A descriptor may not be passed.
    case unusableDescriptor(DescriptorRefusal)
    /// The worker has no method of this name.
    case unknownMethod(String)
    case policy(PolicyError)
}

extension ForceFieldError: CustomStringConvertible {
    /// What happened, and what helps.
    public var description: String {
        switch self {
        case .terminated(let termination): "\(termination)"
        case .worker(let code, let text): "The worker refused (\(code)): \(ScreenText.escape(text))"
        case .invalidReply(let error): "The worker's reply is not of the method's type: \(error)."
        case .refusedReply(let reason): "The worker's reply was refused: \(ScreenText.escape(reason))"
        case .invalidRequest(let error): "The request cannot be written: \(error)."
        case .requestTooLarge(let bytes, let limit):
            "The request has \(bytes) bytes, the limit is \(limit). Pass a descriptor, or raise maxFrame."
        case .deadlineExceeded: "The call's deadline has passed. Give it more time, or less to do."
        case .cancelled: "The call was cancelled."
        case .overloaded(let waiting): "\(waiting) calls wait already. Call again later, or allow more workers."
        case .inBackground: "The host is in the background. Call again in the foreground."
        case .quarantined: "This input has ended workers twice and is refused. Do not open it."
        case .disagreement: "Workers gave different replies to one request. Do not trust any of them."
        case .closed: "The field has been terminated. Make a new one."
        case .unusableProgram(let path, let reason): "The worker \(ScreenText.escape(path)) cannot be used: \(reason)"
        case .unusableCapability(let name, let errno):
            "The capability \(ScreenText.escape(name)) cannot be granted (errno \(errno)). Check the file it names."
        case .unusableDescriptor(let refusal): "\(refusal)"
        case .unknownMethod(let name):
            "The field's interface has no method \(ScreenText.escape(name)). Add its signature to the interface."
        case .policy(let error): "\(error)"
        }
    }
}
