internal import AppAttest
internal import NIOHTTP1
internal import WebSocketFrames

/// A no, with what belongs to its answer.
struct Refusal: Error, Sendable {
    let code: RefusalCode
    /// Which step of the verification failed.
    let reason: AppAttestError.Code?
    /// The member or header that is at fault.
    let field: StaticString?
    private(set) var headers = HTTPHeaders()
    /// Whether the connection has to be closed behind the answer.
    private(set) var closesConnection = false

    /// How long clients are asked to stay away from a gate that cannot serve them.
    static let retryTime = Duration.seconds(5)

    init(_ code: RefusalCode, reason: AppAttestError.Code? = nil, field: StaticString? = nil) {
        self.code = code
        self.reason = reason
        self.field = field
        if code == .operatorTokenRequired {
            headers.add(name: "WWW-Authenticate", value: #"Bearer realm="gate-admin""#)
        } else if code.status == 401 {
            headers.add(name: "WWW-Authenticate", value: #"AppAttest realm="gate""#)
        }
        if code.status == 503 { headers.add(name: "Retry-After", value: String(Self.retryTime.wholeSeconds)) }
    }

    /// - Parameter time: after which the next request may be let through.
    static func rateLimited(retryAfter time: Duration) -> Refusal {
        Refusal(.rateLimited).adding("Retry-After", value: String(time.wholeSeconds))
    }

    func adding(_ name: String, value: String) -> Refusal {
        var copy = self
        copy.headers.add(name: name, value: value)
        return copy
    }

    func allowing(_ methods: String) -> Refusal { adding("Allow", value: methods) }

    func closing() -> Refusal {
        var copy = self
        copy.closesConnection = true
        return copy
    }

    /// - Parameter showsReason: false where clients are told nothing of the step that failed.
    func answer(requestID: RequestID, showsReason: Bool = true) -> Answer {
        var body = JSONObject()
        body.add("error", "\(code.text)")
        body.add("code", code.rawValue)
        if showsReason { body.add("reason", reason?.rawValue) }
        body.add("field", field.map { "\($0)" })
        body.add("requestId", requestID.description)
        var answer = Answer(status: code.status, json: body.text)
        answer.headers.add(contentsOf: headers)
        if closesConnection { answer.headers.add(name: "Connection", value: "close") }
        return answer
    }

    /// What a close frame tells clients that cannot read a status.
    ///
    /// Source: `appattest-gate` section 3.2.
    var closePayload: ClosePayload {
        ClosePayload(
            code.status == 429 || code.status == 503 ? .tryAgainLater : .policyViolation,
            reason: "\(code.status) \(code.rawValue)")
    }
}
