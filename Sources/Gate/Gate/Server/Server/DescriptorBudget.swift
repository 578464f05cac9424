import CLibrary

/// How the descriptors that a process may have are shared out, so that none is missing where one is needed.
///
/// Source: `appattest-gate` section 3.7.
struct DescriptorBudget: Equatable, Sendable {
    /// The limits of connections on which nobody has been let in yet.
    let waiting: GateConfiguration.WaitingLimits
    /// The limits of connections that have had their 101, each with one to the upstream.
    let connections: ConnectionCaps.Limits

    /// Descriptors for standard input and output, listeners, files and what the libraries hold.
    private static let base = 16
    /// Descriptors of each event loop: its queue of events, its timer and what wakes it.
    private static let perLoop = 3
    /// Descriptors of a relay's thread, of the listener that it takes connections from, and of a socket that an event
    /// loop is giving it.
    private static let perRelay = 6

    /// - Parameters:
    ///   - limit: of descriptors of this process.
    ///   - databases: descriptors of connections to databases.
    init(_ configuration: GateConfiguration, limit: Int, loops: Int, databases: Int) {
        let perLoop = Self.perLoop + (configuration.takesSocketsOver ? Self.perRelay : 0)
        let free = max(16, limit - Self.base - perLoop * loops - databases)
        let settings = configuration.waiting
        let waiting = min(settings.total, free / 4)
        self.waiting = GateConfiguration.WaitingLimits(
            total: waiting, perClient: min(settings.perClient, max(1, waiting / 2)))
        let each = configuration.upstream.address.kind == .echo ? 1 : 2
        connections = configuration.connectionLimits.with(total: (free - waiting) / each)
    }

    /// How many descriptors the system allows this process now.
    static var limit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        #else
            guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return 1_024 }
        #endif
        return Int(clamping: limit.rlim_cur)
    }
}

extension ConnectionCaps.Limits {
    /// The same limits with no more connections in all.
    fileprivate func with(total most: Int) -> ConnectionCaps.Limits {
        ConnectionCaps.Limits(
            total: min(total, most), perClient: perClient, perKey: perKey, messagesPerClient: messagesPerClient,
            keyShare: keyShare)
    }
}

extension DescriptorBudget {
    /// What an operator should know of limits that the process cannot reach.
    func warnings(_ configuration: GateConfiguration) -> [GateEvent] {
        let wanted = configuration.connectionLimits.total
        guard connections.total < wanted else { return [] }
        let text = """
            MAX_CONNECTIONS: the descriptors of this process are enough for \(connections.total) connections, \
            not \(wanted); raise LimitNOFILE or ulimit -n
            """
        return [GateEvent(.configurationWarning, .warning, detail: text)]
    }
}
