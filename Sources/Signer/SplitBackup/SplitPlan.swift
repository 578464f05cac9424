import TextForms

/// Into how many shares a secret is split, and how many of them recover it.
///
/// Source: `signer-product` section 10.2.
public struct SplitPlan: Equatable, Sendable {
    public static let mostShards = 255
    /// Characters of a title, as Unicode scalars.
    public static let longestTitle = 64
    /// Characters of what is split, as Unicode scalars.
    package static let longestSecret = 1024

    public let total: Int
    public let required: Int

    /// What is proposed: 2 of 3.
    public static let proposed = SplitPlan(proposedTotal: 3)

    /// - Parameters:
    ///   - total: at most 255.
    ///   - required: 2 to `total`; nil for the proposal, one more than half.
    /// - Throws: ``ShareError/splitLimits(_:)``.
    public init(total: Int, required: Int? = nil) throws(ShareError) {
        let plan = SplitPlan(proposedTotal: total)
        self.total = total
        self.required = required ?? plan.required
        guard total <= Self.mostShards, self.required >= 2, self.required <= total else {
            throw .splitLimits(.shards(total: total, required: self.required))
        }
    }

    /// The title that is proposed for what has a name, which may be longer than a title: as many of its characters as
    /// fit, none of them cut apart unless the first does not fit.
    package static func title(for name: String) -> String {
        var title = ""
        var length = 0
        for character in name {
            length += character.unicodeScalars.count
            guard length <= longestTitle else { break }
            title.append(character)
        }
        return title.isEmpty ? name.cut(to: longestTitle) : title
    }

    private init(proposedTotal total: Int) {
        self.total = total
        required = total / 2 + 1
    }
}
