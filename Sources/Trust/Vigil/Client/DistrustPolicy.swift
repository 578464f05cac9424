/// Whether distrust has consequences.
///
/// Source: `vigil` section 8.
public enum VigilPolicy: Hashable, Sendable {
    /// Everything but ``VigilResult/valid`` is distrust, also silence and errors.
    case failClosed
    #if DEBUG
        /// Reports are as they are, and nothing follows from them. In builds for debugging alone.
        case auditOnly
    #endif

    /// Whether something follows from a report.
    func acts(on report: VigilReport) -> Bool {
        switch self {
        case .failClosed: !report.result.isTrusted
        #if DEBUG
            case .auditOnly: false
        #endif
        }
    }
}

/// What follows from distrust, in this order: the grants and the keys of the session are erased, the handler is called,
/// and the process ends.
///
/// Source: `vigil` section 8.
public struct DistrustPolicy: Sendable {
    /// What a process ends with that is distrusted (`EX_SOFTWARE`).
    public static let exitCode: Int32 = 70

    /// Whether distrust has consequences at all.
    public var policy = VigilPolicy.failClosed
    /// A handler that is called with each report that is distrust, on the thread that found it.
    public var handler: @Sendable (VigilReport) -> Void
    /// How long after the handler the process ends; nil for what the configuration says (`graceMs`), without which it
    /// goes on.
    public var exitDelay: Duration?

    /// Distrust that calls a handler and then ends the process, where a delay is given here or in the configuration.
    public init(exitDelay: Duration? = nil, handler: @escaping @Sendable (VigilReport) -> Void = { _ in }) {
        self.exitDelay = exitDelay
        self.handler = handler
    }
}
