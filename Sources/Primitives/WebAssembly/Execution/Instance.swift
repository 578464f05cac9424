/// A module with memory, table and globals, ready to be called. For one thread at a time.
public final class Instance<Outside: Host> {
    /// The module that runs.
    public let module: Module
    /// What the module may reach outside.
    public var host: Outside
    /// The memory, the module's own or the one that it imports.
    public let memory: LinearMemory?
    /// Steps that are left.
    public private(set) var fuel: Int64
    let limits: ExecutionLimits
    let table: FunctionTable
    var globals: [UInt64] = []
    /// Segments that are used up.
    var droppedData, droppedElements: [Bool]
    private let functionImports: [Import]

    /// Makes memory, table and globals, fills them, and runs the module's start.
    ///
    /// - Parameters:
    ///   - module: what to run.
    ///   - host: gives the imported functions. A memory that is imported is made.
    ///   - limits: how much the instance may use, this start included.
    /// - Throws: ``Trap``; ``Trap/noSuchImport(module:name:)`` for an imported table or global.
    public init(of module: Module, host: Outside, limits: ExecutionLimits = .init()) throws(Trap) {
        self.module = module
        self.host = host
        self.limits = limits
        fuel = limits.fuel
        for outside in module.imports {
            switch outside.type {
            case .function, .memory: break
            case .table, .global: throw .noSuchImport(module: outside.module, name: outside.name)
            }
        }
        functionImports = module.imports.filter { if case .function = $0.type { true } else { false } }
        memory =
            if let size = module.memory { try LinearMemory(size, pageLimit: limits.memoryPages) } else { nil }
        table = FunctionTable(count: Int(module.table?.minimum ?? 0))
        droppedData = Array(repeating: false, count: module.data.count)
        droppedElements = Array(repeating: false, count: module.elements.count)
        globals = module.globals.map { $0.initial.map(value) ?? 0 }
        for (index, segment) in module.elements.enumerated() {
            guard let offset = segment.offset else { continue }
            try initTable(
                index, from: 0, to: UInt32(truncatingIfNeeded: value(offset)), UInt32(segment.functions.count))
            droppedElements[index] = true
        }
        for (index, segment) in module.data.enumerated() {
            guard let offset = segment.offset else { continue }
            try initMemory(index, from: 0, to: UInt32(truncatingIfNeeded: value(offset)), UInt32(segment.range.count))
            droppedData[index] = true
        }
        if let start = module.start { _ = try run(start, []) }
    }

    private func value(_ expression: ConstantExpression) -> UInt64 {
        switch expression {
        case .value(let bits): bits
        case .global(let index): globals[index]
        }
    }

    /// Calls an exported function.
    ///
    /// - Parameters:
    ///   - name: the name of the export.
    ///   - arguments: one for each parameter; of 32-bit types, the low half counts.
    /// - Returns: one value for each result, the upper half of 32-bit types zero.
    /// - Throws: ``Trap``; ``Trap/host(_:)`` for no such export or another number of arguments.
    public func call(_ name: String, _ arguments: [UInt64] = []) throws(Trap) -> [UInt64] {
        guard let type = module.exportedFunction(name), let export = module.export(name) else {
            throw .host("it exports no function \(name)")
        }
        guard type.parameters.count == arguments.count else {
            throw .host("\(name) takes \(type.parameters.count) arguments, and \(arguments.count) are given")
        }
        let bits = zip(type.parameters, arguments).map { type, argument in
            type == .i32 || type == .f32 ? argument & 0xffff_ffff : argument
        }
        return try run(export.index, bits)
    }

    private func run(_ function: Int, _ arguments: [UInt64]) throws(Trap) -> [UInt64] {
        let called = module.functions[function]
        guard called.entry >= 0 else { return try callHost(function, arguments) }
        guard called.frameSize <= limits.stackValues else { throw .callStackExhausted }
        let stack = UnsafeMutablePointer<UInt64>.allocate(capacity: limits.stackValues)
        defer { stack.deallocate() }
        for (index, argument) in arguments.enumerated() { stack[index] = argument }
        var interpreter = Interpreter(self, stack: stack, fuel: fuel)
        defer { fuel = max(0, interpreter.fuel) }
        if let trap = interpreter.run(called) { throw trap }
        return (0..<called.resultCount).map { stack[$0] }
    }

    func callHost(_ function: Int, _ arguments: [UInt64]) throws(Trap) -> [UInt64] {
        let outside = functionImports[function]
        let results = try host.call(outside, arguments, memory: memory)
        guard results.count == module.functions[function].resultCount else {
            throw .host("\(outside.name) gave \(results.count) results")
        }
        return results
    }

    // MARK: Segments

    func initMemory(_ segment: Int, from source: UInt32, to destination: UInt32, _ count: UInt32) throws(Trap) {
        let range = droppedData[segment] ? 0..<0 : module.data[segment].range
        guard let memory, UInt64(source) + UInt64(count) <= range.count else { throw .memoryOutOfBounds }
        let start = range.lowerBound + Int(source)
        try memory.write(module.bytes[start..<start + Int(count)], at: destination)
    }

    func initTable(_ segment: Int, from source: UInt32, to destination: UInt32, _ count: UInt32) throws(Trap) {
        let functions = droppedElements[segment] ? [] : module.elements[segment].functions
        guard UInt64(source) + UInt64(count) <= functions.count else { throw .tableOutOfBounds }
        try table.write(functions[Int(source)..<Int(source) + Int(count)], at: destination)
    }
}
