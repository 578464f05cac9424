import Foundation
import NetworkExtension
import Vigil
import VigilValidator

/// The validator of the app: a packet tunnel provider that carries no packets. The system starts it in a process of its
/// own, and carries messages between the two.
final class PacketTunnelProvider: NEPacketTunnelProvider {
    private let validator = Result { try Validator() }

    override func startTunnel(
        options: [String: NSObject]? = nil, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        switch validator {
        case .success: completionHandler(nil)
        case .failure(let error): completionHandler(error)
        }
    }

    override func stopTunnel(with reason: NEProviderStopReason, completionHandler: @escaping @Sendable () -> Void) {
        try? validator.get().responder.close()
        completionHandler()
    }

    override func handleAppMessage(_ messageData: Data, completionHandler: (@Sendable (Data?) -> Void)? = nil) {
        guard let responder = try? validator.get().responder else {
            completionHandler?(nil)
            return
        }
        responder.handle(appMessage: messageData, completionHandler)
    }
}

/// The engine, and what carries messages to it.
struct Validator {
    let responder: ExchangeResponder

    init() throws {
        let parts = try VigilParts(.validator)
        let identity = ValidatorIdentity(
            key: parts.key, hash: try parts.own.digestOfThisProcess(), appHash: parts.other.hash,
            epoch: parts.own.epoch)
        var policy = ValidatorPolicy()
        // Keys are in the app group, and pinned there.
        policy.requiresToken = false
        let engine = VigilValidatorEngine(identity, policy, pins: parts.pins, inspector: ProviderInspector())
        responder = ExchangeResponder(peer: nil) { engine.serve($0) }
    }
}
