internal import NIOCore

/// Two channels whose handshakes are done, and what is in their pipelines until something else carries their bytes.
struct RelayEnds {
    let client: any Channel
    let upstream: any Channel
    let http: HTTPHandler
    let answer: UpstreamAnswer
}

/// An end of a relay in the pipeline of its channel.
protocol RelayHandler: ChannelDuplexHandler {
    func receive(_ piece: ByteBuffer)
    func flush()
}

extension RelayEnds {
    /// Puts the ends of a relay into their pipelines, behind the handlers of HTTP, which step aside.
    ///
    /// - Parameters:
    ///   - bytes: of the 101, which goes first.
    ///   - open: opens the session, before anything is received.
    func handOver(
        to client: some RelayHandler, _ upstream: some RelayHandler, switchingBy bytes: ByteBuffer, open: () -> Void
    ) throws {
        self.client.write(bytes, promise: nil)
        try self.client.pipeline.syncOperations.addHandler(client, position: .after(http))
        try self.upstream.pipeline.syncOperations.addHandler(upstream, position: .after(answer.handler))
        open()
        let rest = http.takeOver()
        let early = answer.handler.takeRest()
        self.upstream.pipeline.syncOperations.removeHandler(answer.handler, promise: nil)
        self.client.flush()
        if early.readableBytes > 0 { upstream.receive(early) }
        if rest.readableBytes > 0 { client.receive(rest) }
        client.flush()
        upstream.flush()
        self.client.read()
        self.upstream.read()
    }
}

#if os(Linux)
    internal import Sockets

    /// Both sockets of a connection, which have left their channels.
    struct TakenSockets: Sendable {
        let client: ConnectedSocket
        let service: ConnectedSocket
        /// What the client sent behind its request.
        let rest: ByteBuffer
        /// What the service sent behind its answer.
        let early: ByteBuffer

        /// Closes both channels; the connections go on.
        ///
        /// - Returns: nil where they have to stay: an end is encrypted, a channel still holds bytes that were not sent,
        ///   or the process may have no more descriptors. Nothing has changed then.
        init?(_ ends: RelayEnds) {
            guard let client = ConnectedSocket(of: ends.client), let service = ConnectedSocket(of: ends.upstream)
            else { return nil }
            (self.client, self.service) = (client, service)
            rest = ends.http.takeOver()
            early = ends.answer.handler.takeRest()
            // What the channels have read is in these two, and they read nothing more.
            ends.client.close(promise: nil)
            ends.upstream.close(promise: nil)
        }
    }

    extension ConnectedSocket {
        /// The socket of a channel that has sent all that it was given. On its event loop.
        fileprivate convenience init?(of channel: any Channel) {
            guard channel.isActive, let options = channel.syncOptions,
                (try? options.getOption(.bufferedWritableBytes)) == 0
            else { return nil }
            let number = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: CInt) in handle
            }
            guard let number else { return nil }
            self.init(duplicating: number)
        }
    }
#endif
