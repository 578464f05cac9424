import CertificatePins
import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import CertificatePinsNIO

@Suite("The handler that asks the pins")
struct CertificatePinHandlerTests {
    @Test("bytes that come without a handshake are not passed on, and the connection closes")
    func bytesWithoutTLS() throws {
        let channel = try Self.channel()
        #expect(throws: PinRefusal.noCertificate) { try channel.writeInbound(ByteBuffer(string: "hello")) }
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        #expect(!channel.isActive)
    }

    @Test("a handshake without TLS in the pipeline is refused, and what waited fails")
    func handshakeWithoutTLS() throws {
        let channel = try Self.channel()
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(string: "secret"), promise: written)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        #expect(throws: PinRefusal.noCertificate) { try channel.throwIfErrorCaught() }
        #expect(throws: PinRefusal.noCertificate) { try written.futureResult.wait() }
        #expect(throws: PinRefusal.noCertificate) { try channel.writeOutbound(ByteBuffer(string: "again")) }
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        #expect(!channel.isActive)
    }

    @Test("what waits when the connection ends fails")
    func closedEarly() throws {
        let channel = try Self.channel()
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(string: "secret"), promise: written)
        _ = try channel.finish()
        #expect(throws: ChannelError.self) { try written.futureResult.wait() }
    }

    private static func channel() throws -> EmbeddedChannel {
        let policy = PinPolicy(try TestCertificates.pins())
        let channel = EmbeddedChannel(handler: CertificatePinHandler(policy: policy))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }
}
