import StrictJSON

/// Questions and answers of JSON-RPC 2.0.
///
/// An answer is outside text: it is read strictly and within bounds, and anything in it that was not asked for is
/// refused.
enum JSONRPC {
    /// Values of an answer at the most: a network's properties may hold some hundred tokens.
    private static let valueLimit = 10_000
    private static let depthLimit = 8
    /// Characters of a node's own words that are shown.
    private static let messageLimit = 200

    /// What a node has sent.
    enum Message: Equatable {
        case answer(id: JSON, JSON)
        case refusal(id: JSON, code: Int, message: String)
        case notification(subscription: JSON, JSON)
    }

    /// The text of a question.
    static func question(id: Int, _ method: String, _ parameters: [JSON]) -> [UInt8] {
        let members: [JSON.Member] = [
            .init(name: "jsonrpc", value: .string("2.0")), .init(name: "id", value: .integer(id)),
            .init(name: "method", value: .string(method)), .init(name: "params", value: .array(parameters)),
        ]
        return JSON.object(members).utf8()
    }

    /// Reads what a node has sent.
    ///
    /// - Parameters:
    ///   - limit: bytes at the most.
    ///   - method: the question, for messages.
    static func message(_ bytes: [UInt8], limit: Int, method: String) throws(NodeError) -> Message {
        let json: JSON
        do throws(JSONError) {
            json = try JSONReader(maximumDepth: depthLimit, maximumBytes: limit, maximumValues: valueLimit).read(bytes)
        } catch {
            throw .malformedAnswer(method: method, reason: "\(error)")
        }
        guard json["jsonrpc"]?.string == "2.0" else {
            throw .malformedAnswer(method: method, reason: "it is no JSON-RPC 2.0")
        }
        guard let id = json["id"] else {
            guard let parameters = json["params"], let subscription = parameters["subscription"],
                let result = parameters["result"]
            else { throw .malformedAnswer(method: method, reason: "it has no id") }
            return .notification(subscription: subscription, result)
        }
        switch (json["result"], json["error"]) {
        case (let result?, nil): return .answer(id: id, result)
        case (nil, let error?):
            guard let code = error["code"]?.integer, let message = error["message"]?.string else {
                throw .malformedAnswer(method: method, reason: "its error has no code and message")
            }
            return .refusal(id: id, code: code, message: message.cut(to: messageLimit))
        default: throw .malformedAnswer(method: method, reason: "it has neither a result nor an error, or both")
        }
    }

    /// The result of an answer to a question.
    static func result(_ message: Message, id expected: Int, method: String) throws(NodeError) -> JSON {
        switch message {
        case .answer(let id, let result):
            try check(id, is: expected, method)
            return result
        case .refusal(let id, let code, let message):
            // Whoever cannot read a question does not know its number.
            if id != .null { try check(id, is: expected, method) }
            throw .refused(method: method, code: code, message: message)
        case .notification: throw .malformedAnswer(method: method, reason: "it is to no question")
        }
    }

    private static func check(_ id: JSON, is expected: Int, _ method: String) throws(NodeError) {
        guard id == .integer(expected) else {
            throw .wrongID(method: method, expected: expected, found: id.text().cut(to: 40))
        }
    }
}
