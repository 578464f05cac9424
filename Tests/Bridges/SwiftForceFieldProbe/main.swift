#if os(Linux)
    import CForceField
    import Glibc

    /// A worker in Swift, its standard library in the executable: it answers each command of eight bytes by the sum of
    /// its bytes.
    var command = [UInt8](repeating: 0, count: 8)
    while cforcefield_is_worker() == 1, read(3, &command, command.count) == command.count {
        var sum = command.reduce(Int64(0)) { $0 + Int64($1) }
        guard write(3, &sum, MemoryLayout.size(ofValue: sum)) == MemoryLayout.size(ofValue: sum) else { exit(1) }
    }
#endif
