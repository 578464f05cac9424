// A stub, see README.md.
import Dispatch
import Foundation

/// Source: developer.apple.com/documentation/xpc/xpcricherror
@available(macOS 14, iOS 17, *)
public struct XPCRichError: Error {}

/// Source: developer.apple.com/documentation/xpc/xpcsession
@available(macOS 14, iOS 17, *)
public class XPCSession: @unchecked Sendable {
    private init() {}
    public func activate() throws { fatalError() }
    public func cancel(reason: String) { fatalError() }
    public func setCancellationHandler(_ cancellationHandler: @escaping @Sendable (XPCRichError) -> Void) {
        fatalError()
    }
    public func send<Message: Encodable>(_ message: Message) throws { fatalError() }
    public func send<Message: Encodable>(
        _ message: Message, replyHandler: @escaping @Sendable (Result<XPCReceivedMessage, XPCRichError>) -> Void
    ) throws { fatalError() }
    public func send<Message: Encodable, Reply: Decodable>(
        _ message: Message, replyHandler: @escaping @Sendable (Result<Reply, any Error>) -> Void
    ) throws { fatalError() }
}

/// Source: developer.apple.com/documentation/xpc/xpcreceivedmessage
@available(macOS 14, iOS 17, *)
public struct XPCReceivedMessage {
    public func decode<T: Decodable>(as type: T.Type = T.self) throws -> T { fatalError() }
    public func reply<Message: Encodable>(_ object: Message) { fatalError() }
}

/// Source: developer.apple.com/documentation/xpc/xpclistener
@available(macOS 14, iOS 17, *)
public class XPCListener {
    /// Source: developer.apple.com/documentation/xpc/xpclistener/incomingsessionrequest
    public class IncomingSessionRequest {
        public struct Decision {}

        public func accept<Message: Decodable>(
            incomingMessageHandler: @escaping @Sendable (Message) -> (any Encodable)?,
            cancellationHandler: (@Sendable (XPCRichError) -> Void)? = nil
        ) -> Decision { fatalError() }
        public func accept(
            incomingMessageHandler: @escaping @Sendable (XPCReceivedMessage) -> (any Encodable)?,
            cancellationHandler: (@Sendable (XPCRichError) -> Void)? = nil
        ) -> Decision { fatalError() }
        public func accept<Handler: XPCPeerHandler>(
            _ inactiveSessionHandler: (XPCSession) -> Handler
        ) -> Decision where Handler.Input: Decodable, Handler.Output == any Encodable { fatalError() }
        public func reject(reason: String) -> Decision { fatalError() }
    }
}

/// Source: developer.apple.com/documentation/xpc/xpcpeerhandler
@available(macOS 14, iOS 17, *)
public protocol XPCPeerHandler: Sendable {
    associatedtype Input
    associatedtype Output
    func handleIncomingRequest(_ request: Input) -> Output?
    func handleCancellation(error: XPCRichError)
}

@available(macOS 14, iOS 17, *)
extension XPCPeerHandler {
    public func handleCancellation(error: XPCRichError) {}
}
