import NIOCore
import NIOSSL

/// Closes a connection below TLS: the usual end of TLS waits for the other side's word, and the other side is not
/// trusted.
enum HardClose {
    /// Closes a channel. To be called on its event loop.
    static func close(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}
