/// Plays a case against a server, whatever carries the bytes: it says what to do, and is told what came.
///
///     let verdict = try await WebSocketPlay.play(row, send: socket.write, receive: socket.read)
package struct WebSocketPlay {
    package enum Request: Hashable, Sendable {
        /// A connection that does not take it has ended.
        case send([UInt8])
        /// Wait until something comes, at most so long.
        case receive(Duration)
        case done(Verdict)
    }

    package enum Received: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing came for as long as was asked.
        case quiet
        case ended
    }

    package enum Verdict: Hashable, Sendable {
        case strict
        /// One of the forms that a case tolerates.
        case tolerated
        case failed(String)
    }

    private let row: WebSocketCase
    private let pause: Duration
    private let patience: Duration
    private var move = 0
    private var isQuiet = false
    private var stream = ServerStream()
    private var hasEnded = false

    /// - Parameters:
    ///   - pause: how long the client rests where the case says so.
    ///   - patience: how long it waits for what is due.
    package init(_ row: WebSocketCase, pause: Duration = .milliseconds(300), patience: Duration = .seconds(5)) {
        (self.row, self.pause, self.patience) = (row, pause, patience)
    }

    package mutating func next() -> Request {
        while move < row.moves.count {
            switch row.moves[move] {
            case .send(let bytes):
                advance()
                if !isOver { return .send(bytes) }
            case .settle:
                guard isQuiet || isOver || stream.items == row.strict else { return .receive(patience) }
                advance()
            case .giveUp:
                let isSettled = row.doesClientCloseFirst && stream.items == row.strict
                guard isQuiet || isOver || isSettled else { return .receive(patience) }
                advance()
            case .pause(let tag):
                guard isQuiet || isOver else { return .receive(pause) }
                if let tag, !isOver { stream.items.append(.stillOpen(tag: tag)) }
                advance()
            }
        }
        return isQuiet || isOver ? .done(verdict) : .receive(patience)
    }

    package mutating func received(_ received: Received) {
        switch received {
        case .bytes(let bytes): stream.read(bytes)
        case .quiet: isQuiet = true
        case .ended: hasEnded = true
        }
    }

    /// Whether the server's part is over: behind a close frame nothing comes that counts.
    private var isOver: Bool { hasEnded || stream.closeCode != nil || stream.fault != nil }

    private mutating func advance() {
        move += 1
        isQuiet = false
    }

    private var verdict: Verdict {
        if let fault = stream.fault { return .failed("the server's bytes are wrong: \(fault)") }
        if let code = stream.closeCode, !row.isInformational, !row.closeCodes.contains(code) {
            return .failed("closed with \(code), expected one of \(row.closeCodes.sorted())")
        }
        if stream.items == row.strict { return .strict }
        if row.tolerated.contains(stream.items) { return .tolerated }
        return .failed("expected \(row.strict.map(\.summary)), received \(stream.items.map(\.summary))")
    }
}

extension WebSocketPlay {
    /// Plays a case to its end over closures that do not wait.
    package static func play(
        _ row: WebSocketCase, send: ([UInt8]) throws -> Void, receive: (Duration) throws -> Received
    ) rethrows -> Verdict {
        var play = WebSocketPlay(row)
        while true {
            switch play.next() {
            case .send(let bytes): try send(bytes)
            case .receive(let time): play.received(try receive(time))
            case .done(let verdict): return verdict
            }
        }
    }

    /// Plays a case to its end over a connection.
    package static func play(
        _ row: WebSocketCase, pause: Duration = .milliseconds(300), patience: Duration = .seconds(5),
        send: ([UInt8]) async throws -> Void, receive: (Duration) async throws -> Received
    ) async rethrows -> Verdict {
        var play = WebSocketPlay(row, pause: pause, patience: patience)
        while true {
            switch play.next() {
            case .send(let bytes): try await send(bytes)
            case .receive(let time): play.received(try await receive(time))
            case .done(let verdict): return verdict
            }
        }
    }
}

extension WebSocketCase.Item {
    /// What the item is, in few words for a message.
    var summary: String {
        switch self {
        case .message(let bytes, let isBinary): "\(isBinary ? "binary" : "text") of \(bytes.count) bytes"
        case .pong(let bytes): "pong of \(bytes.count) bytes"
        case .stillOpen(let tag): "open at \(tag)"
        }
    }
}
