import ForceFieldWire
import Synchronization

/// A connection to the process of a helper extension.
package protocol HelperProcess: Sendable {
    /// Asks who it is. Comes first, and once.
    func begin() async throws

    /// - Returns: the reply, of `maxReply` bytes at the most.
    /// - Throws: ``HelperGone``; ``ForceFieldError``: `worker` and `requestTooLarge` of a process that can go on,
    ///   others of one that cannot.
    func reply(_ method: MethodID, maxReply: Int, _ body: [UInt8]) async throws -> [UInt8]

    /// Gives the connection up: what waits for an answer fails. Returns when the system has been told.
    func terminate() async
}

/// The process had ended before anything was sent to it.
package struct HelperGone: Error {
    package init() {}
}

/// Who calls an extension: one field.
package final class HelperClient: Sendable {
    let policy: Policy
    let open: @Sendable () async throws -> any HelperProcess
    private let hasClosed = Atomic(false)

    /// - Parameter open: has the system make a connection, over which nothing is sent yet.
    package init(_ policy: Policy, open: @escaping @Sendable () async throws -> any HelperProcess) {
        self.policy = policy
        self.open = open
    }

    var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

    func close() { hasClosed.store(true, ordering: .releasing) }
}

/// A connection as it is used, from the wish to have it on. One turn at a time uses it.
final class HelperLink: Sendable {
    let client: HelperClient
    /// The connection, unless it was given up before.
    let opened = OneShotPromise<Result<any HelperProcess, any Error>>()
    /// Ends when the system has answered, however late; nil if it has made none.
    let opening: Task<(any HelperProcess)?, Never>
    let hasBegun = Atomic(false)
    /// Requests that it had.
    let requests = Atomic(0)

    /// - Parameter ending: ends when no connection of before is left.
    init(for client: HelperClient, after ending: Task<Void, Never>?) {
        self.client = client
        opening = Task { [opened] in
            await ending?.value
            do {
                try Task.checkCancellation()
                let process = try await client.open()
                opened.give(.success(process))
                return process
            } catch {
                opened.give(.failure(error))
                return nil
            }
        }
    }
}
