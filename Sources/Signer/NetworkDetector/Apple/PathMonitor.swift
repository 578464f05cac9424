#if canImport(Network)
    import Dispatch
    import Network

    /// The path monitor of Apple's platforms, which tells of interfaces. Airplane mode must not be asked for, and of
    /// radios and cables nothing is told.
    ///
    /// Its handler alone is believed: its `currentPath` says that there is no network until the handler was called.
    struct PathMonitor: PathSource {
        private let monitor = NWPathMonitor()
        private let queue = DispatchQueue(label: "casemate.network-detector")

        func start(_ tell: @escaping @Sendable (NetworkReport) -> Void) {
            monitor.pathUpdateHandler = { tell(Self.report(of: $0)) }
            monitor.start(queue: queue)
        }

        func settle() { queue.sync {} }

        func stop() { monitor.cancel() }

        private static func report(of path: NWPath) -> NetworkReport {
            let names = path.availableInterfaces.filter { $0.type != .loopback }.map(\.name).sorted()
            let isUp = path.status != .unsatisfied || !names.isEmpty
            return NetworkReport(
                findings: [.interfaces: isUp ? .up(names.isEmpty ? ["a network"] : names) : .quiet], isIsolated: nil)
        }
    }
#endif
