import Airgap
import Signer
import TextForms

/// What codes say that a wallet scans.
package struct CodeData: Sendable, Encodable {
    /// The content as it is cut into codes.
    package var content: [UInt8]
    /// Whether it is shown as a moving code whatever its size.
    package var isMoving: Bool
    /// The content as text, where it is text.
    package var text: String?

    init(single text: String) {
        content = Array(text.utf8)
        isMoving = false
        self.text = text
    }

    init(single content: [UInt8]) {
        self.content = content
        isMoving = false
    }

    init(moving content: [UInt8]) {
        self.content = content
        isMoving = true
    }

    init(_ answer: SignedAnswer) {
        self = answer.signatures.count == 1 ? CodeData(single: answer.text) : CodeData(moving: answer.bulk)
    }

    /// The codes to be drawn.
    package func codes() throws(TransferError) -> TransferSender {
        // Who scans an answer knows what it is, and takes its bytes as they are.
        isMoving ? try .phone(content) : try .whole(content)
    }

    private enum Key: String, CodingKey { case content, isMoving, text }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Hex.encode(content), forKey: .content)
        try container.encode(isMoving, forKey: .isMoving)
        try container.encodeIfPresent(text, forKey: .text)
    }
}
