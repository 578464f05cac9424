import Substrate
import TextForms

/// How much is shown of text and bytes from outside where all of it counts; what is longer is told by its size and hash
/// behind that, and is a risk.
extension ForeignText.Limits {
    /// Limits of a message, which is all that is signed.
    package static let message = ForeignText.Limits(characters: 16_384, lines: 1_024)
    /// Limits of a text among a call's values in full.
    package static let argument = ForeignText.Limits(characters: 4_096, lines: 256)

    /// Bytes of a message that is no text.
    package static let messageByteCount = 4_096

    /// Whether the end of a text may be shown nowhere: on the narrowest screen it is not.
    package func cuts(_ text: String) -> Bool {
        ForeignText(text).block(width: ForeignText.leastWidth, limits: self).isCut
    }
}

extension HiddenText {
    /// Whether a card is a text that goes on behind what is shown of it.
    static func isCut(_ card: Card) -> Bool {
        switch card.kind {
        case .text(let text), .bytes(_, let text?): ForeignText.Limits.argument.cuts(text)
        default: false
        }
    }
}
