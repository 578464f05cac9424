public import AppAttest

/// A no, with what belongs to its answer.
public struct Refusal: Error, Sendable {
    public let code: RefusalCode
    /// Which step of the verification failed.
    public let reason: AppAttestError.Code?
    /// The member or header that is at fault.
    public let field: StaticString?
    public private(set) var headers: [HeaderFields.Field] = []
    /// Whether the connection has to be closed behind the answer.
    public private(set) var closesConnection = false

    /// How long clients are asked to stay away from a gate that cannot serve them, in seconds.
    static let retrySeconds = 5

    public init(_ code: RefusalCode, reason: AppAttestError.Code? = nil, field: StaticString? = nil) {
        self.code = code
        self.reason = reason
        self.field = field
        if code == .operatorTokenRequired {
            headers.append(("WWW-Authenticate", #"Bearer realm="gate-admin""#))
        } else if code.status == 401 {
            headers.append(("WWW-Authenticate", #"AppAttest realm="gate""#))
        }
        if code.status == 503 { headers.append(("Retry-After", String(Self.retrySeconds))) }
    }

    /// - Parameter seconds: until the next request may be let through.
    public static func rateLimited(seconds: Int) -> Refusal {
        Refusal(.rateLimited).adding("Retry-After", String(seconds))
    }

    func adding(_ name: String, _ value: String) -> Refusal {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    func allowing(_ methods: String) -> Refusal { adding("Allow", methods) }

    func closing() -> Refusal {
        var copy = self
        copy.closesConnection = true
        return copy
    }

    /// - Parameter showsReason: false where clients are told nothing of the step that failed.
    public func answer(requestID: RequestID, showsReason: Bool = true) -> Answer {
        var body = JSONObject()
        body.add("error", "\(code.text)")
        body.add("code", code.rawValue)
        if showsReason { body.add("reason", reason?.rawValue) }
        body.add("field", field.map { "\($0)" })
        body.add("requestId", requestID.description)
        var answer = Answer(status: code.status, json: body.text)
        answer.headers += headers
        if closesConnection { answer.headers.append(("Connection", "close")) }
        return answer
    }

    /// The close frame that tells it to clients that cannot read a status.
    ///
    /// Source: `appattest-gate` section 3.2.
    public var closeFrame: (code: UInt16, reason: String) {
        (code.status == 429 || code.status == 503 ? 1013 : 1008, "\(code.status) \(code.rawValue)")
    }
}
