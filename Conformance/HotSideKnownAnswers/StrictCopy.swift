import Foundation
import KnownAnswers
import StrictJSON

/// Known answers as the values that programs read.
enum StrictCopy {
    /// - Returns: `null` for what is no JSON, which no known answer is.
    static func of(_ content: KnownAnswers.JSON) -> StrictJSON.JSON {
        guard let text = try? JSONEncoder().encode(content) else { return .null }
        return (try? JSONReader().read(Array(text))) ?? .null
    }
}
