/// What an instance may reach outside itself: functions, and nothing else.
public protocol Host {
    /// Calls an imported function.
    ///
    /// - Parameters:
    ///   - function: which one; its type is ``ExternalType/function(_:)``.
    ///   - arguments: one for each parameter; of 32-bit types, the low half.
    ///   - memory: the instance's memory; nil if it has none.
    /// - Returns: one value for each result.
    /// - Throws: ``Trap``, which ends the run; ``Trap/noSuchImport(module:name:)`` for what is not given.
    mutating func call(_ function: Import, _ arguments: [UInt64], memory: LinearMemory?) throws(Trap) -> [UInt64]
}

/// A host that gives nothing.
public struct NoHost: Host {
    /// Gives nothing.
    public init() {}

    /// Refuses every call.
    public mutating func call(
        _ function: Import, _ arguments: [UInt64], memory: LinearMemory?
    ) throws(Trap) -> [UInt64] {
        throw .noSuchImport(module: function.module, name: function.name)
    }
}

/// How much an instance may use.
public struct ExecutionLimits: Hashable, Sendable {
    /// Steps of the interpreter, of all calls together. A step is an instruction or a few; reading a local is none, and
    /// each local that a call begins with zero is one. What fills or copies costs one more for each 64 bytes, or for
    /// each entry of a table.
    public var fuel: Int64 = 1_000_000_000
    /// Pages of memory, of 64 KiB each.
    public var memoryPages = 1_024
    /// Calls inside each other.
    public var callDepth = 10_000
    /// Values of all calls that are open, of 8 bytes each.
    public var stackValues = 1 << 20

    /// A thousand million steps and 64 MiB.
    public init() {}
}
