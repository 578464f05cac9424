import CLibrary

/// A descriptor that is readable from when it is raised until it is cleared: to wait for beside others.
package final class WakeDescriptor: Sendable {
    /// To wait for; not to be read or closed.
    package let descriptor: CInt
    private let otherEnd: CInt

    /// - Returns: nil with errno if the process may have no more descriptors.
    package init?() {
        var ends: [CInt] = [-1, -1]
        #if canImport(Glibc)
            let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        #else
            guard pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        #endif
        (descriptor, otherEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(otherEnd)
    }

    /// Makes it readable. From any thread, as often as one likes: where it has no room for more, it is readable.
    package func raise() {
        var byte: UInt8 = 0
        _ = write(otherEnd, &byte, 1)
    }

    /// Takes all that was raised until now.
    package func clear() {
        var bytes: UInt64 = 0
        while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) == MemoryLayout.size(ofValue: bytes) {}
    }
}
