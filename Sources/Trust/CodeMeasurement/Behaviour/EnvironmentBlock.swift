/// The variables that a process was started with: `NAME=value`, each before a zero byte.
///
/// Source: proc_pid_environ(5).
package struct EnvironmentBlock: Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All values of a variable, in order; none if it is not set.
    ///
    /// Of one that is there twice a program sees the first (`getenv`), and the loader the last.
    package func values(of name: String) -> [String] {
        bytes.withUnsafeBufferPointer { bytes in
            var values: [String] = []
            var scanner = TextScanner(bytes)
            while !scanner.isAtEnd {
                let entry = scanner.through(0)
                guard entry.starts(with: name.utf8), entry.count > name.utf8.count,
                    entry[name.utf8.count] == UInt8(ascii: "=")
                else { continue }
                values.append(String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self))
            }
            return values
        }
    }

    /// What rules ask of: a variable that is there twice means two things, and has no value that a rule could hold of.
    package func reading(of name: String) -> FieldReading {
        let values = values(of: name)
        guard let value = values.first else { return .absent }
        return values.count == 1 ? .value(.text(value)) : .unreadable
    }
}
