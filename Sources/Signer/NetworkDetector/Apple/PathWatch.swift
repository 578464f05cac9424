#if canImport(Network)
    import Dispatch
    import Network

    /// The watch of Apple's platforms: the system's path monitor, which tells of interfaces. Airplane mode must not be
    /// asked for, and of radios and cables nothing is told.
    final class PathWatch: NetworkWatch {
        private let monitor = NWPathMonitor()
        private let reports: ReportQueue

        init() throws(NetworkWatchError) {
            let reports = try ReportQueue()
            self.reports = reports
            monitor.pathUpdateHandler = { reports.add(Self.report(of: $0)) }
            monitor.start(queue: DispatchQueue(label: "casemate.network-detector"))
            look()
        }

        deinit { monitor.cancel() }

        var descriptor: CInt { reports.descriptor }

        func nextReport() -> NetworkReport? { reports.next() }

        func look() { reports.add(Self.report(of: monitor.currentPath)) }

        private static func report(of path: NWPath) -> NetworkReport {
            let names = path.availableInterfaces.filter { $0.type != .loopback }.map(\.name).sorted()
            let isUp = path.status != .unsatisfied || !names.isEmpty
            return NetworkReport(
                findings: [.interfaces: isUp ? .up(names.isEmpty ? ["a network"] : names) : .quiet], isIsolated: nil)
        }
    }
#endif
