import Foundation

/// What makes texts that people take for the same find one another. The choice belongs to the column.
public enum TextNormalisation: Sendable {
    case exact
    /// Folds the letters `A` to `Z` only.
    case asciiLowercase
    /// Applies Unicode's compatibility composition and folds letter case.
    case compatibilityCaseFold

    func callAsFunction(_ text: String) -> String {
        switch self {
        case .exact: text
        case .asciiLowercase:
            String(
                decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        case .compatibilityCaseFold:
            text.precomposedStringWithCompatibilityMapping.folding(options: .caseInsensitive, locale: nil)
                .precomposedStringWithCompatibilityMapping
        }
    }
}
