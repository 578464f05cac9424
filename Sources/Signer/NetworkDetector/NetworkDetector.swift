/// Whether this machine is, or was, connected to a network: a value that readings of probes change.
///
///     var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: stored)
///     for event in detector.take(watch.look().reading(by: policy)) { log(event) }
///     try detector.check(.signing)
///
/// Every reading gives the events to be logged, and ``dangerousEncounter`` is stored with them in one transaction.
///
/// Source: `signer-product` section 5.
public struct NetworkDetector: Equatable, Sendable {
    public enum State: String, CaseIterable, Sendable {
        /// No network, and none since the last acknowledgement.
        case safe
        /// Something is up.
        case connected
        /// Nothing is up, and something was.
        case wasOnline
        /// A probe cannot be read: nobody knows.
        case error
    }

    /// What the probes say together.
    public enum Reading: String, CaseIterable, Sendable { case down, up, fail }

    /// What belongs in the log.
    public enum Event: String, Sendable {
        case deviceWasOnline = "DeviceWasOnline"
        case resetDangerRecord = "ResetDangerRecord"
        /// A SystemEntry with this text.
        case detectorFailed = "network detector failed"
    }

    /// Nil until the first reading.
    public private(set) var state: State?
    /// Whether the machine was connected since the last acknowledgement, as it is stored.
    public private(set) var dangerousEncounter: Bool
    /// Whether the vault has been set up. Until then nothing is logged or stored.
    public var isOnboarded: Bool

    /// - Parameters:
    ///   - isOnboarded: whether the vault has been set up.
    ///   - dangerousEncounter: as it is stored.
    ///   - last: what another detector of the same vault ended in: a connection that goes on is not logged again.
    ///     Nothing is safe before it was looked at, so ``State/safe`` and ``State/wasOnline`` are as nil.
    public init(isOnboarded: Bool, dangerousEncounter: Bool, continuing last: State? = nil) {
        self.isOnboarded = isOnboarded
        self.dangerousEncounter = dangerousEncounter
        state = last == .connected || last == .error ? last : nil
    }

    /// Takes over what is stored now: since the last reading another program of the vault may have noted a connection,
    /// or taken an acknowledgement. What was read stays.
    ///
    /// - Parameters:
    ///   - isOnboarded: whether the vault has been set up.
    ///   - dangerousEncounter: as it is stored.
    public mutating func refresh(isOnboarded: Bool, dangerousEncounter: Bool) {
        self.isOnboarded = isOnboarded
        self.dangerousEncounter = dangerousEncounter
        switch state {
        case .safe where dangerousEncounter: state = .wasOnline
        case .wasOnline where !dangerousEncounter: state = .safe
        default: break
        }
    }

    /// Takes a reading.
    ///
    /// - Returns: what is to be logged, in order.
    public mutating func take(_ reading: Reading) -> [Event] {
        switch (state, reading) {
        case (.connected, .up), (.error, .fail), (.safe, .down), (.wasOnline, .down): return []
        case (nil, .down):
            state = dangerousEncounter ? .wasOnline : .safe
            return []
        case (.connected, .down), (.error, .down):
            state = isOnboarded ? .wasOnline : .safe
            return []
        case (_, .up):
            state = .connected
            return encounter(.deviceWasOnline)
        case (_, .fail):
            state = .error
            return encounter(.detectorFailed)
        }
    }

    private mutating func encounter(_ event: Event) -> [Event] {
        guard isOnboarded else { return [] }
        dangerousEncounter = true
        return [event]
    }

    /// The person has seen that the machine was online, and goes on.
    ///
    /// - Throws: ``DetectorError/ackNotPossible(_:)`` in every other state.
    public mutating func acknowledge() throws(DetectorError) -> [Event] {
        guard state == .wasOnline else { throw .ackNotPossible(state) }
        state = .safe
        dangerousEncounter = false
        return [.resetDangerRecord]
    }
}
