#if os(Linux)
    import CodeMeasurement
    import Files
    import Glibc

    /// A channel over a connected Unix stream socket. Every message names its sender, who has to stay the same.
    ///
    /// Source: `vigil` sections 4.1 and 7.
    // @unchecked: `constant`, `senderProcess` and `frame` are used by the thread that receives, which is one at a time
    // (MessageChannel); all else is constant.
    package final class UnixSocketChannel: AwaitedChannel, @unchecked Sendable {
        package static let usualFrameTime = Duration.seconds(2)

        package let peer: PeerCredentials?
        let socket: OpenFile
        /// The process that connected, at the side that accepted.
        let accepted: PeerCredentials?
        private var constant: ConstantSender
        private var senderProcess: OpenFile?
        /// The bytes of the next message that have come so far, kept for the next call that receives.
        private var frame = PartialFrame()
        /// How long a frame may take from its first byte to its last.
        private let frameTime: Duration

        /// - Parameters:
        ///   - socket: connected.
        ///   - isAccepting: whether this is the side that accepted: there the kernel knows who connected.
        ///   - frameTime: how long a frame may take once it has begun.
        package init(
            _ socket: OpenFile, isAccepting: Bool, frameTime: Duration = usualFrameTime
        ) throws(ChannelError) {
            self.socket = socket
            self.frameTime = frameTime
            do throws(Errno) {
                try UnixSocket.nameSenders(of: socket.number)
                let credentials = try UnixSocket.peerCredentials(of: socket.number)
                peer = credentials
                accepted = isAccepting ? credentials : nil
                constant = ConstantSender(expected: accepted)
                guard fcntl(socket.number, F_SETFL, fcntl(socket.number, F_GETFL) | O_NONBLOCK) == 0 else {
                    throw Errno(rawValue: errno)
                }
            } catch {
                throw .failed("\(error)")
            }
        }

        /// Connects to a validator.
        ///
        /// - Throws: ``ChannelError``: `closed` if no process listens there.
        package static func connect(
            to path: String, until deadline: Deadline, frameTime: Duration = usualFrameTime
        ) throws(ChannelError) -> UnixSocketChannel {
            let socket = try UnixAddress.makeSocket()
            while true {
                let result = try UnixAddress.with(path) { Glibc.connect(socket.number, $0, $1) }
                if result == 0 || errno == EISCONN { break }
                switch errno {
                case EINTR: continue
                // The queue of the listener is full: there is nothing to wait for but time.
                case EAGAIN:
                    guard SuspendingClock().now < deadline else { throw .timedOut }
                    usleep(2000)
                case ENOENT, ECONNREFUSED: throw .closed
                default: throw .failed("\(path): \(Errno(rawValue: errno))")
                }
            }
            return try UnixSocketChannel(socket, isAccepting: false, frameTime: frameTime)
        }

        package func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError)
        {
            guard (1...Frame.messageLimit).contains(message.count) else {
                throw .malformed("a message of \(message.count) bytes")
            }
            let frame = Frame.bytes(of: message)
            var sent = 0
            while sent < frame.count {
                let part = frame.withUnsafeBytes { bytes in
                    Result { () throws(Errno) in
                        try UnixSocket.send(
                            UnsafeRawBufferPointer(rebasing: bytes[sent...]),
                            descriptors: sent == 0 ? attachments : [], over: socket.number)
                    }
                }
                switch part {
                case .success(let count): sent += count
                case .failure(let failure): try waitAfter(failure, for: Int16(POLLOUT), until: deadline)
                }
                guard sent == frame.count || SuspendingClock().now < deadline else { throw .timedOut }
            }
        }

        /// A frame that has begun has its own time, whatever the deadline of a single call: one that does not come to
        /// its end in that is malformed.
        package func receive(until deadline: Deadline) throws(ChannelError) -> Received {
            while true {
                let part = frame.withRest { rest in
                    Result { () throws(Errno) in try UnixSocket.receive(into: rest, from: socket.number) }
                }
                switch part {
                case .success(let part):
                    if let message = try take(part) {
                        defer { frame = PartialFrame() }
                        return Received(message, attachments: frame.attachments, sender: constant.credentials)
                    }
                    try checkTime(until: deadline)
                case .failure(let failure): try wait(after: failure, until: deadline)
                }
            }
        }

        package func awaitMessage(until deadline: Deadline) -> Bool {
            while true {
                let left = max(.zero, SuspendingClock().now.duration(to: deadline))
                if poll(for: Int16(POLLIN), atMost: left) { return true }
                if SuspendingClock().now >= deadline { return false }
            }
        }

        package func close() {
            // A thread that waits is woken; the descriptor goes with the channel.
            shutdown(socket.number, Int32(SHUT_RDWR))
        }
    }

    /// What has come of a frame.
    ///
    /// Descriptors come with its first byte, and nothing is read beyond its end, so that it is known whose they are.
    private struct PartialFrame {
        private(set) var attachments: [Attachment] = []
        private(set) var began: Deadline?
        private var bytes = [UInt8](repeating: 0, count: Frame.headerCount)
        private var count = 0
        private var isHeader = true

        /// Where the next bytes belong.
        mutating func withRest<R>(_ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
            bytes.withUnsafeMutableBytes { body(UnsafeMutableRawBufferPointer(rebasing: $0[count...])) }
        }

        /// - Parameter part: of which the bytes lie where they belong.
        /// - Returns: the message, once it is whole.
        mutating func take(_ part: ReceivedMessage) throws(ChannelError) -> [UInt8]? {
            if began == nil { began = SuspendingClock().now }
            count += part.count
            attachments += part.descriptors
            guard attachments.count <= UnixSocket.descriptorLimit else {
                throw .malformed("too many descriptors with one message")
            }
            guard count == bytes.count else { return nil }
            guard isHeader else { return bytes }
            bytes = [UInt8](repeating: 0, count: try Frame.length(bytes))
            (count, isHeader) = (0, false)
            return nil
        }
    }

    extension UnixSocketChannel {
        /// - Returns: the message, once it is whole.
        private func take(_ part: ReceivedMessage) throws(ChannelError) -> [UInt8]? {
            guard part.count > 0 else {
                throw frame.began == nil ? .closed : .malformed("the connection ended within a frame")
            }
            try check(part)
            return try frame.take(part)
        }

        /// Checks the time that a frame and the whole wait may take, also of a sender that never pauses.
        private func checkTime(until deadline: Deadline) throws(ChannelError) {
            let now = SuspendingClock().now
            if let began = frame.began, now >= began.advanced(by: frameTime) { throw Self.endless }
            guard now < deadline else { throw .timedOut }
        }

        private func wait(after failure: Errno, until deadline: Deadline) throws(ChannelError) {
            let end = frame.began.map { $0.advanced(by: frameTime) }
            do throws(ChannelError) {
                try waitAfter(failure, for: Int16(POLLIN), until: min(deadline, end ?? deadline))
            } catch {
                throw error == .timedOut && end.map { $0 <= SuspendingClock().now } == true ? Self.endless : error
            }
        }

        private static let endless = ChannelError.malformed("a frame did not come to its end in time")

        /// The sender, since the first message; by a descriptor where the kernel has that.
        var sender: (credentials: PeerCredentials, process: OpenFile?)? {
            constant.credentials.map { ($0, senderProcess) }
        }

        private func check(_ part: ReceivedMessage) throws(ChannelError) {
            if senderProcess == nil { senderProcess = part.senderProcess }
            guard !part.isTruncated else { throw .malformed("more came beside a message than may come") }
            do throws(MeasurementRefusal) { try constant.check(part.sender) } catch {
                throw .otherSender("\(error.finding)")
            }
        }

        /// Waits until the socket is ready, where that is what the failure says.
        private func waitAfter(
            _ failure: Errno, for events: Int16, until deadline: Deadline
        ) throws(ChannelError) {
            switch failure.rawValue {
            case EINTR: return
            case EAGAIN: break
            case EPIPE, ECONNRESET: throw .closed
            default: throw .failed("\(failure)")
            }
            let left = SuspendingClock().now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            _ = poll(for: events, atMost: left)
        }

        /// - Returns: whether the socket is ready, or has come to an end.
        private func poll(for events: Int16, atMost time: Duration) -> Bool {
            var wanted = pollfd(fd: socket.number, events: events, revents: 0)
            return Glibc.poll(&wanted, 1, Int32(clamping: time.inMilliseconds)) > 0
        }
    }

    /// The address of a Unix socket.
    enum UnixAddress {
        /// Bytes that a path may have: the field of the address, with the zero byte behind it.
        static let pathLimit = 107

        static func with<R>(
            _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
        ) throws(ChannelError) -> R {
            guard path.hasPrefix("/"), path.utf8.count <= pathLimit, !path.utf8.contains(0) else {
                throw .failed("\(path) is no path of a socket: absolute, and of at most \(pathLimit) bytes")
            }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        static func makeSocket() throws(ChannelError) -> OpenFile {
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let number = socket(AF_UNIX, kind, 0)
            guard number >= 0 else { throw .failed("\(Errno(rawValue: errno))") }
            return OpenFile(owning: number)
        }
    }
#endif
