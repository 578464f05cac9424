#if os(Linux)
    import Files

    /// Controllers by which this machine can be a device on a USB cable; a network card among others.
    struct Gadgets {
        private static let longestState = 64

        private let list: FilePath
        private var files: [String: OpenFile] = [:]
        /// How many files were opened so far.
        private(set) var openings = 0

        /// - Parameter list: a folder with an entry for each controller, where there are any.
        init(list: FilePath) { self.list = list }

        /// The kernel tells of a change by these, once they were read.
        var descriptors: [CInt] { files.values.map(\.descriptor.rawValue) }

        mutating func look() -> NetworkReport.Finding {
            do {
                let names = try names()
                files = files.filter { names.contains($0.key) }
                var configured: [String] = []
                for name in names where try state(of: name) == "configured" { configured.append(name) }
                return configured.isEmpty ? .quiet : .up(configured)
            } catch {
                files = [:]
                return .failed("\(error)")
            }
        }

        private func names() throws(FileError) -> [String] {
            do throws(FileError) { return try Folder(list).names() } catch {
                guard error.isMissing else { throw error }
                return []
            }
        }

        private mutating func state(of name: String) throws -> String {
            let file: OpenFile
            if let open = files[name] {
                file = open
            } else {
                file = try OpenFile(list.appending(name).appending("state"))
                files[name] = file
                openings += 1
            }
            var bytes = [UInt8](repeating: 0, count: Self.longestState)
            let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
            return String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self)
        }
    }
#endif
