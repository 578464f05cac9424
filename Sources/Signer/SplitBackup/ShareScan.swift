/// Shares as they are scanned: the first begins a set, and what was seen before is passed over.
///
/// A camera sees a code again and again, and a sheet of paper holds several; each text is judged once.
///
/// Source: `signer-product` section 10.3.
public struct ShareScan: Sendable {
    /// What a scanned text amounts to.
    public enum Outcome: Equatable, Sendable {
        /// A share that was not there yet.
        case added(number: UInt32)
        /// It was judged before.
        case repeated
        /// No share, or none of this set. What is there was kept.
        case refused(ShareError)
    }

    /// Texts that are remembered; who shows more has them judged anew.
    static let mostRemembered = 1024

    /// The shares that are there; nil before the first.
    public private(set) var shares: ShareSet?
    private var seen: Set<[UInt8]> = []

    /// Begins without a share.
    public init() {}

    /// Whether no further share is needed.
    public var isComplete: Bool { shares?.isComplete ?? false }

    /// Takes a text.
    ///
    /// - Parameter content: what a code or a line holds.
    public mutating func take(_ content: [UInt8]) -> Outcome {
        if seen.count >= Self.mostRemembered { seen = [] }
        guard seen.insert(content).inserted else { return .repeated }
        do throws(ShareError) {
            // Frames of films are told apart before anything is parsed.
            guard BackupShare.isPlausible(content) else { throw .jsonParsing }
            let share = try BackupShare(reading: content)
            if shares == nil { shares = try ShareSet(share) } else { try shares?.add(share) }
            return .added(number: share.number)
        } catch {
            return .refused(error)
        }
    }
}
