#if os(iOS) && canImport(NetworkExtension)
    import CodeMeasurement
    import Foundation
    import NetworkExtension

    /// The app's end of a conversation with a validator that is its packet tunnel provider. A filter data provider
    /// cannot be one: its sandbox lets no message in.
    ///
    /// The system delivers provider messages only between an app and its own extension, and says no more of either: no
    /// level above the reported one can be taken.
    ///
    /// Not run where this project is tested, and so nothing but a wrapper of ``ExchangeChannel``. The provider's
    /// side is
    ///
    ///     override func handleAppMessage(_ messageData: Data, completionHandler: (@Sendable (Data?) -> Void)?) {
    ///         responder.handle(appMessage: messageData, completionHandler)
    ///     }
    ///
    /// Source: `vigil` section 11.3.
    public struct ProviderEndpoint: ValidatorEndpoint {
        private let session: TunnelSession

        /// - Parameter session: of a tunnel that runs (`NETunnelProviderManager.connection`).
        public init(_ session: NETunnelProviderSession) {
            self.session = TunnelSession(session: session)
        }

        /// Begins a conversation over the session.
        public func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            ProviderMessageChannel(session)
        }
    }

    // @unchecked: sendProviderMessage may be called from any thread, and nothing else is used.
    private struct TunnelSession: @unchecked Sendable {
        let session: NETunnelProviderSession

        func exchange(_ message: [UInt8], _ reply: @escaping @Sendable ([UInt8]?) -> Void) {
            do {
                try session.sendProviderMessage(Data(message)) { reply($0.map(Array.init)) }
            } catch {
                reply(nil)
            }
        }
    }

    /// Messages to a provider, one answer each.
    final class ProviderMessageChannel: MessageChannel {
        private let channel: ExchangeChannel

        fileprivate init(_ session: TunnelSession) {
            channel = ExchangeChannel(peer: nil) { session.exchange($0, $1) }
        }

        var peer: PeerCredentials? { nil }

        func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError) {
            try channel.send(message, attachments: attachments, until: deadline)
        }

        func receive(until deadline: Deadline) throws(ChannelError) -> Received {
            try channel.receive(until: deadline)
        }

        func close() { channel.close() }
    }

    /// Looks at nothing, as the system lets neither app nor extension look into the other. Who is at the other end is
    /// known all the same: it delivers provider messages between an app and its own extension alone.
    public struct ProviderInspector: PeerInspector {
        /// An inspector for both ends.
        public init() {}

        /// Takes hold of nothing.
        public func inspect(_ channel: any MessageChannel) -> any InspectedPeer { ProviderPeer() }
    }

    private final class ProviderPeer: InspectedPeer {
        let identity: ProcessIdentity? = nil

        func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
            guard mask.isEmpty else { throw Refusal(.malformed, "there are no measurement handles on this system") }
        }

        func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
            // What the other side reports of itself is compared by the handshake.
            Inspection(measured: .selfReported, hash: nil)
        }
    }

    extension ExchangeResponder {
        /// Takes a message as `NEPacketTunnelProvider.handleAppMessage` gets it.
        public func handle(appMessage message: Data, _ completion: (@Sendable (Data?) -> Void)?) {
            exchange(Array(message)) { completion?($0.map { Data($0) }) }
        }
    }
#endif
