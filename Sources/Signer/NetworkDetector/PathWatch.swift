#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What tells of the networks of a system that cannot be asked for them.
protocol PathSource: Sendable {
    /// - Parameter tell: gets what the system says, first without any change, then upon each.
    func start(_ tell: @escaping @Sendable (NetworkReport) -> Void)

    /// Returns when everything that the system has said by now was told.
    func settle()

    /// Tells nothing any more.
    func stop()
}

/// The watch of a system that cannot be asked, only listened to. Before its first word nothing is known, so there is no
/// watch before it.
final class PathWatch: NetworkWatch {
    private let source: any PathSource
    private let reports: ReportQueue

    /// - Parameter time: for the first word.
    /// - Throws: ``NetworkWatchError`` if it does not come.
    init(_ source: any PathSource, within time: Duration = .seconds(2)) throws(NetworkWatchError) {
        let reports = try ReportQueue()
        self.source = source
        self.reports = reports
        source.start { reports.add($0) }
        guard Self.isReadable(reports.descriptor, within: time) else {
            throw NetworkWatchError(description: "The system tells nothing of its networks. Start anew.")
        }
    }

    deinit { source.stop() }

    var descriptor: CInt { reports.descriptor }

    func nextReport() -> NetworkReport? { reports.next() }

    func look() { source.settle() }

    private static func isReadable(_ descriptor: CInt, within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = max(.zero, ContinuousClock.now.duration(to: end)).components
            let count = poll(&request, 1, CInt(left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1))
            guard count < 0, errno == EINTR else { return count > 0 }
        }
    }
}
