#if os(Linux)
    import Glibc
    internal import NIOCore
    internal import Sockets

    extension ConnectedSocket {
        /// The socket of a channel that has sent all that it was given. On its event loop.
        convenience init?(of channel: any Channel) {
            guard channel.isActive, let options = channel.syncOptions,
                (try? options.getOption(.bufferedWritableBytes)) == 0
            else { return nil }
            let number = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: CInt) in handle
            }
            guard let number else { return nil }
            self.init(duplicating: number)
        }
    }

    extension SocketAddress {
        /// - Returns: nil for what is no address of IP.
        init?(_ address: SocketListener.Address) {
            switch CInt(address.ss_family) {
            case AF_INET: self.init(withUnsafeBytes(of: address) { $0.loadUnaligned(as: sockaddr_in.self) }, host: "")
            case AF_INET6: self.init(withUnsafeBytes(of: address) { $0.loadUnaligned(as: sockaddr_in6.self) }, host: "")
            default: return nil
            }
        }

        /// The address as the system has it (`sockaddr`).
        var systemBytes: [UInt8] {
            withSockAddr { address, length in Array(UnsafeRawBufferPointer(start: address, count: length)) }
        }
    }
#endif
