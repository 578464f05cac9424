import Substrate
import TextForms

/// Whose an account is: it stands beside the whole address, and never in its place.
package enum AccountMark: Hashable, Sendable {
    /// A contact, by its name.
    case contact(String)
    /// A key of this vault, by its seed and path.
    case own(String)
    /// Neither.
    case unknown

    package init(of address: AccountAddress, in keys: OwnKeys) {
        if let name = keys.contactName(of: address) {
            self = .contact(name)
        } else {
            self = keys.name(of: address).map { .own($0) } ?? .unknown
        }
    }

    /// The mark with the name, where that is not plain in quotes.
    package var words: String {
        switch self {
        case .contact(let name): "contact: \(ForeignName.shown(name, as: .title))"
        case .own(let name): "yours: \(ForeignName.shown(name, as: .title))"
        case .unknown: "unknown"
        }
    }

    package var isKnown: Bool { self != .unknown }
}
