/// Bounds of what a module may hold. Runtimes of chains stay far below.
enum ModuleLimits {
    static let types = 65_536
    static let imports = 65_536
    static let functions = 262_144
    static let globals = 65_536
    static let exports = 65_536
    static let segments = 262_144
    static let tableEntries = 1_048_576
    static let parameters = 256
    static let results = 16
    static let locals = 32_768
    /// Locals and the stack of one call, in values: their places are numbers of 16 bits.
    static let frame = Int(UInt16.max)
    /// Instructions of one function: how far a branch goes is a number of 32 bits.
    static let instructions = Int(Int32.max) / MemoryLayout<Instruction>.stride
    static let nesting = 4_096
    static let branchTargets = 65_536
    static let nameByteCount = 65_536
    /// Pages that a memory of 32 bits can have.
    static let memoryPages: UInt32 = 65_536
}
