@_spi(Fuzzing) import Gate

extension FuzzTarget {
    /// A head as it comes over a connection: whole and in pieces.
    static let httpHead = FuzzTarget(
        name: "http-head",
        seeds: [
            "GET /chat?a=b HTTP/1.1\r\nHost: gate.example\r\nUpgrade: websocket\r\nX-Y:\t c d \r\n\r\nrest",
            "\r\nPOST /attest/register HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
        ].map { Array($0.utf8) }
    ) { bytes in
        precondition(GateParser.requestHead.holds(for: bytes))
    }

    static let httpBody = FuzzTarget(
        name: "http-body",
        seeds: ["5\r\nhello\r\n0A\r\n0123456789\r\n0\r\n\r\nGET", "1\r\na\r\n000000000000000\r\n\r\n", "\u{4}abc"].map {
            Array($0.utf8)
        }
    ) { bytes in
        precondition(GateParser.body.holds(for: bytes))
    }

    /// What Apple's service for receipts, or whoever stands in its place, answers.
    static let httpAnswer = FuzzTarget(
        name: "http-answer",
        seeds: [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nMII=", "HTTP/1.1 200 OK\r\n\r\nMII=",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nMII=\r\n0\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
        ].map { Array($0.utf8) }
    ) { bytes in
        precondition(GateParser.answer.holds(for: bytes))
    }
}
