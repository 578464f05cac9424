import Foundation
import Synchronization
import TestSupport

/// Connections of one address that say nothing, or too little. Each one that the other side ends is opened again at
/// once.
final class Siege: Sendable {
    private struct Facts: Sendable {
        var isOver = false
        /// Connections that came about.
        var opened = 0
        var threads = 1
    }

    private let facts = Mutex(Facts())

    var opened: Int { facts.withLock(\.opened) }

    /// - Parameters:
    ///   - source: of the loopback.
    ///   - word: what each connection says, and then nothing more.
    init(of count: Int, from source: String, port: Int, saying word: [UInt8] = []) {
        let thread = Thread { [self] in
            run(count, from: Self.address(source, port: 0), to: Self.address("127.0.0.1", port: port), saying: word)
            facts.withLock { $0.threads -= 1 }
        }
        thread.start()
    }

    /// Ends it, and returns when all connections are closed.
    func lift() async {
        facts.withLock { $0.isOver = true }
        while facts.withLock(\.threads) > 0 { try? await Task.sleep(for: .milliseconds(5)) }
    }

    private static func address(_ text: String, port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }

    private func run(_ count: Int, from source: sockaddr_in, to target: sockaddr_in, saying word: [UInt8]) {
        var sockets = (0..<count).map { _ in pollfd(fd: Self.begin(source, target), events: Int16(POLLOUT), revents: 0)
        }
        while !facts.withLock(\.isOver) {
            guard poll(&sockets, nfds_t(sockets.count), 20) > 0 else { continue }
            var new = 0
            for index in sockets.indices where sockets[index].revents != 0 {
                if sockets[index].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
                    if sockets[index].fd >= 0 { close(sockets[index].fd) }
                    sockets[index] = pollfd(fd: Self.begin(source, target), events: Int16(POLLOUT), revents: 0)
                } else {
                    new += 1
                    sockets[index].events = Int16(POLLIN)
                    if !word.isEmpty { _ = send(sockets[index].fd, word, word.count, Int32(MSG_NOSIGNAL)) }
                }
            }
            facts.withLock { $0.opened += new }
        }
        for socket in sockets where socket.fd >= 0 { close(socket.fd) }
    }

    private static func begin(_ source: sockaddr_in, _ target: sockaddr_in) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return -1 }
        // No port is left waiting behind a connection that was thrown away.
        var abrupt = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
        for (address, act) in [(source, bind), (target, connect)] as [(sockaddr_in, Act)] {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = act(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        return descriptor
    }

    private typealias Act = (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
}
