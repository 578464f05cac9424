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
        public var flags: MeasurementFlags
        /// How long the measurement took.
        public var duration: Duration

        public init(flags: MeasurementFlags = [], duration: Duration = .zero) {
            self.flags = flags
            self.duration = duration
        }
    }

    public let peer: ProcessIdentity?
    public let occasion: Occasion
    /// Nil for a positive verdict.
    public let refusal: Refusal?
    public let measured: Levels
    public let details: Details

    public init(
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
