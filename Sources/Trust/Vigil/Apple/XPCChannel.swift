#if os(macOS) && canImport(XPC)
    import CodeMeasurement
    import Foundation

    /// What app and validator say to each other over XPC: one message, and the next one of the validator.
    ///
    /// Messages of version 1 go the same way; the validator tells them by their first byte.
    ///
    /// Source: `vigil` section 11.2.
    @objc protocol VigilExchange {
        func exchange(_ message: Data, reply: @escaping @Sendable (Data?) -> Void)
    }

    /// The app's end of a conversation with the validator that is its XPC service.
    ///
    /// Not run where this project is tested, and so nothing but a wrapper of ``ExchangeChannel``.
    ///
    /// Source: `vigil` section 11.2.
    final class XPCChannel: CodeSignedChannel {
        let requirement: String
        private let line: XPCLine
        private let channel: ExchangeChannel

        /// - Parameters:
        ///   - service: the name of the bundle in `Contents/XPCServices`.
        ///   - requirement: ``SignedProgram/requirement``, which the system holds the validator to.
        init(service: String, requirement: String) {
            self.requirement = requirement
            let connection = NSXPCConnection(serviceName: service)
            connection.remoteObjectInterface = NSXPCInterface(with: VigilExchange.self)
            connection.setCodeSigningRequirement(requirement)
            connection.resume()
            let line = XPCLine(connection: connection)
            self.line = line
            channel = ExchangeChannel(peer: nil) { line.exchange($0, $1) }
        }

        var peer: PeerCredentials? { channel.peer }

        func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError) {
            try channel.send(message, attachments: attachments, until: deadline)
        }

        func receive(until deadline: Deadline) throws(ChannelError) -> Received {
            try channel.receive(until: deadline)
        }

        func close() {
            channel.close()
            line.connection.invalidate()
        }
    }

    // @unchecked: NSXPCConnection may be used from any thread.
    private struct XPCLine: @unchecked Sendable {
        let connection: NSXPCConnection

        func exchange(_ call: [UInt8], _ reply: @escaping @Sendable ([UInt8]?) -> Void) {
            let proxy = connection.remoteObjectProxyWithErrorHandler { _ in reply(nil) } as? any VigilExchange
            guard let proxy else { return reply(nil) }
            proxy.exchange(Data(call)) { reply($0.map(Array.init)) }
        }
    }

    /// A validator that is an XPC service.
    public struct XPCEndpoint: ValidatorEndpoint {
        private let service: String
        private let requirement: String

        /// - Parameters:
        ///   - service: the name of the bundle in `Contents/XPCServices`.
        ///   - requirement: ``SignedProgram/requirement``.
        public init(service: String, requirement: String) {
            self.service = service
            self.requirement = requirement
        }

        /// Opens a connection of its own.
        public func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            XPCChannel(service: service, requirement: requirement)
        }
    }

    /// The validator's end: the delegate of its listener.
    ///
    ///     let delegate = XPCValidator(requirement: app.requirement) { engine.serve($0) }
    ///     let listener = NSXPCListener.service()
    ///     listener.delegate = delegate
    ///     listener.resume()
    public final class XPCValidator: NSObject, NSXPCListenerDelegate, Sendable {
        private let requirement: String
        private let serve: @Sendable (any MessageChannel) -> Void

        /// - Parameters:
        ///   - requirement: what the system holds apps to.
        ///   - serve: talks with one app until one of the two ends it.
        public init(requirement: String, serve: @escaping @Sendable (any MessageChannel) -> Void) {
            self.requirement = requirement
            self.serve = serve
        }

        /// Takes a connection, which the system holds to the requirement.
        public func listener(_ listener: NSXPCListener, shouldAcceptNewConnection connection: NSXPCConnection) -> Bool {
            connection.setCodeSigningRequirement(requirement)
            let peer = PeerCredentials(
                process: connection.processIdentifier, user: connection.effectiveUserIdentifier,
                group: connection.effectiveGroupIdentifier)
            let responder = ExchangeResponder(peer: peer) { [serve, requirement] in
                serve(RequiredChannel($0, requirement: requirement))
            }
            connection.exportedInterface = NSXPCInterface(with: VigilExchange.self)
            connection.exportedObject = ExportedExchange(responder)
            connection.invalidationHandler = { responder.close() }
            connection.resume()
            return true
        }
    }

    private final class ExportedExchange: NSObject, VigilExchange, Sendable {
        private let responder: ExchangeResponder

        init(_ responder: ExchangeResponder) {
            self.responder = responder
        }

        func exchange(_ message: Data, reply: @escaping @Sendable (Data?) -> Void) {
            responder.exchange(Array(message)) { reply($0.map { Data($0) }) }
        }
    }

    /// The served end of a connection that the system holds to a requirement.
    private final class RequiredChannel: CodeSignedChannel {
        private let channel: any MessageChannel
        let requirement: String
        var peer: PeerCredentials? { channel.peer }

        init(_ channel: any MessageChannel, requirement: String) {
            self.channel = channel
            self.requirement = requirement
        }

        func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError) {
            try channel.send(message, attachments: attachments, until: deadline)
        }

        func receive(until deadline: Deadline) throws(ChannelError) -> Received { try channel.receive(until: deadline) }

        func close() { channel.close() }
    }
#endif
