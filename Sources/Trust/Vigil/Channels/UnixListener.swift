#if os(Linux)
    import CLinux
    import CodeMeasurement
    import Files
    import Glibc
    import Threads

    /// A socket that a validator listens on.
    ///
    /// Its folder belongs to the validator, and others may at most go through it; the socket has mode 0660, so that its
    /// group may connect.
    ///
    /// Source: `vigil` sections 7 and 12.
    public final class UnixListener: Sendable {
        private static let backlog: Int32 = 64
        package let path: String
        private let socket: OpenFile
        /// Whether this process has made the socket, and so removes it.
        private let isOwn: Bool
        /// Wakes who waits for a connection, for good.
        private let ending: WakeDescriptor

        /// Takes the place of a socket that a former process left; one that a process listens on is not taken.
        ///
        /// - Throws: ``ChannelError``: `failed` with the path and what to do.
        public init(at path: String) throws(ChannelError) {
            self.path = path
            isOwn = true
            try Self.checkFolder(of: path)
            try Self.removeStale(path)
            ending = try Self.makeEnding()
            socket = try UnixAddress.makeSocket()
            let number = socket.number
            // Not the umask of the process, which all of its threads share: the folder keeps others away meanwhile.
            guard try UnixAddress.with(path, { bind(number, $0, $1) }) == 0, chmod(path, 0o660) == 0,
                listen(number, Self.backlog) == 0
            else { throw .failed("\(path): \(Errno(rawValue: errno))") }
        }

        /// Takes a socket that the manager of services has made and listens on. It stays as it is for the next process,
        /// with whoever waits in it to be accepted.
        ///
        /// - Throws: ``ChannelError``: `failed` where it is none, or the system has no descriptor left.
        public init(inherited number: Int32, path: String) throws(ChannelError) {
            self.path = path
            isOwn = false
            socket = OpenFile(owning: number)
            ending = try Self.makeEnding()
            let flags = fcntl(number, F_GETFL)
            guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0,
                fcntl(number, F_SETFD, FD_CLOEXEC) == 0
            else { throw .failed("\(path), as descriptor \(number): \(Errno(rawValue: errno))") }
        }

        /// Waits for the next connection.
        ///
        /// - Throws: ``ChannelError``: `closed` after ``close()``.
        package func accept() throws(ChannelError) -> OpenFile {
            while true {
                try waitForConnection()
                let number = clinux_peer_accept(socket.number)
                if number >= 0 { return OpenFile(owning: number) }
                switch errno {
                // Also where another process has taken it.
                case EINTR, ECONNABORTED, EAGAIN: continue
                // No descriptors are left: others will be given back.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
                case EINVAL, EBADF: throw .closed
                default: throw .failed("\(path): \(Errno(rawValue: errno))")
                }
            }
        }

        private func waitForConnection() throws(ChannelError) {
            var wanted = [socket.number, ending.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while poll(&wanted, nfds_t(wanted.count), -1) <= 0 {
                // The system has no memory for it now.
                if errno != EINTR { usleep(100_000) }
            }
            // A socket that was shut down is always ready, and never has a connection.
            guard wanted[1].revents == 0, wanted[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else {
                throw .closed
            }
        }

        /// Ends it, also for threads that wait.
        public func close() {
            ending.raise()
            // Shutting it down would be for all who have it: one of the manager of services is the next process's.
            guard isOwn else { return }
            shutdown(socket.number, Int32(SHUT_RDWR))
            unlink(path)
        }

        private static func makeEnding() throws(ChannelError) -> WakeDescriptor {
            guard let ending = WakeDescriptor() else { throw .failed("\(Errno(rawValue: errno))") }
            return ending
        }

        private static func checkFolder(of path: String) throws(ChannelError) {
            let folder = String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
            do throws(ConfigurationError) { try TrustedPath().checkFolders(above: folder) } catch {
                throw .failed(error.description)
            }
            var status = stat()
            guard lstat(folder, &status) == 0 else { throw .failed("\(folder): \(Errno(rawValue: errno))") }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .failed("\(folder) is not a folder") }
            guard status.st_uid == geteuid() else {
                throw .failed("\(folder) belongs to user \(status.st_uid); it has to belong to the validator's")
            }
            guard status.st_mode & 0o027 == 0 else {
                throw .failed(
                    "others may use \(folder) (mode \(String(status.st_mode & 0o777, radix: 8))); run chmod 750 on it")
            }
        }

        /// Removes a socket that no process listens on any more.
        private static func removeStale(_ path: String) throws(ChannelError) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return }
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw .failed("\(path) exists, and is not a socket") }
            let probe = try UnixAddress.makeSocket()
            guard try UnixAddress.with(path, { connect(probe.number, $0, $1) }) != 0, errno == ECONNREFUSED else {
                throw .failed("\(path): another validator listens there")
            }
            unlink(path)
        }
    }
#endif
