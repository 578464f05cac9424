import WebAssembly

/// What a runtime gets of its host: an allocator, and a log that nobody reads. No storage, no clock, no randomness, no
/// keys: metadata need none of them, and what asks for one is refused by name.
///
/// Source: `signer-wire` section 8.6.
struct RuntimeHost: Host {
    private var allocator: RuntimeAllocator

    /// - Parameter heapBase: where the runtime's own data end.
    init(heapBase: UInt32) { allocator = RuntimeAllocator(from: heapBase) }

    mutating func call(
        _ function: Import, _ arguments: [UInt64], memory: LinearMemory?
    ) throws(Trap) -> [UInt64] {
        guard case .function(let type) = function.type, function.module == "env",
            let known = Self.functions[function.name], known.type == type
        else { throw .noSuchImport(module: function.module, name: function.name) }
        switch known.kind {
        case .allocate: return [UInt64(try allocate(UInt32(truncatingIfNeeded: arguments[0]), memory))]
        case .free: try allocator.free(UInt32(truncatingIfNeeded: arguments[0]))
        case .logLevel: return [0]
        case .log: break
        }
        return []
    }

    mutating func allocate(_ byteCount: UInt32, _ memory: LinearMemory?) throws(Trap) -> UInt32 {
        guard let memory else { throw .host("it has no memory") }
        return try allocator.allocate(byteCount, in: memory)
    }

    private enum Kind { case allocate, free, logLevel, log }

    private static let functions: [String: (kind: Kind, type: FunctionType)] = [
        "ext_allocator_malloc_version_1": (.allocate, FunctionType([.i32], to: [.i32])),
        "ext_allocator_free_version_1": (.free, FunctionType([.i32])),
        "ext_logging_max_level_version_1": (.logLevel, FunctionType(to: [.i32])),
        "ext_logging_log_version_1": (.log, FunctionType([.i32, .i64, .i64])),
    ]
}

/// Memory in sizes that are powers of two, from the heap's base upwards; what is freed is given again. What is taken
/// and what is free is kept outside the runtime's memory, where the runtime cannot reach it.
struct RuntimeAllocator {
    private var end: Int
    /// Exponents of sizes, by address.
    private var taken: [UInt32: Int] = [:]
    /// Addresses by the exponent of their size.
    private var free: [Int: [UInt32]] = [:]

    private static let smallest = 3
    private static let alignment = 8
    /// Bytes of the largest piece, as nodes have it.
    private static let largest: UInt32 = 32 << 20

    init(from base: UInt32) { end = (Int(base) + Self.alignment - 1) / Self.alignment * Self.alignment }

    mutating func allocate(_ byteCount: UInt32, in memory: LinearMemory) throws(Trap) -> UInt32 {
        guard byteCount <= Self.largest else { throw .host("it asked for \(byteCount) bytes of memory at once") }
        let exponent = max(Self.smallest, Int.bitWidth - (max(1, Int(byteCount)) - 1).leadingZeroBitCount)
        if let address = free[exponent]?.popLast() {
            taken[address] = exponent
            return address
        }
        let next = end + (1 << exponent)
        guard memory.reserve(next), let address = UInt32(exactly: end) else {
            throw .host("it needs more memory than it was given")
        }
        end = next
        taken[address] = exponent
        return address
    }

    mutating func free(_ address: UInt32) throws(Trap) {
        guard let exponent = taken.removeValue(forKey: address) else {
            throw .host("it freed memory that it does not have")
        }
        free[exponent, default: []].append(address)
    }
}
