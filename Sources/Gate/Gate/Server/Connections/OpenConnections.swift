internal import AppAttest
internal import NIOCore
internal import Synchronization
internal import WebSocketFrames

/// A connection that has had its 101, as the code that stops the gate sees it. It belongs to its event loop.
protocol Closable: AnyObject {
    /// Begins the end: a close frame with this code to the client, 1001 to a WebSocket upstream. What is being said may
    /// be said to its end, and whoever asks for this watches the time.
    func close(_ code: CloseCode)
    /// Ends the connection of somebody who gets in no more: nothing passes on of what the client has not said yet, and
    /// what does not end by itself is cut after ``Relay/closeTime``.
    func expel(_ code: CloseCode)
    /// Ends the connection now.
    func cut()
}

/// All open connections that have had their 101.
final class OpenConnections: Sendable {
    struct Entry: Sendable {
        let loop: any EventLoop
        let connection: NIOLoopBound<any Closable>
        let key: KeyID?

        func close(_ code: CloseCode) { loop.execute { connection.value.close(code) } }
        func expel(_ code: CloseCode) { loop.execute { connection.value.expel(code) } }
        func cut() { loop.execute { connection.value.cut() } }
    }

    private struct Table: Sendable {
        var entries: [Int: Entry] = [:]
        var next = 0
        /// The connections that have been told to close, by their numbers.
        var told: Set<Int> = []
        /// Those of them whose keys get in no more.
        var expelled: Set<Int> = []
        /// The task that waits for connections to end.
        var watcher: CheckedContinuation<Void, Never>?
        /// Whether the time was over before a task waited.
        var isLate = false
    }

    private let table = Mutex(Table())

    var count: Int { table.withLock(\.entries.count) }

    /// - Parameter key: whose it is, if anybody's.
    func add(_ connection: any Closable, _ key: KeyID?, on loop: any EventLoop) -> Int {
        let entry = Entry(loop: loop, connection: NIOLoopBound(connection, eventLoop: loop), key: key)
        return table.withLock { table in
            table.next += 1
            table.entries[table.next] = entry
            return table.next
        }
    }

    func remove(_ number: Int) {
        let watcher = table.withLock { table in
            table.entries[number] = nil
            table.told.remove(number)
            table.expelled.remove(number)
            defer { table.watcher = nil }
            return table.watcher
        }
        watcher?.resume()
    }

    /// Closes so many of the connections that have not been told to close.
    func close(count: Int, _ code: CloseCode) {
        let entries = table.withLock { table in
            let numbers = table.entries.keys.filter { !table.told.contains($0) }.prefix(count)
            table.told.formUnion(numbers)
            return numbers.compactMap { table.entries[$0] }
        }
        for entry in entries { entry.close(code) }
    }

    /// The keys whose connections are open and have not been expelled. One that a drain has told to close may stay as
    /// long as the drain.
    var keys: Set<KeyID> {
        Set(
            table.withLock { table in
                table.entries.compactMap { table.expelled.contains($0.key) ? nil : $0.value.key }
            })
    }

    /// Ends the connections of a key that gets in no more. What does not end by itself is cut.
    func expel(key: KeyID, _ code: CloseCode) {
        let entries = table.withLock { table in
            let entries = table.entries.filter { $0.value.key == key }
            table.told.formUnion(entries.keys)
            table.expelled.formUnion(entries.keys)
            return entries.values
        }
        for entry in entries { entry.expel(code) }
    }

    func cutAll() {
        for entry in table.withLock({ Array($0.entries.values) }) { entry.cut() }
    }

    /// Returns when a connection has ended, or after a time.
    ///
    /// - Parameter isEmpty: whether it is enough that there is none.
    func change(within time: Duration, isEmpty: Bool) async {
        let timer = Task { [self] in
            try? await Task.sleep(for: time)
            wake(Task.isCancelled ? nil : time)
        }
        defer { timer.cancel() }
        await withCheckedContinuation { continuation in
            let isOver = table.withLock { table in
                // What was awaited may have come before there was anybody to wake.
                guard !(isEmpty && table.entries.isEmpty), !table.isLate else { return true }
                table.watcher = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        table.withLock { $0.isLate = false }
    }

    private func wake(_ time: Duration?) {
        guard time != nil else { return }
        table.withLock { table in
            defer { table.watcher = nil }
            table.isLate = table.watcher == nil
            return table.watcher
        }?.resume()
    }
}
