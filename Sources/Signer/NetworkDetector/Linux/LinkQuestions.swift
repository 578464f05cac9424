#if os(Linux)
    import CLinux
    import Files

    /// The two ways to ask the kernel for links: rtnetlink, and the table of processes. Both stay with the namespace of
    /// the thread that opens them.
    struct LinkQuestions: Sendable {
        private let rtnetlink: OpenFile
        private let table: OpenFile

        private static let tableLimit = 1 << 20
        /// Lines above the interfaces.
        private static let heading = 2
        /// An interface may come or go between the two questions.
        private static let attempts = 3

        init() throws(NetworkWatchError) {
            let descriptor = clinux_network_open()
            guard descriptor >= 0 else { throw Self.failure("rtnetlink: \(Errno.lastText)") }
            rtnetlink = OpenFile(owning: FileDescriptor(rawValue: descriptor), path: "rtnetlink")
            table = try Self.table("/proc/thread-self/net/dev")
        }

        static func table(_ path: FilePath) throws(NetworkWatchError) -> OpenFile {
            do throws(FileError) { return try OpenFile(path) } catch { throw failure("\(error)") }
        }

        /// Asks for links and routes. The table has to tell of the same links: one that has more to tell than fits an
        /// answer, by its many names, is left out of rtnetlink's with all that stand behind it, and Linux 6.18 says
        /// nothing of that.
        ///
        /// - Throws: ``NetworkWatchError`` where one of them tells nothing, or they keep telling of different links.
        func ask() throws(NetworkWatchError) -> Sight {
            var (asked, listed): ([String], [String]) = ([], [])
            for _ in 0..<Self.attempts {
                var sight = Sight()
                guard sight.collect({ clinux_network_ask(rtnetlink.descriptor.rawValue, $0) }) == 0 else {
                    throw Self.failure("rtnetlink: \(Errno.lastText)")
                }
                asked = sight.names
                listed = try Self.names(in: table)
                if asked == listed { return sight }
            }
            throw NetworkWatchError(
                description: "The kernel tells of the interfaces \(asked.joined(separator: ", ")), and "
                    + "\(table.path) of \(listed.joined(separator: ", ")): one of them is not this process's own, or an "
                    + "interface has more to tell than fits an answer.")
        }

        /// Names of the interfaces in a table of the kernel's form: two lines of headings, then `name: figures`.
        static func names(in table: OpenFile) throws(NetworkWatchError) -> [String] {
            let text: [UInt8]
            do {
                text = try [UInt8](unsafeUninitializedCapacity: tableLimit) { buffer, count in
                    count = try table.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
                }
            } catch { throw failure("\(error)") }
            guard text.count < tableLimit else { throw failure("\(table.path) has no end") }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst(heading)
                .map { String($0.prefix { $0 != ":" }.drop { $0 == " " }) }.sorted()
        }

        private static func failure(_ reason: String) -> NetworkWatchError {
            NetworkWatchError(description: "The network namespace of this process cannot be seen: \(reason).")
        }
    }
#endif
