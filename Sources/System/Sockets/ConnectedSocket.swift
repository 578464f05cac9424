#if os(Linux)
    import Glibc
    import Synchronization

    /// A connected stream socket that does not block, by a descriptor of its own, which is closed with the last
    /// reference, if not before.
    package final class ConnectedSocket: Sendable {
        let number: CInt
        private let isOpen = Mutex(true)

        /// Takes a second descriptor of a socket, so that whoever has the first one can close it and the connection
        /// goes on.
        ///
        /// - Parameter descriptor: of a connected stream socket that does not block; it stays its owner's.
        /// - Returns: nil if the process may have no more descriptors.
        package init?(duplicating descriptor: CInt) {
            number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { return nil }
        }

        deinit { closeNow() }

        /// Closes the descriptor. Nothing is read or sent after that; ends may be asked for by other threads, and do
        /// nothing.
        ///
        /// - Parameter resets: whether the other end is told by a reset, and what waits for it is dropped. Without, an
        ///   end that had no room to send goes on asking for some, up to a minute.
        func closeNow(resets: Bool = false) {
            isOpen.withLock { isOpen in
                guard isOpen, number >= 0 else { return }
                if resets {
                    var option = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
                }
                close(number)
                isOpen = false
            }
        }

        enum Outcome {
            /// So many bytes have moved; of a read, 0 is the end of what comes.
            case moved(Int)
            /// Nothing can move now.
            case wouldBlock
            /// The connection is broken.
            case broken
        }

        func receive(into memory: UnsafeMutableRawBufferPointer) -> Outcome {
            Self.outcome { recv(number, memory.baseAddress, memory.count, 0) }
        }

        func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
            Self.outcome { Glibc.send(number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL)) }
        }

        private static func outcome(_ call: () -> Int) -> Outcome {
            while true {
                let count = call()
                if count >= 0 { return .moved(count) }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .wouldBlock
                default: return .broken
                }
            }
        }

        /// Sends the end of what goes out, behind everything that was sent.
        func endOutput() { end(CInt(SHUT_WR)) }

        /// Ends both directions; whoever waits for the socket is woken.
        func end() { end(CInt(SHUT_RDWR)) }

        private func end(_ directions: CInt) { isOpen.withLock { if $0 { shutdown(number, directions) } } }
    }
#endif
