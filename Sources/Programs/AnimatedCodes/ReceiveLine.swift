import BasicFoundation
import Console

/// A line on standard error that says how reading goes: codes of those needed, pictures and codes a second, the time
/// left.
package struct ReceiveLine {
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now
    private var isShown = false

    package init() {}

    /// What was seen so far.
    package struct Counts {
        package var pictures: Int
        package var codes: Int
        package var refused: Int
        /// Different parts, and how many it takes; nil before the first.
        package var parts: (distinct: Int, needed: Int)?

        /// The part of what the film may cost that is spent, 0 to 1; nil where there is no film.
        package var spentShare: Double?

        package init(
            pictures: Int, codes: Int, refused: Int, parts: (distinct: Int, needed: Int)?, spentShare: Double? = nil
        ) {
            self.pictures = pictures
            self.codes = codes
            self.refused = refused
            self.parts = parts
            self.spentShare = spentShare
        }
    }

    package mutating func show(_ counts: @autoclosure () -> Counts) {
        guard isatty(STDERR_FILENO) == 1, last.duration(to: .now) > .milliseconds(250) else { return }
        last = .now
        isShown = true
        StandardError.write("\r\(text(counts()))\u{1b}[K")
    }

    private func text(_ counts: Counts) -> String {
        let seconds = max(0.001, start.duration(to: .now) / .seconds(1))
        func rate(_ count: Int) -> Int { Int((Double(count) / seconds).rounded()) }
        var parts = ["\(rate(counts.pictures)) pictures a second, \(rate(counts.codes)) codes"]
        if let (distinct, needed) = counts.parts {
            parts.insert("\(distinct) of \(needed) codes", at: 0)
            if distinct > 0 {
                let left = Double(max(0, needed - distinct)) * seconds / Double(distinct)
                parts.append("about \(Int(left.rounded(.up))) s left")
            }
        }
        if let share = counts.spentShare, share >= 0.01 { parts.append("\(Int(share * 100)) % of the film's budget") }
        if counts.refused > 0 { parts.append("\(counts.refused) did not fit") }
        return parts.joined(separator: "; ")
    }

    package mutating func end() {
        if isShown { StandardError.write("\r\u{1b}[K") }
        isShown = false
    }
}
