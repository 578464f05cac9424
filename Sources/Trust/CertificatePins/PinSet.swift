import BasicFoundation

/// The keys that a service may show: at least two different ones, so that losing the key in use never shuts every user
/// out. One of them is the backup, kept offline.
///
///     let pins = try PinSet(["sha256/3btN…", "sha256/wu1a…"], expiry: PinSet.Expiry(date: endOf2027))
///
/// New pins come with a release of the app, or in data that a pinned key signed; never over the connection they
/// protect.
///
/// Source: `mainkey` section 26.
public struct PinSet: Hashable, Sendable {
    /// The time when the pins expire, and what is allowed then.
    public struct Expiry: Hashable, Sendable {
        /// What is allowed once pins have expired.
        public enum Rule: Hashable, Sendable {
            /// Nothing is allowed any more.
            case refuse
            /// Every certificate that was verified is allowed. An attacker who can hold back updates can wait for this
            /// day.
            case allowAny
        }

        /// When they expire.
        public let date: Date
        /// What is allowed then.
        public let rule: Rule

        /// An expiry after which nothing is allowed, if nothing else is said.
        public init(date: Date, rule: Rule = .refuse) {
            self.date = date
            self.rule = rule
        }
    }

    /// Digests of keys, of which one key of the chain has to have one.
    public let pins: Set<SPKIPin>
    /// When they expire; nil for never.
    public let expiry: Expiry?

    /// How long before the expiry there is a warning: 30 days.
    public static let warningSpan = Duration.seconds(30 * 24 * 60 * 60)

    /// A set of pins.
    ///
    /// - Throws: ``PinError/configError(reason:)`` with less than two different pins.
    public init(_ pins: [SPKIPin], expiry: Expiry? = nil) throws(PinError) {
        let different = Set(pins)
        guard different.count >= 2 else {
            throw .configError(
                reason: "pins are two different ones at least, one of them of a backup key, and here "
                    + (different.isEmpty ? "is none" : "is one"))
        }
        self.pins = different
        self.expiry = expiry
    }

    /// A set of pins from their texts.
    ///
    /// - Parameter texts: as ``SPKIPin/init(_:)`` takes them.
    /// - Throws: ``PinError/configError(reason:)`` if one is malformed, or with less than two different pins.
    public init(_ texts: [String], expiry: Expiry? = nil) throws(PinError) {
        var pins: [SPKIPin] = []
        for text in texts { pins.append(try SPKIPin(text)) }
        try self.init(pins, expiry: expiry)
    }

    /// Says whether a connection may be used.
    ///
    /// Ask only after the chain and the host name were verified: a pin says which key, and nothing else.
    ///
    /// - Parameters:
    ///   - certificates: DER, of the verified chain as far as it can be seen, the server's own first. Certificates that
    ///     the server merely sent along do not belong here: anyone can send a copy of a pinned one.
    ///   - now: the time of asking.
    public func verdict(on certificates: [[UInt8]], at now: Date) -> PinVerdict {
        guard !certificates.isEmpty else { return .deny(.noCertificate) }
        if let expiry, now >= expiry.date {
            return expiry.rule == .allowAny ? .allow(.expiredPinsIgnored) : .deny(.expired(expiry.date))
        }
        var shown: [SPKIPin] = []
        for (position, certificate) in certificates.enumerated() {
            do throws(PinError) {
                shown.append(try SPKIPin(certificate: certificate))
            } catch {
                return .deny(.unreadable(position: position, error))
            }
        }
        guard let match = shown.first(where: pins.contains) else { return .deny(.noneMatches(shown: shown)) }
        return .allow(.pinned(match))
    }

    /// The date to warn of, from ``warningSpan`` before it until it is there.
    public func expiryToWarnOf(at now: Date) -> Date? {
        guard let date = expiry?.date, now < date, .seconds(date.timeIntervalSince(now)) <= Self.warningSpan else {
            return nil
        }
        return date
    }
}
