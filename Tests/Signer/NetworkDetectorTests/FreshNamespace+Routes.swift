#if os(Linux)
    import Foundation
    import Glibc

    extension FreshNamespace {
        /// Adds a route to everywhere that has more next hops than fit an answer of the kernel's; ip(8) takes a tenth.
        ///
        /// - Parameter name: of an interface with an address in 10.1.0.0/16.
        static func addOversizedRoute(through name: String) throws {
            let interface = if_nametoindex(name)
            func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
            func little(_ value: Int) -> [UInt8] { Array(little(UInt32(value)).prefix(2)) }
            let hops = (0..<2200).flatMap { hop -> [UInt8] in
                let gateway: [UInt8] = [10, 1, UInt8(2 + hop / 250), UInt8(1 + hop % 250)]
                // A hop of 16 bytes, and in it the attribute RTA_GATEWAY.
                return little(16) + [0, 0] + little(interface) + little(8) + little(5) + gateway
            }
            // AF_INET, RT_TABLE_MAIN, RTPROT_STATIC, RT_SCOPE_UNIVERSE, RTN_UNICAST; RTA_MULTIPATH.
            let route: [UInt8] = [2, 0, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0] + little(4 + hops.count) + little(9) + hops
            // RTM_NEWROUTE; NLM_F_REQUEST, NLM_F_ACK and NLM_F_CREATE.
            let message =
                little(UInt32(16 + route.count)) + little(24) + little(0x405) + little(1 as UInt32)
                + little(0 as UInt32) + route
            let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw POSIXError(.EPROTONOSUPPORT) }
            defer { close(descriptor) }
            var room: CInt = 1 << 20
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout.size(ofValue: room)))
            var answer = [UInt8](repeating: 0, count: 65_536)
            guard send(descriptor, message, message.count, 0) == message.count,
                recv(descriptor, &answer, answer.count, 0) >= 20, answer[16..<20] == [0, 0, 0, 0]
            else { throw POSIXError(.EINVAL) }
        }
    }
#endif
