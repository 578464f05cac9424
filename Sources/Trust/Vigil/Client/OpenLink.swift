import CodeMeasurement
import Synchronization

/// The connection of one attempt, so that it can be ended from outside.
final class OpenLink: Sendable {
    private let state = Mutex<(channel: (any MessageChannel)?, isGivenUp: Bool)>((nil, false))

    /// - Throws: `ChannelError`: `timedOut` where the attempt was given up, and what connecting throws.
    func connect(to endpoint: any ValidatorEndpoint, until deadline: Deadline) throws(ChannelError)
        -> any MessageChannel
    {
        let channel = try endpoint.connect(until: deadline)
        let isGivenUp = state.withLock { state in
            state.channel = channel
            return state.isGivenUp
        }
        guard !isGivenUp else {
            channel.close()
            throw .timedOut
        }
        return channel
    }

    /// Ends the connection, and any that is made later.
    func giveUp() {
        let channel = state.withLock { state in
            state.isGivenUp = true
            return state.channel
        }
        channel?.close()
    }

    /// Checks that the caller has not given up. To be called before anything is stored.
    ///
    /// - Throws: ``Refusal``: `expired` where it is not waited for any more.
    func check() throws(Refusal) {
        guard !state.withLock(\.isGivenUp) else { throw .expired }
    }
}

extension Refusal {
    static let expired = Refusal(.expired, "it took longer than it may")

    init(_ error: TimeLimit.NotBegun) { self.init(.busy, "nothing was asked: \(error)") }
}

extension ValidationClient {
    /// Work that has an end in time, with a connection that ends with it.
    ///
    /// - Throws: ``Refusal``: `expired`, `busy` where it was not begun, and what `work` throws.
    func limited<R: Sendable>(
        within time: Duration, _ work: @escaping @Sendable (OpenLink, Deadline) throws(Refusal) -> R
    ) throws(Refusal) -> R {
        let deadline = SuspendingClock().now.advanced(by: time)
        let link = OpenLink()
        let result: Result<R, Refusal>?
        do throws(TimeLimit.NotBegun) {
            result = try TimeLimit.ofClients.run(until: deadline) {
                Result { () throws(Refusal) in try work(link, deadline) }
            }
        } catch {
            throw Refusal(error)
        }
        guard let result else {
            link.giveUp()
            throw .expired
        }
        return try result.get()
    }
}
