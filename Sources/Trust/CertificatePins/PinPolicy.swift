import BasicFoundation

/// A set of pins with a clock and a handler that is told what happens: what a client needs to hold every connection to
/// it.
///
///     let policy = PinPolicy(pins, report: { event in logger.warning("\(event)") })
///
/// Source: `mainkey` section 26.
public struct PinPolicy: Sendable {
    /// The keys that are allowed.
    public let pins: PinSet
    private let now: @Sendable () -> Date
    private let report: @Sendable (PinEvent) -> Void

    /// A policy.
    ///
    /// - Parameters:
    ///   - now: the clock.
    ///   - report: is told of each ``PinEvent``, on the thread of the connection; it must not wait.
    public init(
        _ pins: PinSet, now: @escaping @Sendable () -> Date = { Date() },
        report: @escaping @Sendable (PinEvent) -> Void = { _ in }
    ) {
        self.pins = pins
        self.now = now
        self.report = report
    }

    /// ``PinSet/verdict(on:at:)`` of this moment; reports refusals, pins that were not looked at, and pins that expire
    /// soon.
    public func verdict(on certificates: [[UInt8]]) -> PinVerdict {
        let moment = now()
        if let date = pins.expiryToWarnOf(at: moment) { report(.expiresSoon(date)) }
        let verdict = pins.verdict(on: certificates, at: moment)
        switch verdict {
        case .deny(let refusal): report(.refused(refusal))
        case .allow(.expiredPinsIgnored): report(.expiredPinsIgnored)
        case .allow(.pinned): break
        }
        return verdict
    }
}

/// An event that an operator should be told of.
public enum PinEvent: Equatable, Sendable {
    /// The pins expire on this date, in 30 days or less.
    case expiresSoon(Date)
    /// A connection was allowed although the pins are past their date.
    case expiredPinsIgnored
    /// A connection was refused.
    case refused(PinRefusal)
}

extension PinEvent: CustomStringConvertible {
    /// The event in a sentence, with what to do.
    public var description: String {
        switch self {
        case .expiresSoon(let date):
            "The pins expire on \(date.formatted(.iso8601)). Publish a version of the app with new ones."
        case .expiredPinsIgnored:
            "The pins have expired and are not looked at any more. Install a newer version of the app."
        case .refused(let refusal): refusal.description
        }
    }
}
