#if os(Linux)
    import CLinux

    /// Interfaces and routes of one namespace, as the kernel tells them.
    struct Sight {
        struct Interface {
            let name: String
            let isUp: Bool
            let isLoopback: Bool
        }

        var interfaces: [Int32: Interface] = [:]
        /// Interfaces other than the loopback that routes go through; 0 where only the kernel knows it.
        var routes: Set<Int32> = []

        /// Names of interfaces that are up, or were for a moment.
        var up: [String] { interfaces.values.filter { $0.isUp && !$0.isLoopback }.map(\.name).sorted() }

        /// Names of all interfaces.
        var names: [String] { interfaces.values.map(\.name).sorted() }

        /// Names of what routes go through.
        var routed: [String] {
            routes.map { index in interfaces[index]?.name ?? (index > 0 ? "interface \(index)" : "a next hop") }
                .sorted()
        }

        var isEmpty: Bool { routes.isEmpty && interfaces.values.allSatisfy(\.isLoopback) }

        /// Runs a call that reports to what it is given.
        mutating func collect(_ call: (UnsafePointer<clinux_network_reports>) -> CInt) -> CInt {
            withUnsafeMutablePointer(to: &self) { sight in
                var reports = clinux_network_reports(
                    context: UnsafeMutableRawPointer(sight),
                    link: { context, link in
                        guard let context, let link else { return }
                        context.assumingMemoryBound(to: Sight.self).pointee.add(link.pointee)
                    },
                    route: { context, interface in
                        context?.assumingMemoryBound(to: Sight.self).pointee.routes.insert(interface)
                    })
                return call(&reports)
            }
        }

        private mutating func add(_ link: clinux_network_link) {
            // The array ends with a zero.
            let name = withUnsafeBytes(of: link.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            // Up once is up, however often it was reported since.
            let isUp = link.is_up != 0 || interfaces[link.index]?.isUp == true
            interfaces[link.index] = Interface(name: name, isUp: isUp, isLoopback: link.is_loopback != 0)
        }
    }
#endif
