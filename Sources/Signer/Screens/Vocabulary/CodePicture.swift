import Airgap
import SecretMemory
import SignerCore

/// Codes to be shown to a wallet.
package struct CodePicture: Sendable {
    /// Where what the codes say comes from.
    package enum Source: Sendable {
        case open(CodeData)
        /// Text that is a secret, in one code. It is hidden after a while, and where nobody looks.
        case secret(ShownSecret)
    }

    package var source: Source
    /// What it is, for those who cannot see it.
    package var label: Text

    /// Whether who sees it has a key: such a code is drawn in a colour that no other one has.
    package var givesKey: Bool

    package init(_ source: Source, label: Text, givesKey: Bool = false) {
        (self.source, self.label, self.givesKey) = (source, label, givesKey)
    }

    package var isSecret: Bool { if case .secret = source { true } else { false } }

    /// The codes to be drawn. Those of a secret are a copy of it, to be let go of with the picture.
    package func codes() throws(TransferError) -> TransferSender {
        switch source {
        case .open(let code): try code.codes()
        case .secret(let secret): try TransferSender(secret.bytes.withUnsafeBytes { Array($0) })
        }
    }
}

extension CodePicture: Hashable {
    package static func == (left: CodePicture, right: CodePicture) -> Bool {
        switch (left.source, right.source) {
        case (.open(let one), .open(let other)):
            one.content == other.content && one.isMoving == other.isMoving && left.label == right.label
        case (.secret(let one), .secret(let other)):
            one == other && left.label == right.label && left.givesKey == right.givesKey
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}
