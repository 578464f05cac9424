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
    }

    /// Every limit that stage 0 sets, and that on processor time as the warden enforces it.
    package var table: [Entry] {
        [
            Entry(.addressSpace, memoryBytes), Entry(.data, memoryBytes),
            Entry(.cpu, soft: cpuSeconds, hard: cpuSeconds + 1),
            Entry(.stack, stackBytes), Entry(.openFiles, openFiles), Entry(.processes, processes),
            Entry(.pendingSignals, pendingSignals),
        ] + [Resource.fileSize, .core, .lockedMemory, .messageQueues, .realTimePriority, .nice].map { Entry($0, 0) }
    }

    package struct Entry: Hashable, Sendable {
        package let resource: Resource
        package let soft, hard: UInt64

        init(_ resource: Resource, _ both: UInt64) { self.init(resource, soft: both, hard: both) }

        init(_ resource: Resource, soft: UInt64, hard: UInt64) {
            self.resource = resource
            self.soft = soft
            self.hard = hard
        }
    }

    /// A resource that the kernel limits. The raw values are those of RLIMIT_… on Linux.
    ///
    /// Source: asm-generic/resource.h.
    package enum Resource: UInt32, CaseIterable, Sendable {
        case cpu = 0
        case fileSize = 1
        case data = 2
        case stack = 3
        case core = 4
        case processes = 6
        case openFiles = 7
        case lockedMemory = 8
        case addressSpace = 9
        case pendingSignals = 11
        case messageQueues = 12
        case nice = 13
        case realTimePriority = 14
    }
}
