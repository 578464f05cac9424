#if canImport(CTSS2)
    import CTSS2
    import Glibc

    /// The way to a TPM that is a program, over a socket: one connection for each command, since such a TPM serves one
    /// at a time. The library has a way of its own, which waits for ever for a program that says nothing; here each
    /// answer has its time.
    ///
    /// Source: TSS 2.0 TCTI Specification, section 3 (what a transport is to the library).
    final class SoftwareTPMTransport {
        /// What the library is given: its own part first.
        private struct Context {
            var common = TSS2_TCTI_CONTEXT_COMMON_V1()
            let transport: Unmanaged<SoftwareTPMTransport>
        }

        /// Where it may be, each as the system has it (`sockaddr`).
        private let places: [[UInt8]]
        private let limit: Duration?
        private var connection: CInt = -1
        /// What begins an answer, once it is there: tag (2), length of all (4), code (4).
        private var head: [UInt8]?
        /// When the answer has to be there. Time in which the machine sleeps does not count.
        private var end: SuspendingClock.Instant?

        /// - Parameter limit: for one command and its answer; nil for none.
        /// - Returns: nil for a device, whose time the kernel limits.
        init?(to address: TPMAddress, within limit: Duration?) {
            switch address {
            case .device: return nil
            case .unixSocket(let path): places = Self.place(ofSocket: path).map { [$0] } ?? []
            case .tcp(let host, let port):
                places = (host == "localhost" ? ["127.0.0.1", "::1"] : [host]).compactMap { Self.place($0, port: port) }
            }
            self.limit = limit
        }

        deinit { disconnect() }

        // MARK: For the library

        /// What the library takes. It may use that as long as this value is there, and until ``forget(_:)``.
        func makeContext() -> OpaquePointer {
            var context = Context(transport: .passUnretained(self))
            context.common.magic = 0x6361_7365_6d61_7465
            context.common.version = 1
            context.common.transmit = { context, count, command in
                guard let context, let command else { return SoftwareTPMTransport.badReference }
                return SoftwareTPMTransport.of(context).send(UnsafeRawBufferPointer(start: command, count: count))
            }
            context.common.receive = { context, count, response, _ in
                guard let context, let count else { return SoftwareTPMTransport.badReference }
                let buffer = response.map { UnsafeMutableRawBufferPointer(start: $0, count: count.pointee) }
                return SoftwareTPMTransport.of(context).receive(into: buffer, count: &count.pointee)
            }
            let memory = UnsafeMutablePointer<Context>.allocate(capacity: 1)
            memory.initialize(to: context)
            return OpaquePointer(memory)
        }

        static func forget(_ context: OpaquePointer) {
            let memory = UnsafeMutablePointer<Context>(context)
            memory.deinitialize(count: 1)
            memory.deallocate()
        }

        private static func of(_ context: OpaquePointer) -> SoftwareTPMTransport {
            UnsafeMutablePointer<Context>(context).pointee.transport.takeUnretainedValue()
        }

        /// Codes of the library for its transports.
        private static let badReference: TSS2_RC = 0xa_0005
        private static let insufficientBuffer: TSS2_RC = 0xa_0006
        private static let failed: TSS2_RC = 0xa_000a

        // MARK: A command and its answer

        private func send(_ command: UnsafeRawBufferPointer) -> TSS2_RC {
            end = limit.map { SuspendingClock().now + $0 }
            guard connect() else { return failure() }
            var rest = command
            while !rest.isEmpty {
                allow(SO_SNDTIMEO)
                let count = Glibc.send(connection, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return failure() }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return 0
        }

        /// Reads an answer, in two calls of the library: it asks for the length first.
        ///
        /// - Parameters:
        ///   - buffer: nil to be told the length alone.
        ///   - count: becomes the length.
        private func receive(into buffer: UnsafeMutableRawBufferPointer?, count: inout Int) -> TSS2_RC {
            guard let head = self.head ?? readHead() else { return failure() }
            let length = head[2..<6].reduce(0) { $0 << 8 | Int($1) }
            guard length >= head.count else {
                disconnect()
                return Self.failed
            }
            count = length
            guard let buffer else { return 0 }
            guard length <= buffer.count else { return Self.insufficientBuffer }
            buffer.copyBytes(from: head)
            guard fill(UnsafeMutableRawBufferPointer(rebasing: buffer[head.count..<length])) else { return failure() }
            disconnect()
            return 0
        }

        /// - Returns: nil as ``fill(_:)``.
        private func readHead() -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 10)
            guard bytes.withUnsafeMutableBytes({ fill($0) }) else { return nil }
            head = bytes
            return bytes
        }

        /// - Returns: false where the connection ends before, as `errno` says; 0 for its regular end.
        private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
            var filled = 0
            while filled < buffer.count {
                allow(SO_RCVTIMEO)
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = recv(connection, rest.baseAddress, rest.count, 0)
                if count < 0, errno == EINTR { continue }
                if count == 0 { errno = 0 }
                guard count > 0 else { return false }
                filled += count
            }
            return true
        }

        private func failure() -> TSS2_RC {
            // A connection that is not made in time is in progress still, or was to be tried again.
            let isSilent = [EAGAIN, EINPROGRESS].contains(errno)
            disconnect()
            return isSilent ? TPMResponse.silent : Self.failed
        }

        // MARK: The connection

        private func connect() -> Bool {
            disconnect()
            errno = ENOENT
            for place in places {
                disconnect()
                let isMade = place.withUnsafeBytes { bytes in
                    guard let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
                    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
                    connection = socket(CInt(place.pointee.sa_family), kind, 0)
                    guard connection >= 0 else { return false }
                    allow(SO_SNDTIMEO)
                    return Glibc.connect(connection, place, socklen_t(bytes.count)) == 0
                }
                if isMade { return true }
            }
            return false
        }

        /// Lets the next call that waits take what is left of the time, and never nothing, which would be for ever:
        /// what is there already is taken however late it is.
        private func allow(_ option: CInt) {
            guard let end else { return }
            let left = max(Duration.milliseconds(1), SuspendingClock().now.duration(to: end)).components
            var time = timeval(tv_sec: Int(left.seconds), tv_usec: Int(left.attoseconds / 1_000_000_000_000))
            setsockopt(connection, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }

        private func disconnect() {
            head = nil
            guard connection >= 0 else { return }
            let failure = errno
            Glibc.close(connection)
            errno = failure
            connection = -1
        }

        // MARK: Addresses

        private static func place(ofSocket path: String) -> [UInt8]? {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
                guard bytes.count < place.count else { return false }
                place.copyBytes(from: bytes)
                return true
            }
            return fits ? withUnsafeBytes(of: &address) { Array($0) } : nil
        }

        /// - Returns: nil for what is no address in numbers.
        private static func place(_ host: String, port: UInt16) -> [UInt8]? {
            var first = sockaddr_in()
            first.sin_family = sa_family_t(AF_INET)
            first.sin_port = port.bigEndian
            if inet_pton(AF_INET, host, &first.sin_addr) == 1 { return withUnsafeBytes(of: &first) { Array($0) } }
            var second = sockaddr_in6()
            second.sin6_family = sa_family_t(AF_INET6)
            second.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &second.sin6_addr) == 1 else { return nil }
            return withUnsafeBytes(of: &second) { Array($0) }
        }
    }
#endif
