#if os(Linux)
    import ForceFieldWire

    import CLibrary

    /// The stream socket to the host. Writing waits until the host has taken everything: it reads always, or has ended.
    struct HostSocket: Sendable {
        /// Where stage 0 leaves it.
        static let number: Int32 = 3

        let descriptor: Int32
        let takesDescriptors: Bool
        /// Room for ancillary data of as many descriptors as one message may bring: the kernel's limit is 253.
        private static let ancillarySize = 4_096

        enum Fault: Error {
            case closed
        }

        /// - Returns: nil unless the descriptor is a socket: the program was not started by a host.
        init?(_ descriptor: Int32 = number, takesDescriptors: Bool) {
            // Not fstat(), which is forbidden where the root is not empty. Takes nothing, and fails for want of a byte.
            guard recv(descriptor, nil, 0, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0 || errno == EAGAIN else { return nil }
            self.descriptor = descriptor
            self.takesDescriptors = takesDescriptors
            // The host's end shows as EPIPE.
            signal(SIGPIPE, SIG_IGN)
        }

        func write(_ frame: Frame) throws(Fault) {
            var written = 0
            while written < frame.count {
                let count = frame.head.withUnsafeBytes { head in
                    frame.body.withUnsafeBytes { body in write(head: head, body: body, from: written) }
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .closed }
                written += count
            }
        }

        private func write(
            head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, from start: Int
        ) -> Int {
            let rest = UnsafeRawBufferPointer(rebasing: head.dropFirst(start))
            let restOfBody = UnsafeRawBufferPointer(rebasing: body.dropFirst(max(0, start - head.count)))
            let parts = (Self.part(rest), Self.part(restOfBody))
            return withUnsafeBytes(of: parts) {
                writev(descriptor, $0.assumingMemoryBound(to: iovec.self).baseAddress, 2)
            }
        }

        private static func part(_ bytes: UnsafeRawBufferPointer) -> iovec {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        }

        /// Reads what has arrived.
        ///
        /// - Parameters:
        ///   - descriptors: gets those that came along.
        ///   - waits: for what arrives, if nothing has.
        /// - Throws: ``Fault/closed`` at the host's end.
        func read(
            into space: UnsafeMutableRawBufferPointer, descriptors: inout [ReceivedDescriptor], waits: Bool
        ) throws(Fault) -> Int {
            let flags = waits ? 0 : Int32(MSG_DONTWAIT)
            while true {
                let count =
                    takesDescriptors
                    ? receive(into: space, descriptors: &descriptors, flags)
                    : recv(descriptor, space.baseAddress, space.count, flags)
                if count > 0 { return count }
                guard count < 0 else { throw .closed }
                if errno == EAGAIN {
                    if !waits { return 0 }
                    // The descriptor was made one that never waits.
                    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&request, 1, -1)
                    continue
                }
                guard errno == EINTR else { throw .closed }
            }
        }

        private func receive(
            into space: UnsafeMutableRawBufferPointer, descriptors: inout [ReceivedDescriptor], _ flags: Int32
        ) -> Int {
            withUnsafeTemporaryAllocation(
                byteCount: Self.ancillarySize, alignment: MemoryLayout<cmsghdr>.alignment
            ) { ancillary in
                var part = iovec(iov_base: space.baseAddress, iov_len: space.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = ancillary.baseAddress
                    message.msg_controllen = .init(ancillary.count)
                    let count = recvmsg(descriptor, &message, flags | Int32(MSG_CMSG_CLOEXEC))
                    if count > 0 {
                        let filled = UnsafeRawBufferPointer(rebasing: ancillary[..<Int(message.msg_controllen)])
                        descriptors += Self.numbers(in: filled).map { ReceivedDescriptor($0) }
                    }
                    return count
                }
            }
        }

        /// The descriptors in ancillary data: records of a head, which counts its own bytes, and numbers.
        private static func numbers(in ancillary: UnsafeRawBufferPointer) -> [Int32] {
            var numbers: [Int32] = []
            var offset = 0
            let headSize = MemoryLayout<cmsghdr>.size
            while offset + headSize <= ancillary.count {
                let head = ancillary.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
                let length = Int(head.cmsg_len)
                guard length >= headSize, offset + length <= ancillary.count else { break }
                if head.cmsg_level == SOL_SOCKET, head.cmsg_type == Int32(SCM_RIGHTS) {
                    for place in stride(from: offset + headSize, to: offset + length, by: MemoryLayout<Int32>.size) {
                        numbers.append(ancillary.loadUnaligned(fromByteOffset: place, as: Int32.self))
                    }
                }
                let alignment = MemoryLayout<Int>.size
                offset += (length + alignment - 1) / alignment * alignment
            }
            return numbers
        }
    }
#endif
