import CodeMeasurement

/// Why a message, a peer or its code was not accepted.
public struct Refusal: Error, Hashable, Sendable {
    /// What the other side is told.
    public let reason: Reason

    /// What exactly and where, for the log of this machine.
    public let finding: Finding

    /// - Parameters:
    ///   - reason: what the other side is told.
    ///   - detail: what exactly and where.
    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        finding = Finding(detail)
    }

    package init(_ refusal: MeasurementRefusal) {
        reason = refusal.reason
        finding = refusal.finding
    }
}

extension Refusal: CustomStringConvertible {
    /// Reason and finding, for the log.
    public var description: String { "\(reason): \(finding)" }
}
