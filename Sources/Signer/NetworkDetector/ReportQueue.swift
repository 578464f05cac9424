import Synchronization
import Threads

/// Reports that nobody took yet, with a descriptor that is readable as long as there are any.
///
/// A report that says the same as the one before it is not kept. Where nobody takes them, quiet ones are dropped first:
/// what was up or failed is not lost.
final class ReportQueue: Sendable {
    /// So many reports wait.
    static let most = 64

    private struct State: Sendable {
        var reports: [NetworkReport] = []
        var newest: NetworkReport?
    }

    private let state = Mutex(State())
    private let signal: WakeDescriptor

    init() throws(NetworkWatchError) { signal = try .make() }

    var descriptor: CInt { signal.descriptor }

    func add(_ report: NetworkReport) {
        state.withLock { state in
            guard report != state.newest else { return }
            state.newest = report
            state.reports.append(report)
            if state.reports.count == 1 { signal.raise() }
            guard state.reports.count > Self.most else { return }
            state.reports.remove(at: Self.leastImportant(of: state.reports.dropLast()))
        }
    }

    private static func leastImportant(of old: ArraySlice<NetworkReport>) -> Int {
        let relaxed = NetworkPolicy(countsRadios: false, countsGadgets: false)
        return old.firstIndex { $0.reading(by: .strict) == .down }
            ?? old.firstIndex { $0.reading(by: relaxed) == .down } ?? old.startIndex
    }

    func next() -> NetworkReport? {
        state.withLock { state in
            guard !state.reports.isEmpty else { return nil }
            let report = state.reports.removeFirst()
            if state.reports.isEmpty { signal.clear() }
            return report
        }
    }
}

extension WakeDescriptor {
    /// One more, to watch the network with.
    static func make() throws(NetworkWatchError) -> WakeDescriptor {
        guard let made = WakeDescriptor() else {
            throw NetworkWatchError(description: "The network cannot be watched: this process may open no more files.")
        }
        return made
    }
}
