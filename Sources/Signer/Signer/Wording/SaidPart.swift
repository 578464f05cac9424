import Substrate
import TextForms

/// A part of what is said of an answer, before a terminal or a window gives it a look of its own: both say the same in
/// the same words.
package enum SaidPart: Hashable, Sendable {
    /// How a part stands out. None of them alone carries a meaning.
    package enum Stress: Hashable, Sendable { case bold, dim, good, warning, danger }

    /// Words of this program, and names as ``ForeignName`` shows them.
    case words(String, Stress? = nil)
    /// What must not be broken: a hash, a number, a public key.
    case whole(String, Stress? = nil)
    /// A whole address with whose it is behind it.
    case account(AccountAddress, Stress? = nil)
    /// A whole address with whose it is behind it, where the vault knows that.
    case address(AccountAddress)
    case amount(AssetAmount)
    /// Text from outside.
    case text(String)
    case bytes([UInt8])
    /// The bits of a sequence, a digit each.
    case bits(String)
}

extension SaidPart {
    /// A part of an argument's value.
    package init(_ piece: ValuePiece) {
        self =
            switch piece {
            case .indentation(let depth): .words(String(repeating: "  ", count: depth))
            case .words(let words): .words(ForeignName.shown(words, as: .sentence))
            case .account(let address): .account(address)
            case .amount(let amount): .amount(amount)
            // A number has 78 digits at the most.
            case .number(let text): text.utf8.count > 78 ? .bits(text) : .words(text)
            case .text(let text): .text(text)
            case .bytes(let bytes): .bytes(bytes)
            }
    }

    /// The bits of a sequence, of which many are told by their number and hash.
    package static func line(ofBits bits: String) -> [SaidPart] {
        let shown = 256
        guard bits.utf8.count > shown else { return [.whole(bits)] }
        return [
            .whole(String(decoding: bits.utf8.prefix(shown), as: UTF8.self) + "…"),
            .words(" all of it: \(bits.utf8.count) bits, as digits BLAKE2b-256 ", .dim),
            .whole("0x" + Blake2b.hash256(Array(bits.utf8)).hex, .dim),
        ]
    }

    /// What stands for bytes that are not all shown.
    package static func whole(of bytes: [UInt8]) -> [SaidPart] {
        [
            .words("all of it: \(bytes.count) bytes, BLAKE2b-256 ", .dim),
            .whole("0x" + Blake2b.hash256(bytes).hex, .dim),
        ]
    }
}
