/// A whole answer, ready to be written.
public struct Answer: Sendable {
    public let status: Int
    public internal(set) var headers: [HeaderFields.Field]
    public internal(set) var body: [UInt8]

    private static let ofJSON: [HeaderFields.Field] = [
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    public init(status: Int, json: String) {
        self.status = status
        body = Array(json.utf8)
        headers = Self.ofJSON
    }

    /// An answer without a body.
    init(status: Int, headers: [HeaderFields.Field]) {
        self.status = status
        self.headers = headers + [("Cache-Control", "no-store")]
        body = []
    }

    /// - Parameter text: plain text that no browser is to take for anything else.
    init(status: Int, contentType: String, text: String) {
        self.status = status
        headers = [("Content-Type", contentType)] + Self.ofJSON.dropFirst()
        body = Array(text.utf8)
    }

    /// The same answer without its body, as HEAD is answered.
    public func withoutBody(_ isHead: Bool = true) -> Answer {
        guard isHead else { return self }
        var copy = self
        copy.body = []
        return copy
    }
}
