import CLibrary
internal import NIOCore

#if os(Linux)
    internal import Sockets
#endif

extension NIOBSDSocket.Option {
    #if canImport(Glibc)
        /// Seconds of silence after which the system asks whether the other end is there.
        static let keepAliveIdle = NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)
        /// Milliseconds after which a connection is given up whose other end takes nothing.
        fileprivate static let giveUp = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)
        fileprivate static let giveUpUnit = 1_000
    #else
        static let keepAliveIdle = NIOBSDSocket.Option(rawValue: TCP_KEEPALIVE)
        fileprivate static let giveUp = NIOBSDSocket.Option(rawValue: TCP_RXT_CONNDROPTIME)
        fileprivate static let giveUpUnit = 1
    #endif
    fileprivate static let keepAliveInterval = NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL)
    fileprivate static let keepAliveCount = NIOBSDSocket.Option(rawValue: TCP_KEEPCNT)
}

/// How the system finds clients that are gone, where the gate sends no pings.
///
/// Source: `appattest-gate` section 4.6.
enum PeerWatch {
    private static let interval = 30
    private static let limit = 90
    private static var settings: [(NIOBSDSocket.Option, Int)] {
        [
            (.keepAliveIdle, interval), (.keepAliveInterval, interval), (.keepAliveCount, limit / interval - 1),
            (.giveUp, limit * NIOBSDSocket.Option.giveUpUnit),
        ]
    }

    /// Has the system ask a silent client every 30 seconds whether it is there, and give it up after 90 seconds without
    /// an answer, or without room for what is sent.
    static func start(on channel: any Channel) {
        guard let options = channel.syncOptions else { return }
        // A client that has gone already refuses them, and is noticed when it is read.
        try? options.setOption(.socketOption(.so_keepalive), value: 1)
        for (option, value) in settings { try? options.setOption(.tcpOption(option), value: value) }
    }

    #if os(Linux)
        /// The same for the client of a pair.
        static func start(on pair: RelayedPair) {
            pair.set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1, on: .client)
            for (option, value) in settings {
                pair.set(option.rawValue, of: CInt(IPPROTO_TCP), to: CInt(value), on: .client)
            }
        }
    #endif
}
