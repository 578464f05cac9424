/// How much memory of which kind a process has mapped. The kernel tells it of every process, also of one that may not
/// be looked into.
///
/// Source: proc_pid_status(5); in the kernel `vm_stat_account`.
package struct MemorySizes: Hashable, Sendable {
    /// Sizes in KiB: of all mappings; of the private ones that can be written to; of those that are executable and
    /// cannot.
    let total, writable, executable: UInt64

    static let fields: Set<String> = ["VmSize", "VmData", "VmStk", "VmExe", "VmLib"]

    /// - Parameter sizes: by the names of the fields, in KiB.
    /// - Returns: nil if one is missing: the process has no memory any more.
    init?(_ sizes: [String: UInt64]) {
        guard let total = sizes["VmSize"], let data = sizes["VmData"], let stack = sizes["VmStk"],
            let program = sizes["VmExe"], let libraries = sizes["VmLib"]
        else { return nil }
        self.total = total
        writable = data &+ stack
        executable = program &+ libraries
    }

    /// What a memory map shows.
    init(of map: MemoryMap) {
        var total: UInt64 = 0
        var writable: UInt64 = 0
        var executable: UInt64 = 0
        // The page of the kernel at the end of the addresses belongs to no process.
        for mapping in map.mappings where !map.path(of: mapping, is: "[vsyscall]") {
            let size = (mapping.end - mapping.start) >> 10
            let protection = mapping.protection
            total &+= size
            if protection.contains(.write) {
                if !protection.contains(.shared) { writable &+= size }
            } else if protection.isExecutable {
                executable &+= size
            }
        }
        self.total = total
        self.writable = writable
        self.executable = executable
    }
}
