import CLibrary
internal import NIOCore

/// What is known of a connection before its first request. It belongs to the connection's event loop.
final class ConnectionFacts {
    /// The address of the socket's other end, until a PROXY preamble tells another.
    var peer: IPAddress
    /// Whether the connection is encrypted.
    let isTLS: Bool
    var certificate: PeerCertificate?
    /// The connection's place among those on which nobody has been let in yet.
    let place: PendingPlace

    init(peer: IPAddress, isTLS: Bool, place: PendingPlace) {
        self.peer = peer
        self.isTLS = isTLS
        self.place = place
    }
}

extension IPAddress {
    /// - Returns: nil for what is no address of IP.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self.init(address.address.sin_addr)
        case .v6(let address): self.init(address.address.sin6_addr)
        default: return nil
        }
    }

    init(_ address: in_addr) { self.init(v4: UInt32(bigEndian: address.s_addr)) }

    init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: high, low: low)
    }
}
