#if os(Linux)
    import CLinux
    import Files

    extension NetworkNamespace {
        private static let table: FilePath = "/proc/thread-self/net/dev"
        private static let tableLimit = 1 << 20
        /// Lines above the interfaces.
        private static let heading = 2
        /// An interface may come or go between the two questions.
        private static let attempts = 3

        /// Asks the kernel by rtnetlink and by the table of processes, which have to tell of the same interfaces.
        ///
        /// - Throws: ``NetworkWatchError`` where one of them tells nothing, or they keep telling of different ones.
        static func own() throws(NetworkWatchError) -> NetworkNamespace {
            var (asked, listed): ([String], [String]) = ([], [])
            for _ in 0..<attempts {
                let sight = try look()
                asked = sight.interfaces.values.map(\.name).sorted()
                listed = try names(in: table)
                if asked == listed { return NetworkNamespace(sight) }
            }
            throw NetworkWatchError(
                description: "The kernel tells of the interfaces \(asked.joined(separator: ", ")), and \(table) of "
                    + "\(listed.joined(separator: ", ")): one of them is not this process's own.")
        }

        private init(_ sight: Sight) {
            let loopback = sight.interfaces.values.filter(\.isLoopback)
            self.init(
                interfaces: sight.interfaces.values.map(\.name).sorted(),
                hasOnlyLoopback: sight.interfaces.count == 1 && loopback.count == 1,
                isLoopbackOff: loopback.allSatisfy { !$0.isUp }, routes: sight.routed)
        }

        private static func look() throws(NetworkWatchError) -> Sight {
            let descriptor = clinux_network_open()
            guard descriptor >= 0 else { throw failure("rtnetlink: \(Errno.lastText)") }
            let questions = OpenFile(owning: FileDescriptor(rawValue: descriptor), path: "rtnetlink")
            var sight = Sight()
            guard sight.collect({ clinux_network_ask(questions.descriptor.rawValue, $0) }) == 0 else {
                throw failure("rtnetlink: \(Errno.lastText)")
            }
            return sight
        }

        /// Names of the interfaces in a table of the kernel's form: two lines of headings, then `name: figures`.
        static func names(in table: FilePath) throws(NetworkWatchError) -> [String] {
            let text: String
            do throws(FileError) {
                text = String(decoding: try InputFile.content(of: table, limit: tableLimit), as: UTF8.self)
            } catch { throw failure("\(error)") }
            return text.split(separator: "\n").dropFirst(heading)
                .map { String($0.prefix { $0 != ":" }.drop { $0 == " " }) }.sorted()
        }

        private static func failure(_ reason: String) -> NetworkWatchError {
            NetworkWatchError(description: "The network namespace of this process cannot be seen: \(reason).")
        }
    }
#endif
