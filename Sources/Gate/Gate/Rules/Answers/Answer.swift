internal import NIOHTTP1

/// A whole answer, ready to be written.
struct Answer: Sendable {
    let status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    private static let safeguards = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]

    init(status: Int, json: String) {
        self.init(status: status, contentType: "application/json", text: json)
    }

    /// An answer without a body.
    init(status: Int, headers: [(String, String)]) {
        self.status = status
        self.headers = HTTPHeaders(headers + [("Cache-Control", "no-store")])
        body = []
    }

    /// - Parameter text: what no browser is to take for anything but its type.
    init(status: Int, contentType: String, text: String) {
        self.status = status
        headers = HTTPHeaders([("Content-Type", contentType)] + Self.safeguards)
        body = Array(text.utf8)
    }

    /// The same answer without its body, as HEAD is answered.
    func withoutBody(_ isHead: Bool = true) -> Answer {
        guard isHead else { return self }
        var copy = self
        copy.body = []
        return copy
    }
}
