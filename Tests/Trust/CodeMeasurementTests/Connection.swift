#if os(Linux)
    import CLinux
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    /// A listening socket, and a little program at its other end.
    final class Connection {
        let folder: TemporaryFolder
        let program: String
        let child: Child
        let socket: OpenFile

        /// - Parameters:
        ///   - user: as which the program runs; nil for that of this process.
        ///   - isStale: whether who starts the program opens its page tables before, for the program to send as its
        ///     own.
        init(user: UInt32? = nil, isStale: Bool = false) throws {
            folder = try TemporaryFolder()
            program = folder.path("peer")
            try compile("peer.c", to: program, "-pthread")
            let path = folder.path("socket")
            let listener = OpenFile(owning: try Self.listen(path))
            if let user {
                chmod(folder.url.path, 0o755)
                chmod(path, 0o777)
                child = try Child(
                    "/usr/bin/setpriv", ["--reuid=\(user)", "--clear-groups", program, path])
            } else {
                child = try Child(program, isStale ? ["stale", path] : [path])
            }
            socket = OpenFile(owning: accept(listener.number, nil, nil))
            try UnixSocket.nameSenders(of: socket.number)
        }

        private static func listen(_ path: String) throws -> Int32 {
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(result == 0)
            try #require(Glibc.listen(socket, 1) == 0)
            return socket
        }

        func receive() throws -> ReceivedMessage {
            var byte: UInt8 = 0
            return try withUnsafeMutableBytes(of: &byte) { try UnixSocket.receive(into: $0, from: socket.number) }
        }

        func peer() throws -> (PeerCredentials, ObservedProcess) {
            let credentials = try UnixSocket.peerCredentials(of: socket.number)
            return (credentials, try ObservedProcess(connectedTo: socket.number, credentials))
        }

        /// Takes handles that the program sends of itself.
        func handles() throws -> MeasurementHandles {
            child.tell("handles")
            let message = try receive()
            return try MeasurementHandles(receiving: message.descriptors, mask: .usual, from: child.process)
        }

        /// Takes handles of the program, and begins to measure it.
        ///
        /// - Parameter opensOwn: false as for a user that may not look into the program.
        func measurement(opensOwn: Bool = true) throws -> (ProcessMeasurement, MeasuredProgram) {
            let handles = try handles()
            let (_, process) = try peer()
            return (
                try ProcessMeasurement(of: process, handles: handles, opensOwn: opensOwn),
                MeasuredProgram(main: try MeasuredImage(at: program, as: "bin/peer"))
            )
        }
    }
#endif
