#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// Messages over a Unix socket, with descriptors and the name of the sender.
    package enum UnixSocket {
        /// How many descriptors a message may bring; more make it ``ReceivedMessage/isTruncated``.
        package static let descriptorLimit = Int(CLINUX_PEER_DESCRIPTORS)

        /// The process that connected, or that made the socket listen.
        package static func peerCredentials(of socket: Int32) throws(Errno) -> PeerCredentials {
            var process: Int32 = 0
            var user: UInt32 = 0
            var group: UInt32 = 0
            guard clinux_peer_credentials(socket, &process, &user, &group) == 0 else {
                throw Errno(rawValue: errno)
            }
            return PeerCredentials(process: process, user: user, group: group)
        }

        /// Has every message name its sender from now on, also by a descriptor where the kernel has that.
        ///
        /// To be called before anything is received.
        package static func nameSenders(of socket: Int32) throws(Errno) {
            guard clinux_peer_pass_credentials(socket) == 0 else { throw Errno(rawValue: errno) }
            guard clinux_peer_pass_processes(socket) == 0 || errno == ENOPROTOOPT else {
                throw Errno(rawValue: errno)
            }
        }

        /// - Parameter descriptors: travel with the first byte, at most ``descriptorLimit``. They stay open here.
        /// - Returns: how many bytes were taken.
        package static func send(
            _ bytes: UnsafeRawBufferPointer, descriptors: [OpenFile] = [], over socket: Int32
        ) throws(Errno) -> Int {
            let numbers = descriptors.map(\.number)
            let count = clinux_peer_send(socket, bytes.baseAddress, bytes.count, numbers, numbers.count)
            withExtendedLifetime(descriptors) {}
            guard count >= 0 else { throw Errno(rawValue: errno) }
            return Int(count)
        }

        /// Receives what is there, of one sender.
        package static func receive(
            into buffer: UnsafeMutableRawBufferPointer, from socket: Int32
        ) throws(Errno) -> ReceivedMessage {
            var ancillary = clinux_peer_ancillary()
            let count = clinux_peer_receive(socket, buffer.baseAddress, buffer.count, &ancillary)
            guard count >= 0 else { throw Errno(rawValue: errno) }
            return ReceivedMessage(count: Int(count), ancillary)
        }
    }

    /// What came over a socket at once. Descriptors that are not taken out of it are closed with it.
    package struct ReceivedMessage: Sendable {
        /// Bytes; 0 when the peer has closed.
        package let count: Int
        /// Nil if the kernel told none.
        package let sender: PeerCredentials?
        /// A descriptor of the sender's process; nil on kernels before 6.5.
        package let senderProcess: OpenFile?
        package let descriptors: [OpenFile]
        /// Whether more came beside the bytes than a message may bring.
        package let isTruncated: Bool

        init(count: Int, _ ancillary: clinux_peer_ancillary) {
            self.count = count
            sender =
                ancillary.has_credentials == 0
                ? nil : PeerCredentials(process: ancillary.process, user: ancillary.user, group: ancillary.group)
            senderProcess =
                ancillary.process_descriptor < 0 ? nil : OpenFile(owning: ancillary.process_descriptor)
            descriptors = withUnsafeBytes(of: ancillary.descriptors) { bytes in
                bytes.bindMemory(to: Int32.self).prefix(Int(ancillary.descriptor_count)).map(
                    OpenFile.init(owning:))
            }
            isTruncated = ancillary.is_truncated != 0
        }
    }
#endif
