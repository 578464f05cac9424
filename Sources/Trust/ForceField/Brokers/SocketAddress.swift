#if os(Linux)
    import Files
    import ForceFieldWire
    import Glibc

    /// An address of version 4 or 6 with a port.
    struct SocketAddress: Sendable {
        /// The address in 4 or 16 bytes, in the order of the network.
        let bytes: [UInt8]
        let port: UInt16
        /// The scope of a link-local address of version 6, else 0.
        private var scope: UInt32 = 0

        init(_ bytes: [UInt8], port: UInt16) {
            self.bytes = bytes
            self.port = port
        }

        // MARK: Resolving

        static func isNumeric(_ host: String) -> Bool { !resolve(host, port: 1, flags: AI_NUMERICHOST).isEmpty }

        /// Resolves a name; waits for name servers.
        static func resolve(_ host: String, port: UInt16, flags: Int32 = 0) -> [SocketAddress] {
            var hints = addrinfo()
            hints.ai_family = AF_UNSPEC
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = flags
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
            defer { freeaddrinfo(list) }
            return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }
                .compactMap { $0.flatMap { SocketAddress($0.pointee, port: port) } }
        }

        private init?(_ info: addrinfo, port: UInt16) {
            guard let address = info.ai_addr else { return nil }
            switch info.ai_family {
            case AF_INET:
                bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
                }
            case AF_INET6:
                (bytes, scope) = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    (withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }, address.pointee.sin6_scope_id)
                }
            default: return nil
            }
            self.port = port
        }

        // MARK: Kinds

        /// Whether it is a public address: neither this machine's, nor of its link, of a private network, shared,
        /// multicast, or reserved.
        ///
        /// Source: RFC 6890 and 9637; RFC 4193 and 4291 for version 6.
        var isPublic: Bool {
            if bytes.count == 4 { return Self.isPublic4(bytes) }
            // Addresses of version 4 in those of version 6: mapped, compatible, and of the well-known translators.
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10..<12] == [0xff, 0xff] || bytes[10..<12] == [0, 0] {
                return bytes[10] == 0xff && Self.isPublic4(Array(bytes[12...]))
            }
            // The translators' own prefix is a /96; the one behind it, 64:ff9b:1::/48, is for local use (RFC 8215).
            if bytes[..<4] == [0, 0x64, 0xff, 0x9b] {
                return bytes[4..<12].allSatisfy { $0 == 0 } && Self.isPublic4(Array(bytes[12...]))
            }
            if bytes[..<2] == [0x20, 0x02] { return Self.isPublic4(Array(bytes[2..<6])) }
            // For protocols (tunnels to addresses of version 4 among them) and for documents.
            if bytes[..<2] == [0x20, 0x01], bytes[2] < 2 || bytes[2..<4] == [0x0d, 0xb8] { return false }
            if bytes[..<2] == [0x3f, 0xff], bytes[2] < 0x10 { return false }
            // 2000::/3 is all that has been given out.
            return bytes[0] & 0xe0 == 0x20
        }

        private static func isPublic4(_ bytes: [UInt8]) -> Bool {
            switch (bytes[0], bytes[1]) {
            case (0, _), (10, _), (127, _), (224..., _), (100, 64...127), (169, 254), (172, 16...31), (192, 168),
                (198, 18...19):
                false
            case (192, 0): bytes[2] != 0 && bytes[2] != 2
            case (198, 51): bytes[2] != 100
            case (203, 0): bytes[2] != 113
            default: true
            }
        }

        /// The address in numbers, without the port.
        var text: String {
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        // MARK: Connecting

        /// - Returns: a connected socket that waits when it is read, as programs expect; nil if there is no answer in
        ///   time.
        func connect(within time: Duration) -> OpenFile? {
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            guard let socket = OpenFile(taking: Glibc.socket(family, type, 0), "a connection") else { return nil }
            if begin(socket.number) != 0 {
                guard errno == EINPROGRESS || errno == EINTR else { return nil }
                var waiting = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
                guard poll(&waiting, 1, Int32(clamping: time.wholeMilliseconds)) == 1 else { return nil }
                var error: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                guard getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
                    return nil
                }
            }
            guard fcntl(socket.number, F_SETFL, 0) == 0 else { return nil }
            return socket
        }

        private func begin(_ socket: Int32) -> Int32 {
            if bytes.count == 4 {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
                return Self.connect(socket, &address)
            }
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            return Self.connect(socket, &address)
        }

        private static func connect<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
    }
#endif
