internal import NIOCore
internal import Synchronization

/// Takes what happened.
package protocol EventSink: Sendable {
    func record(_ event: GateEvent)
}

/// Passes few of many like events on: one every ten seconds for each kind and client, with the number of those left
/// out.
///
/// Source: `appattest-gate` section 3.12.
package struct EventSampler: Sendable {
    static let interval = TimeAmount.seconds(10)
    private static let maximumKinds = 4_096

    private struct Kind: Hashable, Sendable {
        package let name: GateEvent.Name
        package let code: RefusalCode?
        package let client: ClientKey?
    }

    private struct Passed: Sendable {
        package var at: NIODeadline?
        package var suppressed = 0
    }

    private var recent = RecentTable<Kind, Passed>(capacity: Self.maximumKinds)

    package init() {}

    /// - Returns: the event, or nil if it is left out.
    mutating func pass(_ event: GateEvent, at now: NIODeadline) -> GateEvent? {
        guard Self.isSampled(event) else { return event }
        let kind = Kind(name: event.name, code: event.code, client: event.peer.map(ClientKey.init))
        return recent.update(kind, default: Passed()) { passed in
            if let at = passed.at, now - at < Self.interval {
                passed.suppressed += 1
                return nil
            }
            let suppressed = passed.suppressed
            passed = Passed(at: now)
            return suppressed == 0 ? event : event.with { $0.suppressed = suppressed }
        }
    }

    /// What clients, or a service that is down, make happen without end and without an effect.
    private static func isSampled(_ event: GateEvent) -> Bool {
        switch event.name {
        case .refused, .preambleRefused, .waitingDropped, .storeFailed, .upstreamFailed, .deviceCheckFailed: true
        default: false
        }
    }
}

/// Writes events as lines.
public final class EventLog: EventSink {
    package enum Format: String, Sendable, CaseIterable {
        case json, text
    }

    private let level: GateEvent.Level
    private let format: Format
    private let clock: any GateClock
    private let write: @Sendable (String) -> Void
    private let sampler = Mutex(EventSampler())

    /// A log of the level and the format that a configuration asks for (`LOG_LEVEL`, `LOG_FORMAT`).
    ///
    /// - Parameter write: takes a line without its end; it must not block for long.
    public convenience init(for configuration: GateConfiguration, write: @escaping @Sendable (String) -> Void) {
        self.init(
            level: configuration.log.level, format: configuration.log.format, clock: SystemClock(), write: write)
    }

    /// - Parameter write: takes a line without its end; it must not block for long.
    package init(
        level: GateEvent.Level, format: Format, clock: any GateClock, write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        self.format = format
        self.clock = clock
        self.write = write
    }

    package func record(_ event: GateEvent) {
        guard event.level >= level,
            let event = sampler.withLock({ $0.pass(event, at: clock.uptime) })
        else { return }
        let now = clock.now
        write(format == .json ? event.jsonLine(at: now) : event.textLine(at: now))
    }
}
