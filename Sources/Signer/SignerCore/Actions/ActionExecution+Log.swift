import Navigator
import Signer

/// Actions on the pages of the log: comment, clear, look at an entry.
extension ActionExecution {
    /// An empty text is no comment.
    func addUserEntry() throws {
        guard !data.isEmpty else { return }
        try vault().addComment(data)
        state.logEnd = nil
    }

    func clearHistory() throws {
        try vault().clearLog()
        state.logEnd = nil
    }

    /// Moves the entries that are shown by as many as there are of them at a time.
    ///
    /// - Parameter pages: how often; below zero for older ones.
    func moveLog(_ pages: Int) throws {
        let count = try vault().logCount()
        let end = min(state.logEnd ?? count, count) + pages * LogData.pageSize
        guard end > 0 else { return }
        state.logEnd = end < count ? end : nil
    }

    /// Compares the log with the digest in the data. Where it never had that, nothing is kept of it.
    func logContains() -> Bool {
        state.logComparison = nil
        return succeeds {
            let earlier = try Vault.notedDigest(data)
            let verdict = try vault().verifyLog(grownSince: earlier)
            state.logComparison = (verdict.containsAt ?? verdict.clearedAt).map {
                LogComparison(earlier: earlier, containsAt: $0, wasCleared: verdict.containsAt == nil)
            }
        }
    }

    func orderIsKnown() -> Bool {
        succeeds {
            guard let order = UInt32(data), String(order) == data, try Int(order) < vault().logCount() else {
                throw CoreError.entryUnknown(order: data)
            }
        }
    }
}
