import ForceFieldWire

/// Calls from the worker into the host. The host's policy has to grant each method; a call that is not granted ends the
/// worker.
///
/// Source: `forcefield` sections 11 and 15.
public struct HostCalls: Sendable {
    let channel: any CallChannel

    /// - Throws: ``WorkerError``, and `CancellationError` once the task is cancelled.
    public func call<Request, Response>(_ method: Method<Request, Response>, _ request: Request) async throws
        -> Response
    {
        try await callForDescriptors(method, request).response
    }

    /// Makes a host call, and also gives the descriptors that came with the answer.
    ///
    /// - Throws: as ``call(_:_:)``.
    public func callForDescriptors<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws -> (response: Response, descriptors: [ReceivedDescriptor]) {
        let isRaw = method.isRaw
        let body: [UInt8]
        do throws(CodecError) { body = try MethodBody.encode(request, raw: isRaw) } catch {
            throw WorkerError.unencodable(error)
        }
        let answer = try await channel.hostCall(MethodID(name: method.name), body)
        do throws(CodecError) { return (try MethodBody.decode(answer.body, raw: isRaw), answer.descriptors) } catch {
            throw WorkerError.invalidAnswer(error)
        }
    }
}

/// Why a handler cannot have what it asked its context for.
public enum WorkerError: Error, Hashable, Sendable {
    /// An item or a host call of more bytes than may be sent.
    case tooLarge(bytes: Int, limit: Int)
    /// As many host calls are open as may be open.
    case tooManyHostCalls(limit: Int)
    /// The host answered with an error.
    case refused(WorkerErrorCode, text: String)
    case unencodable(CodecError)
    /// The host's answer is not of the method's type.
    case invalidAnswer(CodecError)
    /// The request has its last frame already.
    case requestEnded
}

extension WorkerError: CustomStringConvertible {
    /// What was refused, and why.
    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit): "\(bytes) bytes to be sent, the limit is \(limit)"
        case .tooManyHostCalls(let limit): "\(limit) host calls are open already: wait for one of them"
        case .refused(let code, let text): "the host refused (\(code)): \(text)"
        case .unencodable(let error): "a value cannot be written: \(error)"
        case .invalidAnswer(let error): "the host's answer is not of the method's type: \(error)"
        case .requestEnded: "the request has been answered already"
        }
    }
}
