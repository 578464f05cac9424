/// An answer of HTTP/1.1.
package struct HTTPReply: Equatable, Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package var body: [UInt8] = []

    package static func == (left: HTTPReply, right: HTTPReply) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.map(\.name) == right.headers.map(\.name)
            && left.headers.map(\.value) == right.headers.map(\.value)
    }

    /// All values of a field, whatever the case of its name.
    package subscript(name: String) -> [String] {
        headers.filter { $0.name == name.lowercased() }.map(\.value)
    }

    var contentLength: Int { self["content-length"].first.flatMap { Int($0) } ?? 0 }

    static let maximumHeadBytes = 65_536

    /// Takes the head off the front of `bytes`.
    ///
    /// - Returns: nil while it is not complete.
    static func head(takingFrom bytes: inout [UInt8]) throws(TrialFailure) -> HTTPReply? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard bytes.count <= maximumHeadBytes else { throw .notHTTP }
            return nil
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        bytes.removeSubrange(..<end.upperBound)
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .notHTTP }
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
            return (parts[0].lowercased(), String(value))
        }
        return HTTPReply(status: status, headers: headers)
    }
}
