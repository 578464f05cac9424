import CLibrary
internal import Files
internal import NIOCore

/// The Unix socket of the operators' listener, for the gate's own user alone: who may connect there is asked for no
/// token.
///
/// Nobody can connect before it listens. By then its mode is what it has to be, whatever umask the gate was started
/// with.
enum OperatorSocket {
    #if canImport(Glibc)
        private static let kind = CInt(SOCK_STREAM.rawValue)
    #else
        private static let kind = SOCK_STREAM
    #endif

    /// Makes the socket, in the place of one that is left over.
    ///
    /// - Returns: its descriptor, which is the caller's, bound and not listening yet.
    static func make(at path: String) throws -> CInt {
        try removeLeftOver(at: FilePath(path))
        let address = try SocketAddress(unixDomainSocketPath: path)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let isBound = address.withSockAddr { bind(number, $0, socklen_t($1)) == 0 }
        guard isBound, chmod(path, 0o600) == 0 else {
            defer { close(number) }
            throw IOError(errnoCode: errno, reason: isBound ? "chmod" : "bind")
        }
        return number
    }

    /// Removes a socket. Anything else stays, and is in the way.
    private static func removeLeftOver(at path: FilePath) throws(FileError) {
        guard let name = path.lastComponent?.string else { return }
        let above = path.removingLastComponent()
        let folder = try Folder(above.isEmpty ? "." : above, followsLinks: true)
        if try folder.facts(of: name)?.type == .socket { try folder.remove(name) }
    }
}
