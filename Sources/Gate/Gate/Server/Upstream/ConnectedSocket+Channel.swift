#if os(Linux)
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
        /// The address as the system has it (`sockaddr`).
        var systemBytes: [UInt8] {
            withSockAddr { address, length in Array(UnsafeRawBufferPointer(start: address, count: length)) }
        }
    }
#endif
