import ForceFieldWire

/// What the host tells stage 0 and the warden.
///
/// Source: `forcefield` section 13.
package enum WardenOrder: Hashable, Sendable {
    /// The process has been placed in its control group.
    case go
    /// - Parameter reason: of ``KillReason/code``.
    case kill(reason: UInt32)
    /// The worker is to be killed after a time: whole milliseconds.
    case background(grace: Duration)
    case foreground

    /// - Returns: nil for what is no record of this direction, or has something where zeros belong.
    package init?(_ record: [UInt8]) {
        guard case (let kind, var fields)? = ControlRecord.fields(record) else { return nil }
        switch kind {
        case 64: self = .go
        case 65: self = .kill(reason: fields.next())
        case 66: self = .background(grace: .milliseconds(Int64(fields.next(UInt32.self))))
        case 67: self = .foreground
        default: return nil
        }
        guard fields.isAtEnd else { return nil }
    }

    package var bytes: [UInt8] {
        switch self {
        case .go: ControlRecord.bytes(64) { _ in }
        case .kill(let reason): ControlRecord.bytes(65) { $0.append(littleEndian: reason) }
        case .background(let grace):
            ControlRecord.bytes(66) { $0.append(littleEndian: UInt32(clamping: grace.wholeMilliseconds)) }
        case .foreground: ControlRecord.bytes(67) { _ in }
        }
    }
}
