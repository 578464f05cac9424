import AsyncHTTPClient
import CertificatePins
import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// Holds every connection of a client to pins: HTTP/1.1 and HTTP/2, with proxies or without.
    ///
    ///     var configuration = HTTPClient.Configuration()
    ///     try configuration.pinCertificates(policy)
    ///     let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    ///
    /// The pins are asked when chain and host name were verified and before the first request goes out (of HTTP/2,
    /// after both sides exchanged their settings, which tell nothing). A connection that is refused is closed, and
    /// requests that wait for one fail with the ``PinRefusal``.
    ///
    /// What to know:
    /// - Only the server's own certificate is visible: pin keys of servers, the current one and a backup.
    /// - The client reaches no other service, also not by a redirect, nor by plain `http`.
    /// - It needs NIOSSL: on Apple's platforms give the client an event loop group of NIOPosix, or all is refused.
    /// - Settings of TLS given with a single request replace the client's; leave them out, they are not checked here.
    /// - A failed connection is not tried again behind the scenes, so that a refusal is told at once. Set
    ///   `connectionPool.retryConnectionEstablishment` after this call to have retries; a refusal is told then when the
    ///   time to connect has passed.
    /// - Initialisers of connections that are set before still run, after the pins; setting them later would replace
    ///   the pins.
    ///
    /// - Throws: ``PinError/configError(reason:)`` if TLS is set up to verify less than everything.
    ///
    /// Source: `mainkey` section 26.
    public mutating func pinCertificates(_ policy: PinPolicy) throws(PinError) {
        try tlsConfiguration?.checkFitForPins()
        connectionPool.retryConnectionEstablishment = false
        http1_1ConnectionDebugInitializer = Self.checking(policy, then: http1_1ConnectionDebugInitializer)
        http2ConnectionDebugInitializer = Self.checking(policy, then: http2ConnectionDebugInitializer)
    }

    private typealias ConnectionInitializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private static func checking(
        _ policy: PinPolicy, then next: ConnectionInitializer?
    ) -> ConnectionInitializer {
        { channel in
            channel.eventLoop.flatSubmit { check(channel, policy: policy) }
                .flatMap { next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }

    /// Closes a connection whose certificates are denied. To be called on the channel's event loop.
    private static func check(_ channel: any Channel, policy: PinPolicy) -> EventLoopFuture<Void> {
        switch policy.verdict(on: ShownCertificates.of(channel.pipeline.syncOperations)) {
        case .allow:
            return channel.eventLoop.makeSucceededVoidFuture()
        case .deny(let refusal):
            // Closed first, told second, and told only when the pool, which listens for the end as well, has heard of
            // it: a connection that ends after its failure was told makes the pool stop the process at the next retry.
            let told = channel.eventLoop.makePromise(of: Void.self)
            channel.closeFuture.whenComplete { _ in told.fail(refusal) }
            HardClose.close(channel)
            return told.futureResult
        }
    }
}
