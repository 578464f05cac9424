#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// Whether a descriptor is a socket by which a process can talk beyond the kernel that it runs on.
    enum NetworkSocket {
        /// The protocols that end in the kernel, as it names them. Any other counts, also one that is not known here.
        private static let local: Set<String> = ["UNIX", "UNIX-STREAM", "NETLINK", "ALG"]

        /// - Parameter path: `/proc/PID/fd/N`.
        /// - Returns: false for what is no socket; see ``isUntold(_:)`` for a kernel that does not say.
        static func isOne(at path: String) -> Result<Bool, Errno> {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
                let count = clinux_socket_protocol(path, buffer.baseAddress, buffer.count)
                guard count >= 0 else {
                    return errno == ENOTSOCK ? .success(false) : .failure(Errno(rawValue: errno))
                }
                let bytes = UnsafeRawBufferPointer(buffer).prefix(Int(count)).prefix { $0 != 0 }
                return .success(!local.contains(String(decoding: bytes, as: UTF8.self)))
            }
        }

        /// Whether the kernel does not tell the protocol of sockets.
        static func isUntold(_ failure: Errno) -> Bool { [ENODATA, ENOTSUP].contains(failure.rawValue) }
    }
#endif
