#if os(Linux)
    import CLinux
    import Glibc

    /// A stream socket that is connected, or about to be, and does not block, by a descriptor of its own, which is
    /// closed with the last reference, if not before.
    // @unchecked: whether it is open changes on the thread alone that looks after it.
    package final class ConnectedSocket: @unchecked Sendable {
        private let number: CInt
        private var isOpen = true

        /// Takes a second descriptor of a socket, so that whoever has the first one can close it and the connection
        /// goes on.
        ///
        /// - Parameter descriptor: of a connected stream socket that does not block; it stays its owner's.
        /// - Returns: nil if the process may have no more descriptors.
        package init?(duplicating descriptor: CInt) {
            number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { return nil }
        }

        /// Takes over a descriptor.
        init(owning descriptor: CInt) { number = descriptor }

        /// Begins to connect. What is sent meanwhile does not move; a connection that fails is broken.
        ///
        /// - Parameter address: of IP, or of a Unix socket, as the system has it (`sockaddr`).
        /// - Throws: where it fails at once.
        package init(connectingTo address: [UInt8]) throws(SocketFailure) {
            let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let number = address.withUnsafeBytes { address in
                let place = address.assumingMemoryBound(to: sockaddr.self).baseAddress
                let number = socket(CInt(place?.pointee.sa_family ?? 0), kind, 0)
                guard number >= 0, connect(number, place, socklen_t(address.count)) != 0, errno != EINPROGRESS else {
                    return number
                }
                let failure = errno
                Glibc.close(number)
                errno = failure
                return -1
            }
            guard number >= 0 else { throw SocketFailure(errno: errno) }
            self.number = number
        }

        deinit { close(resets: false) }

        /// Sets an option to a number. One that the system refuses stays as it was.
        package func set(_ option: CInt, of level: CInt, to value: CInt) {
            var value = value
            setsockopt(number, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
        }

        /// Closes the descriptor. Nothing is read or sent after that.
        ///
        /// - Parameter resets: whether the other end is told by a reset, and what waits for it is dropped. Without, an
        ///   end that had no room to send goes on asking for some, up to a minute.
        package func close(resets: Bool) {
            guard isOpen, number >= 0 else { return }
            isOpen = false
            if resets {
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            }
            Glibc.close(number)
        }

        /// Where the other end is; nil where that is not known any more.
        var peer: SocketListener.Address? {
            var address = SocketListener.Address()
            var length = socklen_t(MemoryLayout<SocketListener.Address>.size)
            let result = withUnsafeMutableBytes(of: &address) { bytes in
                getpeername(number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
            return isOpen && result == 0 ? address : nil
        }

        // MARK: Bytes

        enum Outcome {
            /// So many bytes have moved; of a read, 0 is the end of what comes.
            case moved(Int)
            /// Nothing can move now.
            case wouldBlock
            /// The connection is broken, for a reason of the system's.
            case broken(errno: CInt)
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
                default: return .broken(errno: errno)
                }
            }
        }

        /// Sends the end of what goes out, behind everything that was sent.
        func endOutput() { if isOpen { shutdown(number, CInt(SHUT_WR)) } }

        // MARK: What is waited for

        /// Waits for other things than before, or for more of the same. Each is told once.
        ///
        /// - Parameters:
        ///   - events: the descriptor of a thread's events.
        ///   - watched: what is waited for, as the system was told.
        ///   - wanted: what is to be waited for. Nothing: the socket is not watched at all.
        ///   - again: whether it is told again what is so already.
        /// - Returns: false where the system cannot watch it.
        func watch(
            by events: Int32, as token: UInt64, _ watched: inout Int32, _ wanted: Int32, again: Bool
        ) -> Bool {
            guard wanted != watched || again && wanted != 0 else { return true }
            let asked = wanted | Interest.once
            let result =
                watched == 0
                ? clinux_events_add(events, number, token, asked)
                : wanted == 0
                    ? clinux_events_remove(events, number) : clinux_events_change(events, number, token, asked)
            guard result == 0 else { return false }
            watched = wanted
            return true
        }
    }

    /// Why the system gave no connection.
    package struct SocketFailure: Error {
        package let errno: CInt
    }

    /// What a socket is waited for, as CLinux has it.
    enum Interest {
        static let readable = Int32(clinux_event_readable.rawValue)
        static let writable = Int32(clinux_event_writable.rawValue)
        static let once = Int32(clinux_event_once.rawValue)
        /// Told, and not asked for.
        static let ended = Int32(clinux_event_ended.rawValue)
    }
#endif
