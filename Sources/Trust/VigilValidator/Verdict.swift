import CodeMeasurement
import Vigil

/// One word of a validator about one process, for the log.
///
/// Source: `vigil` section 12.
public struct Verdict: Sendable {
    /// What it is about.
    public enum Occasion: String, Sendable {
        case request
        case revalidation
        case scan
        case provisioning
        case rotation
        case confirmation
        case evidence
        case connection
    }

    /// What is worth knowing beside the verdict.
    public struct Details: Sendable {
        /// What the look had to leave out.
        public var flags: MeasurementFlags = []
        /// How long the measurement took.
        public var duration = Duration.zero
        /// How many verdicts of this kind were left out before it.
        package var suppressed = 0
    }

    /// The process that it is about; nil where it is not known.
    public let peer: ProcessIdentity?
    /// What it is about.
    public let occasion: Occasion
    /// Nil for a positive verdict.
    public let refusal: Refusal?
    /// What was looked at.
    public let measured: Levels
    /// What else is worth knowing.
    public let details: Details

    /// - Parameters:
    ///   - peer: the process that it is about; nil where it is not known.
    ///   - refusal: nil for a positive verdict.
    ///   - measured: what was looked at.
    package init(
        _ occasion: Occasion, of peer: ProcessIdentity?, _ refusal: Refusal?, measured: Levels,
        details: Details = Details()
    ) {
        self.peer = peer
        self.occasion = occasion
        self.refusal = refusal
        self.measured = measured
        self.details = details
    }
}
