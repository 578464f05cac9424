import StrictJSON
import Substrate
import TextForms

/// How far a transaction has come.
public enum SubmissionStep: Hashable, Sendable {
    /// The node has it, and says no more.
    case accepted(hash: String)
    /// It waits with the node, as the node calls it.
    case waiting(String)
    /// It is in a block, which may still go.
    case inBlock(hash: String)
    /// It is in a block that was not final for so long that the node follows it no further.
    case notFinalYet(hash: String)
    /// It is in a block that stays.
    case finalized(hash: String)

    /// Reads a `TransactionStatus`.
    ///
    /// - Parameter transaction: its hash, for errors.
    init(_ status: JSON, of transaction: String) throws(NodeError) {
        if let hash = status["finalized"]?.string {
            self = .finalized(hash: try Self.hash(hash, from: "a subscription"))
        } else if let hash = status["finalityTimeout"]?.string {
            self = .notFinalYet(hash: try Self.hash(hash, from: "a subscription"))
        } else if let hash = status["inBlock"]?.string {
            self = .inBlock(hash: try Self.hash(hash, from: "a subscription"))
        } else if let word = status.string, ["future", "ready"].contains(word) {
            self = .waiting(word)
        } else if status["broadcast"] != nil {
            self = .waiting("broadcast")
        } else if status["retracted"] != nil {
            self = .waiting("retracted")
        } else {
            let text = (status.string ?? status.text()).cut(to: 80)
            guard ["invalid", "dropped"].contains(text) || status["usurped"] != nil else {
                throw .malformedAnswer(method: "a subscription", reason: "it tells no status: \(text)")
            }
            throw .transactionDropped(hash: transaction, status: text)
        }
    }

    /// A hash as a node writes it, and nothing else: it is shown as it is.
    static func hash(_ text: String, from method: String) throws(NodeError) -> String {
        guard text.hasPrefix("0x"), let bytes = Hex.decode(text), bytes.count == Hash256.byteCount else {
            throw .malformedAnswer(method: method, reason: "it is no hash")
        }
        return "0x" + Hex.encode(bytes)
    }

    /// Whether the node says no more.
    var isLast: Bool {
        switch self {
        case .finalized, .notFinalYet: true
        case .accepted, .waiting, .inBlock: false
        }
    }

    /// For people.
    package var text: String {
        switch self {
        case .accepted(let hash): "the node has it: \(hash)"
        case .waiting(let word): "waiting: \(word)"
        case .inBlock(let hash): "in block \(hash)"
        case .notFinalYet(let hash): "in block \(hash), which was not final when the node followed it no further"
        case .finalized(let hash): "final in block \(hash)"
        }
    }
}
