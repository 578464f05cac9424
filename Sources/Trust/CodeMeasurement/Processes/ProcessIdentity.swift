/// What names a process for good, in the log beside every verdict.
///
/// Source: `vigil` section 4.1.
public struct ProcessIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The name of this start of the machine.
    public let bootID: String
    /// The process's number.
    public let process: Int32
    /// The time of the process's start, in ticks since the machine started.
    public let startTime: UInt64
    /// The file that the process runs; nil where it may not be known.
    public let executable: FileKey?

    /// - Parameters: the properties of the same names.
    public init(bootID: String, process: Int32, startTime: UInt64, executable: FileKey?) {
        self.bootID = bootID
        self.process = process
        self.startTime = startTime
        self.executable = executable
    }

    /// All of it in one line, for the log.
    public var description: String {
        "process \(process) started at \(startTime) of boot \(bootID), file \(executable?.description ?? "unknown")"
    }
}
