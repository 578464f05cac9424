#if os(Linux)
    import ForceFieldKnownAnswers
    import Foundation

    enum Fixture {
        struct Malformed: Error {
            let text: String
            init(_ text: String) { self.text = text }
        }

        static func lines(_ name: String) throws -> [String] {
            let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
            return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        /// `Fixtures/seccomp_compute.tsv`.
        static func table() throws -> CallTable { try CallTable(lines("seccomp_compute.tsv")) }
    }
#endif
