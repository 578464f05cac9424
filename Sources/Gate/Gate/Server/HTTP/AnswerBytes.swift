internal import NIOCore
internal import NIOHTTP1

extension ByteBuffer {
    /// Writes an answer as HTTP/1.1 has it.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with it.
    ///   - isHead: whether the request was HEAD, to which no body goes.
    mutating func write(_ answer: Answer, closes: Bool, isHead: Bool = false) {
        let phrase = HTTPResponseStatus(statusCode: answer.status).reasonPhrase
        writeString("HTTP/1.1 \(answer.status) \(phrase)\r\n")
        for (name, value) in answer.headers where name != "Connection" { writeField(name, value: value) }
        if answer.status != 204 { writeField("Content-Length", value: String(answer.body.count)) }
        writeField("Connection", value: closes ? "close" : "keep-alive")
        writeString("\r\n")
        if !isHead { writeBytes(answer.body) }
    }

    mutating func writeField(_ name: String, value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
