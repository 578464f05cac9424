/// What a worker may use of the machine.
///
/// Source: `forcefield` section 7.5.
public struct ResourceLimits: Hashable, Sendable {
    /// Bytes of address space.
    public var memoryBytes: UInt64 = 512 << 20
    /// Seconds of processor time until SIGXCPU; one second later the warden kills.
    public var cpuSeconds: UInt64 = 30
    /// Bytes of the stack of a thread.
    public var stackBytes: UInt64 = 8 << 20
    /// Open files, below 200, where the numbers begin that only stage 0 uses.
    public var openFiles: UInt64 = 32
    /// Processes of the worker's user. Holds where the worker has a user of its own.
    public var processes: UInt64 = 64
    /// Signals that may wait for the worker.
    public var pendingSignals: UInt64 = 64

    package init() {}

    /// Processor time at which the warden kills.
    package var hardCPULimit: Duration { .seconds(Int64(clamping: cpuSeconds) + 1) }

    func validate() throws(PolicyError) {
        guard (16 << 20...1 << 40).contains(memoryBytes) else { throw .memory(memoryBytes) }
        guard (1...86_400).contains(cpuSeconds) else { throw .cpu(cpuSeconds) }
        guard (64 << 10...memoryBytes).contains(stackBytes) else { throw .stack(stackBytes) }
        guard (5..<200).contains(openFiles) else { throw .openFiles(openFiles) }
        guard (1...65_535).contains(processes) else { throw .processes(processes) }
        guard pendingSignals <= 65_535 else { throw .pendingSignals(pendingSignals) }
    }
}
