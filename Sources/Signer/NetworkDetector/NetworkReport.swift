/// What each probe found at one moment.
///
/// Source: `signer-product` section 5.
public struct NetworkReport: Equatable, Sendable {
    public enum Probe: String, CaseIterable, Sendable {
        /// Network interfaces other than the loopback.
        case interfaces
        /// Routes through them.
        case routes
        /// Wireless senders that are not blocked.
        case radios
        /// This machine as a device on somebody's USB cable.
        case gadgets
    }

    public enum Finding: Equatable, Sendable {
        /// Nothing is up.
        case quiet
        /// These are up, by their names.
        case up([String])
        /// The probe cannot be read, for this reason.
        case failed(String)
    }

    /// What each probe found. One that is missing has not been asked on this system.
    public let findings: [Probe: Finding]
    /// Whether the process is in a network namespace that holds a loopback and nothing else. Nil where there is no such
    /// thing.
    public let isIsolated: Bool?

    public init(findings: [Probe: Finding], isIsolated: Bool?) {
        self.findings = findings
        self.isIsolated = isIsolated
    }

    /// What the report means: up if anything is up, else failed if any probe is.
    public func reading(by policy: NetworkPolicy) -> NetworkDetector.Reading {
        let counted = findings.filter { policy.counts($0.key) }
        if counted.values.contains(where: \.isUp) { return .up }
        // A probe that cannot be read is never a notice, except where it would not count either.
        return counted.isEmpty || counted.values.contains(where: \.isFailed) ? .fail : .down
    }

    /// What was before this report, where something was found meanwhile that is not found any more.
    ///
    /// - Parameter meanwhile: findings that are quiet say nothing, nor do those of probes that are up now.
    /// - Returns: nil if nothing was.
    func past(_ meanwhile: [Probe: Finding]) -> NetworkReport? {
        let gone = meanwhile.filter { $0.value != .quiet && findings[$0.key]?.isUp == false }
        guard !gone.isEmpty else { return nil }
        return NetworkReport(findings: findings.merging(gone) { $1 }, isIsolated: isIsolated)
    }

    /// Probes whose findings are shown and do not count.
    public func notices(by policy: NetworkPolicy) -> [Probe] {
        Probe.allCases.filter { probe in !policy.counts(probe) && findings[probe].map { $0 != .quiet } == true }
    }
}

extension NetworkReport.Finding {
    var isUp: Bool { if case .up = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
}

/// Which probes decide. Interfaces and routes always do.
public struct NetworkPolicy: Equatable, Sendable {
    /// Whether a radio that is not blocked counts as a connection.
    public var countsRadios: Bool
    /// Whether a USB cable to a configured host does.
    public var countsGadgets: Bool

    /// Everything counts.
    public static let strict = NetworkPolicy(countsRadios: true, countsGadgets: true)

    public init(countsRadios: Bool, countsGadgets: Bool) {
        self.countsRadios = countsRadios
        self.countsGadgets = countsGadgets
    }

    func counts(_ probe: NetworkReport.Probe) -> Bool {
        switch probe {
        case .interfaces, .routes: true
        case .radios: countsRadios
        case .gadgets: countsGadgets
        }
    }
}
