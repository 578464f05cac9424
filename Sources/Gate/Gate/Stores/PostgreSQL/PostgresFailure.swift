/// Why a statement brought no result, as far as it matters for what is done next.
enum PostgresFailure: Error {
    /// There is no connection, and the statement did not go out.
    case notSent(String)
    /// The statement went out and no answer came: it may have been done or not.
    case noAnswer(String)
    /// The server refused it; nothing was done. `state` is its SQLSTATE, five characters.
    case refused(state: String)
    /// The statement cannot be sent at all.
    case unsendable(StoreError)

    /// Serialization failures and deadlocks: the server rolled back, and the whole statement may be tried again.
    /// CockroachDB's "restart transaction" has the first of them.
    var isConflict: Bool {
        if case .refused(let state) = self { ["40001", "40P01"].contains(state) } else { false }
    }

    /// The connection is not what it was: a prepared statement is gone or outdated, or the server became a read-only
    /// replica.
    var needsNewConnection: Bool {
        switch self {
        case .notSent, .noAnswer: true
        case .refused(let state): ["26000", "0A000", "25006"].contains(state) || state.hasPrefix("57P")
        case .unsendable: false
        }
    }

    /// The server has no such feature or function, or does not let the gate use it: asking again changes nothing.
    var isLasting: Bool {
        if case .refused(let state) = self { state.hasPrefix("0A") || state.hasPrefix("42") } else { false }
    }

    /// Whether nothing was done for certain, so that a new connection may try again.
    var isWithoutEffect: Bool {
        switch self {
        case .notSent: true
        case .refused(let state): ["26000", "0A000"].contains(state)
        case .noAnswer, .unsendable: false
        }
    }

    /// What happened, in words.
    var reason: String {
        switch self {
        case .notSent(let why), .noAnswer(let why): why
        case .refused(let state): "SQLSTATE \(state)"
        case .unsendable(let error): "\(error)"
        }
    }

    /// The store's error for this failure. The server's own words stay out of it: they may quote a record.
    func storeError(during name: String) -> StoreError {
        switch self {
        case .notSent(let why), .noAnswer(let why): .unavailable("PostgreSQL: \(why)")
        case .refused(state: "57014"): .unavailable("PostgreSQL did not do \(name) in its time")
        case .refused(let state) where state.hasPrefix("42"):
            .refused("PostgreSQL does not let the gate do \(name) (SQLSTATE \(state))")
        case .refused(let state): .unavailable("PostgreSQL did not do \(name) (SQLSTATE \(state))")
        case .unsendable(let error): error
        }
    }

    /// libpq's account of a failed connection without what it quotes: names of users, hosts and databases, and pieces
    /// of a connection string that was read wrongly.
    static func withoutQuotations(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).first ?? "no connection"
        let end = line.firstRange(of: " failed: ")?.upperBound ?? line.startIndex
        let tail = line[end...].prefix(200)
        guard let first = tail.firstIndex(of: "\""), let last = tail.lastIndex(of: "\"") else { return String(tail) }
        // A quotation that does not end goes on to the end of the line.
        let isEven = tail.count { $0 == "\"" }.isMultiple(of: 2)
        return tail[..<first] + "…" + (isEven ? tail[tail.index(after: last)...] : "")
    }
}
