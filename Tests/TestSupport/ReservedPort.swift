import CLibrary

/// A port of the loopback for a program that cannot choose one itself. While this lives nobody else is given it, and
/// who asks for it by its number gets it, with `SO_REUSEADDR` as servers do.
package final class ReservedPort: Sendable {
    package struct Failure: Error {}

    package let number: Int
    private let descriptor: Int32

    package init() throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                bind(descriptor, address.baseAddress, length) == 0
                    && getsockname(descriptor, address.baseAddress, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Failure()
        }
        self.descriptor = descriptor
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
