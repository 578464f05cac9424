internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import WebSocketFrames

/// What an upstream is asked for.
struct UpstreamRequest: Sendable {
    let head: HTTPRequestHead
    let visitor: Visitor
    /// Whether the client's connection is encrypted.
    let isTLS: Bool
    let identity: Identity
}

/// An upstream that is there. The channel reads nothing before it has a new handler.
enum UpstreamLink {
    case webSocket(any Channel, UpstreamAnswer)
    /// A stream of bytes, with or without telnet in them.
    case stream(any Channel)
    case echo

    var channel: (any Channel)? {
        switch self {
        case .webSocket(let channel, _), .stream(let channel): channel
        case .echo: nil
        }
    }
}

/// A checked 101 of the upstream.
struct UpstreamAnswer {
    /// The header fields that are passed on.
    let fields: HTTPHeaders
    let extensions: ExtensionUse
    /// The fields that name an account, which are not passed on.
    let accounts: HTTPHeaders
    /// The handshake, which is in the channel's pipeline until other handlers take over.
    let handler: UpstreamHandshake
}

/// Why there is no upstream.
enum DialFailure: Error {
    case unreachable(String)
    /// The upstream answered, but not with a handshake that fits.
    case refused(String)
    case timeout
    case tls(String)

    init(_ error: any Error) {
        switch error {
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tls("\(error)")
        default: self = .unreachable("\(error)")
        }
    }

    var code: RefusalCode {
        switch self {
        case .unreachable, .tls: .upstreamUnreachable
        case .refused: .upstreamRefused
        case .timeout: .upstreamTimeout
        }
    }

    var metric: UpstreamError {
        switch self {
        case .unreachable: .unreachable
        case .refused: .refused
        case .timeout: .timeout
        case .tls: .tls
        }
    }

    /// The text for the log; the client is told the code.
    var text: String {
        switch self {
        case .unreachable(let reason): "unreachable: \(reason)"
        case .refused(let reason): "refused: \(reason)"
        case .timeout: "no answer in time"
        case .tls(let reason): "TLS: \(reason)"
        }
    }
}
