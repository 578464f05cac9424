#if os(Linux)
    import Glibc
    internal import NIOCore
    internal import NIOSSL
    internal import NIOTLS
    internal import Sockets

    /// TLS on a socket of a pair: SwiftNIO's handlers of it, in a channel that reads and writes by the pair.
    ///
    /// The channel has nothing else in its pipeline, waits for nothing, and holds nothing that was sent behind the
    /// handshake: the socket's bytes go through it to the pair's handler, and the handler's to the socket, within one
    /// call.
    /// Source: `appattest-gate` section 3.5.
    // @unchecked: everything that changes is used on the relay's thread alone.
    final class SocketTLS: Channel, ChannelCore, PairLayer, @unchecked Sendable {
        /// Who is told of it while it lasts.
        protocol Observer: AnyObject {
            /// The handshake is done, and the other end is who it has to be.
            func isEncrypted(_ side: PairedSide)
            /// Something is wrong with it. It ends.
            func encryptionFailed(_ side: PairedSide, _ error: any Error)
        }

        private let loop: RelayLoop
        private let side: PairedSide
        /// Nil once the socket is closed.
        private var pair: RelayedPair?
        private weak var observer: (any Observer)?
        private let closed: EventLoopPromise<Void>
        private var hasEndedOutput = false
        private var hasFailed = false

        private init(_ side: PairedSide, of pair: RelayedPair, on loop: RelayLoop, _ observer: any Observer) {
            (self.side, self.pair, self.loop, self.observer) = (side, pair, loop, observer)
            closed = loop.makePromise()
        }

        /// Encrypts a side of a pair from now on.
        ///
        /// - Parameters:
        ///   - handlers: of TLS, as they would be in a channel of SwiftNIO's.
        ///   - observer: held by somebody else.
        /// - Returns: nil where the side is over.
        static func begin(
            on side: PairedSide, of pair: RelayedPair, by handlers: [any ChannelHandler], on loop: RelayLoop,
            telling observer: any Observer
        ) throws -> SocketTLS? {
            let tls = SocketTLS(side, of: pair, on: loop, observer)
            guard pair.add(tls, on: side) else {
                tls.ended()
                return nil
            }
            try tls.pipeline.syncOperations.addHandlers(handlers + [Tail(tls)])
            return tls
        }

        // MARK: What the pair tells

        func received(_ bytes: UnsafeRawBufferPointer) {
            pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
            pipeline.fireChannelReadComplete()
        }

        /// The last word of TLS would have ended the side before: somebody on the way may have cut off what was to come
        /// (RFC 8446 section 6.1).
        func inputEnded() {
            observer?.encryptionFailed(side, NIOSSLError.uncleanShutdown)
            pair?.end(side, brokenBy: EPROTO)
        }

        func send(_ bytes: UnsafeRawBufferPointer) {
            guard !hasEndedOutput, pair != nil else { return }
            pipeline.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }

        func endOutput() {
            guard !hasEndedOutput, pair != nil else { return }
            hasEndedOutput = true
            pipeline.close(mode: .output, promise: nil)
        }

        func ended() {
            pair = nil
            pipeline.fireChannelInactive()
            closed.succeed()
            // They hold the channel, and the channel them.
            removeHandlers(pipeline: pipeline)
        }

        /// Stands behind the handlers of TLS.
        private final class Tail: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private let tls: SocketTLS

            init(_ tls: SocketTLS) { self.tls = tls }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                unwrapInboundIn(data).withUnsafeReadableBytes { tls.pair?.deliver($0, from: tls.side) }
            }

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if case TLSUserEvent.handshakeCompleted = event { tls.observer?.isEncrypted(tls.side) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                tls.hasFailed = true
                tls.observer?.encryptionFailed(tls.side, error)
                context.close(promise: nil)
            }
        }

        // MARK: What TLS asks for

        func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard let pair else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                return
            }
            unwrapData(data, as: ByteBuffer.self).withUnsafeReadableBytes { pair.sendToSocket($0, of: side) }
            promise?.succeed()
        }

        func flush0() {}

        /// The pair reads by itself.
        func read0() {}

        func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            switch mode {
            case .input:
                promise?.fail(ChannelError.operationUnsupported)
                return
            case .output: pair?.endSocketOutput(of: side)
            case .all:
                hasEndedOutput = true
                pair?.end(side, brokenBy: hasFailed ? EPROTO : nil)
            }
            promise?.succeed()
        }

        func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
            promise?.fail(ChannelError.operationUnsupported)
        }

        func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }

        func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { register0(promise: promise) }

        func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }

        func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }

        func channelRead0(_ data: NIOAny) {}

        func errorCaught0(error: any Error) {}

        func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }

        func remoteAddress0() throws -> SocketAddress {
            guard let remoteAddress else { throw ChannelError.operationUnsupported }
            return remoteAddress
        }

        // MARK: What a channel is

        var eventLoop: any EventLoop { loop }
        private(set) lazy var pipeline = ChannelPipeline(channel: self)
        var _channelCore: any ChannelCore { self }
        var closeFuture: EventLoopFuture<Void> { closed.futureResult }
        var isActive: Bool { pair != nil }
        let isWritable = true
        let allocator = ByteBufferAllocator()
        let localAddress: SocketAddress? = nil
        /// A service that is known by its address shows a certificate for it.
        var remoteAddress: SocketAddress? { pair?.peer(of: side).flatMap(SocketAddress.init) }
        let parent: (any Channel)? = nil

        func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
            loop.makeFailedFuture(ChannelError.operationUnsupported)
        }

        func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
            loop.makeFailedFuture(ChannelError.operationUnsupported)
        }
    }
#endif
