/// The variables that a process was started with: `NAME=value`, each before a zero byte.
///
/// Source: proc_pid_environ(5).
package struct EnvironmentBlock: Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The value of a variable; of one that is there twice, the first, which is the one that the loader sees.
    ///
    /// - Returns: nil if it is not set.
    package func value(of name: String) -> String? {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = TextScanner(bytes)
            while !scanner.isAtEnd {
                let entry = scanner.through(0)
                guard entry.starts(with: name.utf8), entry.count > name.utf8.count,
                    entry[name.utf8.count] == UInt8(ascii: "=")
                else { continue }
                return String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self)
            }
            return nil
        }
    }
}
