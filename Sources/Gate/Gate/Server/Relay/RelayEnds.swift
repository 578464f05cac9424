internal import NIOCore

/// Two channels whose handshakes are done, and what is in their pipelines until something else carries their bytes.
struct RelayEnds {
    let client: any Channel
    let upstream: any Channel
    let http: HTTPHandler
    let handshake: UpstreamHandshakeHandler
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
        try self.upstream.pipeline.syncOperations.addHandler(upstream, position: .after(handshake))
        open()
        let rest = http.takeOver()
        let early = handshake.takeRest()
        self.upstream.pipeline.syncOperations.removeHandler(handshake, promise: nil)
        self.client.flush()
        if early.readableBytes > 0 { upstream.receive(early) }
        if rest.readableBytes > 0 { client.receive(rest) }
        client.flush()
        upstream.flush()
        self.client.read()
        self.upstream.read()
    }
}
