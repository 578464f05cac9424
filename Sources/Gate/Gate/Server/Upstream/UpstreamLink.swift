import CLibrary
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
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

/// An upstream that is there. Nothing is read of it before somebody else looks after it.
enum UpstreamLink {
    /// With the handler of its handshake, which is in the channel's pipeline until other handlers take over.
    case webSocket(any Channel, UpstreamAnswer, UpstreamHandshakeHandler)
    #if os(Linux)
        /// On the sockets of the client that asked for it.
        case socket(UpstreamAnswer, SocketArrival)
    #endif
    /// A stream of bytes, with or without telnet in them.
    case stream(any Channel)
    case echo

    /// What a WebSocket upstream answered; nil for other kinds.
    var answer: UpstreamAnswer? {
        switch self {
        case .webSocket(_, let answer, _): answer
        #if os(Linux)
            case .socket(let answer, _): answer
        #endif
        case .stream, .echo: nil
        }
    }

    /// The channel of a stream; nil for other kinds.
    var stream: (any Channel)? { if case .stream(let channel) = self { channel } else { nil } }

    func close() {
        switch self {
        case .webSocket(let channel, _, _), .stream(let channel): channel.close(promise: nil)
        #if os(Linux)
            case .socket(_, let sockets): sockets.closeService()
        #endif
        case .echo: break
        }
    }
}

/// What opens connections to the upstream.
protocol UpstreamDialing: AnyObject {
    /// - Parameter done: is called on `loop`, once.
    func dial(
        _ request: UpstreamRequest, on loop: any EventLoop, done: @escaping (Result<UpstreamLink, DialFailure>) -> Void
    )
}

/// A checked 101 of the upstream.
struct UpstreamAnswer {
    /// The header fields that are passed on.
    let fields: HTTPHeaders
    let extensions: ExtensionUse
    /// The fields that name an account, which are not passed on.
    let accounts: HTTPHeaders
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
        case let failure as DialFailure: self = failure
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tls("\(error)")
        case ChannelError.connectTimeout: self = .timeout
        default: self = .unreachable(Self.reason(error))
        }
    }

    /// - Parameter errno: why the system does not get through; 0 where it does not say.
    init(errno: CInt) {
        self = .unreachable(errno == 0 ? "the connection broke" : String(cString: strerror(errno)))
    }

    /// The text of an error, without what those of SwiftNIO say of the place in the code, or not at all.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: return String(cString: strerror(error.errnoCode))
        case let error as SocketAddressError.UnknownHost: return "its name was not found: \(error.errorDescription)"
        case let error as NIOConnectionError:
            // An address that was found and does not answer tells more than a kind of address that was not found.
            let cause = error.connectionErrors.last?.error ?? error.dnsAError ?? error.dnsAAAAError
            return cause.map(reason) ?? "its name has no address"
        default: return "\(error)"
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
