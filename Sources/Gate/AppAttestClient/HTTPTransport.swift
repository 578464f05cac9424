/// A request to the gate.
public struct GateRequest: Equatable, Sendable {
    /// The method, `GET` or `POST`.
    public let method: String
    /// The path, for example `/attest/challenge`.
    public let path: String
    /// Header fields by their names.
    public let fields: [String: String]
    /// The body, sent as `application/json`; nil for no body.
    public let body: [UInt8]?

    package init(method: String, path: String, fields: [String: String] = [:], body: [UInt8]? = nil) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }
}

/// What the gate answers.
public struct GateAnswer: Equatable, Sendable {
    /// The status of the answer.
    package let status: Int
    /// The value of `Retry-After`, where there is one.
    package let retryAfter: Duration?
    /// The body, of which the first 4 KiB are read.
    package let body: [UInt8]

    /// An answer as it came.
    public init(status: Int, retryAfter: Duration? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Carries requests to one gate.
public protocol HTTPTransport: Sendable {
    /// - Throws: if no answer came, whatever the reason.
    func send(_ request: GateRequest) async throws -> GateAnswer
}

#if canImport(Darwin)
    import Foundation

    /// Carries requests by `URLSession`.
    public struct URLSessionTransport: HTTPTransport {
        private let gate: URL
        private let session: URLSession

        /// Carries requests to a gate.
        ///
        /// - Parameter gate: for example `https://gate.example`.
        public init(gate: URL, session: URLSession = .shared) {
            self.gate = gate
            self.session = session
        }

        /// Sends a request, past every cache.
        public func send(_ request: GateRequest) async throws -> GateAnswer {
            var message = URLRequest(url: gate.appending(path: request.path))
            message.httpMethod = request.method
            message.cachePolicy = .reloadIgnoringLocalCacheData
            for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
            if let body = request.body {
                message.httpBody = Data(body)
                message.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            let (body, response) = try await session.data(for: message)
            let head = response as? HTTPURLResponse
            return GateAnswer(
                status: head?.statusCode ?? 0,
                retryAfter: head?.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds($0) },
                body: Array(body))
        }
    }
#endif
