#if os(Linux)
    import CLinux
    import Glibc
    import Scheduling

    /// A socket at which connections arrive, taken by a relay's thread one after the other.
    ///
    /// Out of descriptors, a connection can neither be taken nor turned away: asking again at once keeps a core busy
    /// with nothing, so that the listener rests for a moment then.
    // @unchecked: everything that changes is used by its thread alone.
    package final class SocketListener: @unchecked Sendable {
        /// The address of the other end of a connection.
        package typealias Address = sockaddr_storage

        private static let pause = Duration.milliseconds(100)

        private let number: CInt
        private let arrived: @Sendable (ConnectedSocket, Address) -> Void
        private var isOpen = true

        /// - Parameters:
        ///   - descriptor: of a listening socket that does not block; it stays its owner's.
        ///   - arrived: is called on the thread.
        /// - Returns: nil if the process may have no more descriptors.
        package init?(
            duplicating descriptor: CInt, _ arrived: @escaping @Sendable (ConnectedSocket, Address) -> Void
        ) {
            number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            self.arrived = arrived
            guard number >= 0 else { return nil }
        }

        deinit { if isOpen, number >= 0 { Glibc.close(number) } }

        /// Takes a connection, if one is there.
        ///
        /// - Returns: false where the system refuses it, and is not to be asked again at once.
        func accept() -> Bool {
            var address = Address()
            let descriptor = clinux_accept(number, &address)
            guard descriptor < 0 else {
                arrived(ConnectedSocket(owning: descriptor), address)
                return true
            }
            // These are about one connection, or none; whatever else it is would come again at once.
            return [EAGAIN, EINTR, ECONNABORTED, EPROTO].contains(errno)
        }

        /// Begins to wait for connections, or rests.
        func watch(by events: Int32, as token: UInt64, isResting: Bool = false) -> Bool {
            guard isOpen else { return true }
            return isResting
                ? clinux_events_remove(events, number) == 0
                : clinux_events_add(events, number, token, Interest.readable) == 0
        }

        /// When it may be asked again that rests now.
        static var nextTime: SteadyInstant { .now + pause }

        /// Takes no connections any more.
        func close(by events: Int32) {
            guard isOpen else { return }
            isOpen = false
            _ = clinux_events_remove(events, number)
            Glibc.close(number)
        }
    }
#endif
