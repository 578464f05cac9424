#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A descriptor that is readable as long as a signal is raised.
final class SignalPipe: Sendable {
    /// To wait for; not to be read or closed.
    let descriptor: CInt
    private let writeEnd: CInt

    init() throws(NetworkWatchError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw NetworkWatchError(description: "No pipe can be made: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Must not be called twice without ``clear()`` between.
    func raise() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func clear() {
        var byte: UInt8 = 0
        _ = read(descriptor, &byte, 1)
    }
}
