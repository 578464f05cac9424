/// What `/proc/PID/stat` tells that names a process for good.
///
/// Source: proc_pid_stat(5); `vigil` section 4.1.
package struct ProcessStat: Hashable, Sendable {
    package let process: Int32
    /// The time of the start, in ticks since the machine started. With the number of the process it names one process
    /// until the next start.
    package let startTime: UInt64

    /// - Parameter text: the whole file. The second field, the name, is in brackets and may itself hold brackets,
    ///   spaces and line breaks, so counting starts behind the last `)`.
    /// - Returns: nil if the text is not of this form.
    package init?(_ text: [UInt8]) {
        guard let close = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text.withUnsafeBufferPointer { bytes -> (process: UInt64, startTime: UInt64)? in
            var head = TextScanner(bytes)
            guard let process = head.decimal(), head.skip(UInt8(ascii: " ")), head.skip(UInt8(ascii: "(")) else {
                return nil
            }
            var rest = TextScanner(bytes, at: close + 1)
            guard rest.skip(UInt8(ascii: " ")) else { return nil }
            // The third field follows; the start time is the 22nd.
            for _ in 3..<22 {
                _ = rest.through(UInt8(ascii: " "))
            }
            guard let startTime = rest.decimal(), rest.skip(UInt8(ascii: " ")) else { return nil }
            return (process, startTime)
        }
        guard let fields, let process = Int32(exactly: fields.process) else { return nil }
        self.process = process
        startTime = fields.startTime
    }
}
