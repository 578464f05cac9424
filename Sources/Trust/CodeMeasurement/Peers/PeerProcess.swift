#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// What the kernel answers when it is asked for a descriptor of the peer.
    enum PeerDescriptor: Equatable {
        case strong(Int32)
        /// This kernel has none to give: the peer is known by its number.
        case olderKernel
        case gone(code: Int32)

        /// - Parameters:
        ///   - result: of `clinux_peer_process`.
        ///   - code: `errno` behind it.
        init(result: Int32, code: Int32) {
            if result >= 0 {
                self = .strong(result)
            } else if code == ENOPROTOOPT {
                self = .olderKernel
            } else {
                // EINVAL, for one, is the answer about a peer that was waited for: its number may be another process
                // already.
                self = .gone(code: code)
            }
        }
    }

    extension ObservedProcess {
        /// The process that connected to a socket.
        ///
        /// - Parameters:
        ///   - socket: a connected Unix socket.
        ///   - credentials: what ``UnixSocket/peerCredentials(of:)`` told.
        /// - Throws: ``Reason/peerIdentity``: the connection is to be dropped.
        package init(connectedTo socket: Int32, _ credentials: PeerCredentials) throws(MeasurementRefusal) {
            let result = clinux_peer_process(socket)
            switch PeerDescriptor(result: result, code: errno) {
            case .strong(let number): try self.init(credentials.process, descriptor: OpenFile(owning: number))
            case .olderKernel: try self.init(credentials.process)
            case .gone(let code):
                throw MeasurementRefusal(
                    .peerIdentity, "process \(credentials.process) is gone: \(Errno(rawValue: code))")
            }
        }
    }
#endif
