/// The order in which a warden's records may come: WARDEN, STARTED, then any, and nothing behind EXITED.
///
/// A stage may fail before each of the two, and a worker may end before it has started, at its self-check.
///
/// Source: `forcefield` section 13.
package struct ControlConversation: Sendable {
    private var phase = Phase.awaitingWarden

    private enum Phase: Sendable {
        case awaitingWarden
        case awaitingStart
        case running
        case ended
    }

    package init() {}

    /// - Parameter record: one whole record as it was received.
    /// - Throws: ``ControlFault``
    package mutating func receive(_ record: [UInt8]) throws(ControlFault) -> WardenReport {
        guard let report = WardenReport(record) else { throw .malformed(bytes: record.count) }
        phase = try phase(behind: report)
        return report
    }

    private func phase(behind report: WardenReport) throws(ControlFault) -> Phase {
        switch (phase, report) {
        case (.awaitingWarden, .warden): .awaitingStart
        case (.awaitingWarden, .stageFailed), (.awaitingStart, .stageFailed): .ended
        case (.awaitingStart, .started): .running
        case (.awaitingStart, .violation), (.running, .violation): phase
        case (.running, .limit): .running
        case (.awaitingStart, .exited), (.running, .exited): .ended
        default: throw .outOfOrder
        }
    }
}

/// What a warden may not send. It is trusted, so this is a fault of the program or of the installation.
package enum ControlFault: Error, Hashable, Sendable {
    case malformed(bytes: Int)
    case outOfOrder
    /// The host has no room for the descriptor that comes with WARDEN.
    case noDescriptor
}
