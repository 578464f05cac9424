/// The inodes of the sockets in a table like `/proc/PID/net/tcp`.
///
/// Source: proc_pid_net(5).
struct SocketTable {
    /// The tables of IPv4 and IPv6 that are written in this way, below `/proc/PID/net`.
    static let names = ["tcp", "udp", "udplite", "raw", "icmp"].flatMap { [$0, $0 + "6"] }

    private(set) var inodes: Set<UInt64> = []

    /// Adds the sockets of one table. Its first line names the columns; the tenth is the inode.
    mutating func add(_ text: [UInt8]) {
        text.withUnsafeBufferPointer { bytes in
            var scanner = TextScanner(bytes)
            _ = scanner.through(UInt8(ascii: "\n"))
            while !scanner.isAtEnd {
                var line = TextScanner(scanner.through(UInt8(ascii: "\n")))
                for _ in 1..<10 {
                    line.skipBlanks()
                    _ = line.through(UInt8(ascii: " "))
                }
                line.skipBlanks()
                if let inode = line.decimal() { inodes.insert(inode) }
            }
        }
    }

    /// The inode in the name of a descriptor.
    ///
    /// - Parameter link: `socket:[inode]`.
    /// - Returns: nil for what is no socket.
    static func inode(of link: String) -> UInt64? {
        guard link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
        return UInt64(link.dropFirst(8).dropLast())
    }
}
