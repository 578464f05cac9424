/// What would help a scan along. The words stay the same for as long as the advice does.
package enum ScanAdvice: String, Hashable, Sendable, CaseIterable {
    case pointAtCode, moreLight, lessLight, moveCloser, holdStill, oneCodeOnly, otherTransfer, nothingNew
}

extension ScanAdvice: CustomStringConvertible {
    /// What to do.
    package var description: String {
        switch self {
        case .pointAtCode: "No code is seen. Hold the whole code before the camera, with its white border."
        case .moreLight: "It is too dark. Make the screen brighter, or turn on a light."
        case .lessLight: "It is too bright. Mind reflections, or make the screen darker."
        case .moveCloser: "The code is too small. Move closer."
        case .holdStill: "Codes are missed. Hold still, straight before the screen."
        case .oneCodeOnly: "There are several codes. Show one at a time."
        case .otherTransfer: "These codes do not belong to those before. Start again to read them."
        case .nothingNew: "The same codes come again and again. Let them move on, or show them slower."
        }
    }
}

/// Chooses advice that does not flicker: another one is shown once it was right for a while, and each is shown for long
/// enough to be read.
struct SteadyAdvice {
    private(set) var shown: ScanAdvice?
    private var shownSince = Duration.zero
    private var candidate: ScanAdvice?
    private var candidateSince = Duration.zero

    private static let proof = Duration.milliseconds(800)
    private static let readingTime = Duration.seconds(2)

    /// - Parameters:
    ///   - advice: what the newest pictures ask for.
    ///   - now: since the scan began.
    mutating func consider(_ advice: ScanAdvice?, at now: Duration) {
        if advice != candidate { (candidate, candidateSince) = (advice, now) }
        guard candidate != shown, now - candidateSince >= Self.proof else { return }
        guard shown == nil || now - shownSince >= Self.readingTime else { return }
        (shown, shownSince) = (candidate, now)
    }
}
