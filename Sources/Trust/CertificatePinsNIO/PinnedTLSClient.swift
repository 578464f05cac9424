import CertificatePins
import NIOCore
import NIOSSL

/// TLS of a client that talks to pinned keys only.
///
///     let tls = try PinnedTLSClient(policy: policy)
///     let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
///         channel.eventLoop.makeCompletedFuture {
///             try tls.addHandlers(to: channel.pipeline.syncOperations, host: "api.example.org")
///             try channel.pipeline.syncOperations.addHandler(MyProtocol())
///         }
///     }
///
/// Chain and host name are verified in full first; then the pins are asked; only then is anything sent.
///
/// Source: `mainkey` section 26.
public struct PinnedTLSClient: Sendable {
    private let context: NIOSSLContext
    private let policy: PinPolicy

    /// - Parameter configuration: must verify in full, as it does unless changed.
    /// - Throws: ``PinError/configError(reason:)`` if it does not, or cannot be used.
    public init(
        configuration: TLSConfiguration = .makeClientConfiguration(), policy: PinPolicy
    ) throws(PinError) {
        try configuration.checkFitForPins()
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .configError(reason: "the settings of TLS are not taken: \(error)")
        }
        self.policy = policy
    }

    /// Adds TLS and the check of the pins at the end of the pipeline, before the handlers of the protocol.
    ///
    /// With NIOSSL's verification only the server's own certificate is visible: pin keys of servers, not of
    /// authorities.
    ///
    /// - Parameter host: the name that the certificate must be for.
    /// - Throws: what NIOSSL says of a name that cannot be one, such as an address.
    public func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, host: String) throws {
        try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: host))
        try pipeline.addHandler(CertificatePinHandler(policy: policy))
    }

    /// The same with a verification of one's own in the place of NIOSSL's. Every certificate of the chain that `verify`
    /// gives back as verified may match.
    ///
    /// - Parameter verify: verifies the chain to a trusted root, and gives that chain back; NIOSSL still checks the
    ///   host name.
    public func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, host: String,
        verifyingWith verify: @escaping NIOSSLCustomVerificationCallbackWithMetadata
    ) throws {
        try pipeline.addHandler(
            try NIOSSLClientHandler(
                context: context, serverHostname: host, customVerificationCallbackWithMetadata: verify))
        try pipeline.addHandler(CertificatePinHandler(policy: policy))
    }
}

extension TLSConfiguration {
    /// Pins are asked after verification, never in its place.
    func checkFitForPins() throws(PinError) {
        guard certificateVerification == .fullVerification else {
            throw .configError(
                reason: "pins need TLS that verifies chain and host name in full; set certificateVerification to "
                    + ".fullVerification")
        }
    }
}
