/// Why a node gave no answer that can be used. Nothing was written.
public enum NodeError: Error, Hashable, Sendable {
    /// The address cannot be used.
    case badAddress(String, reason: String)
    /// The address leads to another machine without TLS.
    case plainConnection(host: String)
    /// The node cannot be reached, or its certificate is not trusted.
    case unreachable(url: String, reason: String)
    /// The node took longer than it may.
    case timedOut(url: String, seconds: Int, step: Step)
    /// The node ended the connection.
    case closed(url: String)
    /// An answer, or the frames of one, are larger than is read.
    case answerTooLarge(url: String, limit: Int)
    /// An answer is no JSON-RPC.
    case malformedAnswer(method: String, reason: String)
    /// An answer is to a question that was not asked.
    case wrongID(method: String, expected: Int, found: String)
    /// The node refused the question.
    case refused(method: String, code: Int, message: String)
    /// A block hash is none.
    case unexpectedBlockHashFormat(found: String)
    /// A genesis hash is none.
    case unexpectedGenesisHashFormat(found: String)
    /// Metadata are not hex.
    case unexpectedMetadataFormat(found: String)
    /// The network's properties are no object.
    case unexpectedSystemPropertiesFormat(found: String)
    /// The runtime's version is none.
    case unexpectedRuntimeVersionFormat(found: String)
    /// The node's runtime does not describe itself in the format that is asked for.
    case metadataFormatNotOffered(wanted: UInt32, offered: [UInt32])
    /// Metadata came in another format than was asked for.
    case otherMetadataFormat(wanted: UInt32, found: UInt8)
    /// The node names another genesis than it did before, or than is stored.
    case genesisHashChanged(expected: String, found: String)
    /// Two nodes of a network tell different things of it.
    case nodesDisagree(about: String, first: String, second: String)
    /// The node has given up a transaction that it had; others may have it.
    case transactionDropped(hash: String, status: String)
    /// What became of a transaction is not known: the node was given it, and told no end.
    case transactionUncertain(hash: String, last: SubmissionStep?, reason: String)

    /// What a node was waited for.
    public enum Step: String, Sendable {
        /// The connection.
        case connection = "connect"
        /// The answer to a question.
        case answer = "answer"
    }

    /// The stable name of the error.
    public var code: String {
        switch self {
        case .badAddress: "BadAddress"
        case .plainConnection: "PlainConnection"
        case .unreachable: "Unreachable"
        case .timedOut: "TimedOut"
        case .closed: "ConnectionClosed"
        case .answerTooLarge: "AnswerTooLarge"
        case .malformedAnswer: "MalformedAnswer"
        case .wrongID: "WrongID"
        case .refused: "NodeRefused"
        case .unexpectedBlockHashFormat: "UnexpectedBlockHashFormat"
        case .unexpectedGenesisHashFormat: "UnexpectedGenesisHashFormat"
        case .unexpectedMetadataFormat: "UnexpectedMetadataFormat"
        case .unexpectedSystemPropertiesFormat: "UnexpectedSystemPropertiesFormat"
        case .unexpectedRuntimeVersionFormat: "UnexpectedRuntimeVersionFormat"
        case .metadataFormatNotOffered: "MetadataFormatNotOffered"
        case .otherMetadataFormat: "OtherMetadataFormat"
        case .genesisHashChanged: "GenesisHashChanged"
        case .nodesDisagree: "NodesDisagree"
        case .transactionDropped: "TransactionDropped"
        case .transactionUncertain: "TransactionUncertain"
        }
    }
}

extension NodeError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .badAddress(let text, let reason): "\(text) is not taken as a node's address: \(reason)."
        case .plainConnection(let host):
            "The connection to \(host) would not be protected, and anybody on the way could answer. Use wss:// or https://, or allow it: "
                + "--allow-plain"
        case .unreachable(let url, let reason): "\(url) cannot be reached: \(reason)."
        case .timedOut(let url, let seconds, let step):
            "\(url) did not \(step.rawValue) within \(seconds) seconds. Try another node of the network."
        case .closed(let url): "\(url) ended the connection before it answered. Try again, or another node."
        case .answerTooLarge(let url, let limit):
            "\(url) answers with more than \(limit) bytes, which no honest answer needs."
        case .malformedAnswer(let method, let reason): "The answer to \(method) cannot be used: \(reason)."
        case .wrongID(let method, let expected, let found):
            "The answer to \(method) is to another question: its id is \(found), and \(expected) was asked."
        case .refused(let method, let code, let message): "The node refused \(method): \(message) (\(code))."
        case .unexpectedBlockHashFormat(let found): "The node gives a block hash that is none: \(found)."
        case .unexpectedGenesisHashFormat(let found): "The node gives a genesis hash that is none: \(found)."
        case .unexpectedMetadataFormat(let found): "The node gives metadata that are none: \(found)."
        case .unexpectedSystemPropertiesFormat(let found): "The node gives properties that are none: \(found)."
        case .unexpectedRuntimeVersionFormat(let found): "The node gives a runtime version that is none: \(found)."
        case .metadataFormatNotOffered(let wanted, let offered):
            "The runtime does not describe itself in metadata \(wanted), but in \(offered.map(String.init).joined(separator: ", ")). Choose "
                + "one of them: --metadata-format"
        case .otherMetadataFormat(let wanted, let found): "Metadata \(wanted) were asked for, and \(found) came."
        case .genesisHashChanged(let expected, let found):
            "The node is of another network: its genesis is \(found), and \(expected) is expected. Nothing was stored."
        case .nodesDisagree(let subject, let first, let second):
            "The two nodes tell different things about \(subject): \(first) and \(second). One of them lies, or is behind. Nothing was stored."
        case .transactionDropped(let hash, let status):
            "The node has given up the transaction: \(status). It was handed over, and may be in a block by way of others; look for \(hash) "
                + "before making another."
        case .transactionUncertain(let hash, let last, let reason):
            "What became of the transaction is not known: \(reason)\(last.map { ", last heard: \($0.text)" } ?? ""). It was handed over, and may be "
                + "in a block; look for \(hash) before making another."
        }
    }
}
