internal import NIOCore

extension ByteBuffer {
    /// Writes an answer as HTTP/1.1 has it.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with it.
    ///   - isHead: whether the request was HEAD, to which no body goes.
    mutating func write(_ answer: Answer, closes: Bool, isHead: Bool = false) {
        writeString("HTTP/1.1 \(answer.status) \(Self.phrase(answer.status))\r\n")
        for (name, value) in answer.headers where name != "Connection" { writeField(name, value) }
        if answer.status != 204 { writeField("Content-Length", String(answer.body.count)) }
        writeField("Connection", closes ? "close" : "keep-alive")
        writeString("\r\n")
        if !isHead { writeBytes(answer.body) }
    }

    mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }

    private static func phrase(_ status: Int) -> StaticString {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Unknown"
        }
    }
}
