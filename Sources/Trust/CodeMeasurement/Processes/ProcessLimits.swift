/// The limits of a process that rules ask for.
///
/// Source: proc_pid_limits(5); `vigil` section 9.3.
package struct ProcessLimits: Hashable, Sendable {
    /// Bytes of a core dump that the process may write; `UInt64.max` for no limit, nil where the text does not tell.
    package let softCoreSize: UInt64?

    /// - Parameter text: the whole file.
    package init(_ text: [UInt8]) {
        softCoreSize = text.withUnsafeBufferPointer { bytes in
            var scanner = TextScanner(bytes)
            while !scanner.isAtEnd {
                let line = scanner.through(UInt8(ascii: "\n"))
                let name = "Max core file size "
                guard line.starts(with: name.utf8) else { continue }
                var value = TextScanner(line, at: name.utf8.count)
                value.skipBlanks()
                if let bytes = value.decimal() { return bytes }
                return value.through(UInt8(ascii: " ")).elementsEqual("unlimited".utf8) ? .max : nil
            }
            return nil
        }
    }
}
