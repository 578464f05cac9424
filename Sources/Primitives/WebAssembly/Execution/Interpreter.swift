/// A call that waits for the one that it made.
private struct OpenCall {
    let next: UnsafePointer<Instruction>
    let frame: Frame
}

/// Runs translated code. The one measured hot loop of this room, with pointers instead of arrays. What keeps them
/// within bounds:
/// - Places are below the `frameSize` of their function (the compiler counts), and each call makes sure that as many
///   values are left on the stack.
/// - Branches go where the compiler saw an instruction of the same function, and each function ends by leaving it.
/// - Open calls are counted against `callDepth`. Accesses to memory are checked one by one. Indices of functions and
///   globals were validated.
struct Interpreter<Outside: Host> {
    private let instance: Instance<Outside>
    private let stack: Frame
    private(set) var fuel: Int64

    /// - Parameter stack: room for as many values as the limits say; the first ones are the arguments.
    init(_ instance: Instance<Outside>, stack: Frame, fuel: Int64) {
        self.instance = instance
        self.stack = stack
        self.fuel = fuel
    }

    /// - Returns: nil when the function has returned.
    mutating func run(_ called: CompiledFunction) -> Trap? {
        let depth = max(1, instance.limits.callDepth)
        let calls = UnsafeMutablePointer<OpenCall>.allocate(capacity: depth)
        defer { calls.deallocate() }
        return instance.module.code.withUnsafeBufferPointer { code in
            instance.module.functions.withUnsafeBufferPointer { functions in
                instance.globals.withUnsafeMutableBufferPointer { globals in
                    // A function that is called has code, so there is some; there need not be globals.
                    guard let code = code.baseAddress, let functions = functions.baseAddress else {
                        return .unreachable
                    }
                    return loop(
                        called, code: code, functions: functions,
                        globals: globals.baseAddress ?? stack, calls: calls, depth: depth)
                }
            }
        }
    }

    // Longer than a screen, because it is one table: instruction by instruction, what each does.
    private mutating func loop(
        _ called: CompiledFunction, code: UnsafePointer<Instruction>, functions: UnsafePointer<CompiledFunction>,
        globals: UnsafeMutablePointer<UInt64>, calls: UnsafeMutablePointer<OpenCall>, depth: Int
    ) -> Trap? {
        var (next, frame) = (code + called.entry, stack)
        let stackEnd = stack + instance.limits.stackValues
        var memory = MemoryView(instance.memory)
        var openCalls = 0
        var fuel = fuel
        defer { self.fuel = fuel }
        while true {
            let step = next.pointee
            next += 1
            fuel &-= 1
            guard fuel >= 0 else { return .outOfFuel }
            switch step.operation {
            case .copy: frame[long: step.destination] = frame[long: step.first]
            case .constant: frame[long: step.destination] = step.immediate
            case .select:
                let condition = frame[word: UInt16(truncatingIfNeeded: step.immediate)]
                frame[long: step.destination] = condition != 0 ? frame[long: step.first] : frame[long: step.second]
            case .globalGet: frame[long: step.destination] = globals[Int(step.immediate)]
            case .globalSet: globals[Int(step.immediate)] = frame[long: step.first]

            case .branch: next = code + Int(step.immediate)
            case .branchIf: if frame[word: step.first] != 0 { next = code + Int(step.immediate) }
            case .branchUnless: if frame[word: step.first] == 0 { next = code + Int(step.immediate) }
            case .branchIfEq:
                if frame[word: step.first] == frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfNe:
                if frame[word: step.first] != frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfLtU:
                if frame[word: step.first] < frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfGtU:
                if frame[word: step.first] > frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfLeU:
                if frame[word: step.first] <= frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfGeU:
                if frame[word: step.first] >= frame[word: step.second] { next = code + Int(step.immediate) }
            case .branchIfLtS:
                if frame[signed: step.first] < frame[signed: step.second] { next = code + Int(step.immediate) }
            case .branchIfGtS:
                if frame[signed: step.first] > frame[signed: step.second] { next = code + Int(step.immediate) }
            case .branchIfLeS:
                if frame[signed: step.first] <= frame[signed: step.second] { next = code + Int(step.immediate) }
            case .branchIfGeS:
                if frame[signed: step.first] >= frame[signed: step.second] { next = code + Int(step.immediate) }
            case .branchTable: next += Int(min(UInt64(frame[word: step.first]), step.immediate))

            case .call, .callIndirect:
                var index = Int(truncatingIfNeeded: step.immediate)
                if step.operation == .callIndirect {
                    switch target(frame[word: step.first], type: UInt32(truncatingIfNeeded: step.immediate)) {
                    case .success(let found): index = found
                    case .failure(let trap): return trap
                    }
                }
                let function = functions + index
                let callee = frame + Int(step.destination)
                guard callee + function.pointee.frameSize <= stackEnd else { return .callStackExhausted }
                if function.pointee.entry < 0 {
                    if let trap = callHost(index, callee) { return trap }
                    memory = MemoryView(instance.memory)
                } else {
                    guard openCalls < depth else { return .callStackExhausted }
                    calls[openCalls] = OpenCall(next: next, frame: frame)
                    openCalls += 1
                    let (parameters, locals) = (function.pointee.parameterCount, function.pointee.localCount)
                    if locals > parameters {
                        fuel &-= Int64(locals - parameters)
                        for place in parameters..<locals { callee[place] = 0 }
                    }
                    (next, frame) = (code + function.pointee.entry, callee)
                }
            case .returnNothing, .returnOne, .returnMany:
                if step.operation == .returnOne {
                    frame[0] = frame[long: step.first]
                } else if step.operation == .returnMany {
                    frame.update(from: frame + Int(step.first), count: Int(step.second))
                }
                guard openCalls > 0 else { return nil }
                openCalls -= 1
                (next, frame) = (calls[openCalls].next, calls[openCalls].frame)
            case .unreachable: return .unreachable

            case .i32Load, .f32Load, .i64Load32U:
                guard let value = memory.load(UInt32.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[word: step.destination] = value
            case .i64Load, .f64Load:
                guard let value = memory.load(UInt64.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = value
            case .i32Load8U, .i64Load8U:
                guard let value = memory.load(UInt8.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = UInt64(value)
            case .i32Load16U, .i64Load16U:
                guard let value = memory.load(UInt16.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = UInt64(value)
            case .i32Load8S:
                guard let value = memory.load(Int8.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[word: step.destination] = UInt32(truncatingIfNeeded: value)
            case .i32Load16S:
                guard let value = memory.load(Int16.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[word: step.destination] = UInt32(truncatingIfNeeded: value)
            case .i64Load8S:
                guard let value = memory.load(Int8.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = UInt64(truncatingIfNeeded: value)
            case .i64Load16S:
                guard let value = memory.load(Int16.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = UInt64(truncatingIfNeeded: value)
            case .i64Load32S:
                guard let value = memory.load(Int32.self, frame, for: step) else { return .memoryOutOfBounds }
                frame[long: step.destination] = UInt64(truncatingIfNeeded: value)
            case .i32Store, .f32Store, .i64Store32:
                guard memory.store(frame[word: step.second], frame, for: step) else { return .memoryOutOfBounds }
            case .i64Store, .f64Store:
                guard memory.store(frame[long: step.second], frame, for: step) else { return .memoryOutOfBounds }
            case .i32Store8, .i64Store8:
                let value = UInt8(truncatingIfNeeded: frame[word: step.second])
                guard memory.store(value, frame, for: step) else { return .memoryOutOfBounds }
            case .i32Store16, .i64Store16:
                let value = UInt16(truncatingIfNeeded: frame[word: step.second])
                guard memory.store(value, frame, for: step) else { return .memoryOutOfBounds }

            case .i32AddConstant:
                frame[word: step.destination] =
                    frame[word: step.first] &+ UInt32(truncatingIfNeeded: step.immediate)
            case .i32AndConstant:
                frame[word: step.destination] = frame[word: step.first] & UInt32(truncatingIfNeeded: step.immediate)
            case .i32ShlConstant:
                frame[word: step.destination] = frame[word: step.first] &<< UInt32(truncatingIfNeeded: step.immediate)
            case .i32ShrUConstant:
                frame[word: step.destination] = frame[word: step.first] &>> UInt32(truncatingIfNeeded: step.immediate)
            case .i32Add: frame[word: step.destination] = frame[word: step.first] &+ frame[word: step.second]
            case .i32Sub: frame[word: step.destination] = frame[word: step.first] &- frame[word: step.second]
            case .i32Mul: frame[word: step.destination] = frame[word: step.first] &* frame[word: step.second]
            case .i32And: frame[word: step.destination] = frame[word: step.first] & frame[word: step.second]
            case .i32Or: frame[word: step.destination] = frame[word: step.first] | frame[word: step.second]
            case .i32Xor: frame[word: step.destination] = frame[word: step.first] ^ frame[word: step.second]
            case .i32Shl: frame[word: step.destination] = frame[word: step.first] &<< frame[word: step.second]
            case .i32ShrU: frame[word: step.destination] = frame[word: step.first] &>> frame[word: step.second]
            case .i32ShrS:
                frame[word: step.destination] =
                    UInt32(bitPattern: frame[signed: step.first] &>> frame[signed: step.second])
            case .i32Eqz: frame[bool: step.destination] = frame[word: step.first] == 0
            case .i32Eq: frame[bool: step.destination] = frame[word: step.first] == frame[word: step.second]
            case .i32Ne: frame[bool: step.destination] = frame[word: step.first] != frame[word: step.second]
            case .i32LtU: frame[bool: step.destination] = frame[word: step.first] < frame[word: step.second]
            case .i32GtU: frame[bool: step.destination] = frame[word: step.first] > frame[word: step.second]
            case .i32LeU: frame[bool: step.destination] = frame[word: step.first] <= frame[word: step.second]
            case .i32GeU: frame[bool: step.destination] = frame[word: step.first] >= frame[word: step.second]
            case .i32LtS: frame[bool: step.destination] = frame[signed: step.first] < frame[signed: step.second]
            case .i32GtS: frame[bool: step.destination] = frame[signed: step.first] > frame[signed: step.second]
            case .i32LeS: frame[bool: step.destination] = frame[signed: step.first] <= frame[signed: step.second]
            case .i32GeS: frame[bool: step.destination] = frame[signed: step.first] >= frame[signed: step.second]

            case .i64AddConstant: frame[long: step.destination] = frame[long: step.first] &+ step.immediate
            case .i64AndConstant: frame[long: step.destination] = frame[long: step.first] & step.immediate
            case .i64ShlConstant: frame[long: step.destination] = frame[long: step.first] &<< step.immediate
            case .i64ShrUConstant: frame[long: step.destination] = frame[long: step.first] &>> step.immediate
            case .i64Add: frame[long: step.destination] = frame[long: step.first] &+ frame[long: step.second]
            case .i64Sub: frame[long: step.destination] = frame[long: step.first] &- frame[long: step.second]
            case .i64Mul: frame[long: step.destination] = frame[long: step.first] &* frame[long: step.second]
            case .i64And: frame[long: step.destination] = frame[long: step.first] & frame[long: step.second]
            case .i64Or: frame[long: step.destination] = frame[long: step.first] | frame[long: step.second]
            case .i64Xor: frame[long: step.destination] = frame[long: step.first] ^ frame[long: step.second]
            case .i64Shl: frame[long: step.destination] = frame[long: step.first] &<< frame[long: step.second]
            case .i64ShrU: frame[long: step.destination] = frame[long: step.first] &>> frame[long: step.second]
            case .i64ShrS:
                frame[long: step.destination] =
                    UInt64(bitPattern: frame[wide: step.first] &>> frame[wide: step.second])
            case .i64Eqz: frame[bool: step.destination] = frame[long: step.first] == 0
            case .i64Eq: frame[bool: step.destination] = frame[long: step.first] == frame[long: step.second]
            case .i64Ne: frame[bool: step.destination] = frame[long: step.first] != frame[long: step.second]
            case .i64LtU: frame[bool: step.destination] = frame[long: step.first] < frame[long: step.second]
            case .i64GtU: frame[bool: step.destination] = frame[long: step.first] > frame[long: step.second]
            case .i64LeU: frame[bool: step.destination] = frame[long: step.first] <= frame[long: step.second]
            case .i64GeU: frame[bool: step.destination] = frame[long: step.first] >= frame[long: step.second]
            case .i64LtS: frame[bool: step.destination] = frame[wide: step.first] < frame[wide: step.second]
            case .i64GtS: frame[bool: step.destination] = frame[wide: step.first] > frame[wide: step.second]
            case .i64LeS: frame[bool: step.destination] = frame[wide: step.first] <= frame[wide: step.second]
            case .i64GeS: frame[bool: step.destination] = frame[wide: step.first] >= frame[wide: step.second]
            case .i32WrapI64, .i64ExtendI32U: frame[word: step.destination] = frame[word: step.first]
            case .i64ExtendI32S, .i64Extend32S:
                frame[long: step.destination] = UInt64(truncatingIfNeeded: frame[signed: step.first])

            default:
                if let trap = rarely(step, frame, fuel: &fuel) { return trap }
                memory = MemoryView(instance.memory)
            }
        }
    }

    /// The function behind an entry of the table.
    @inline(never)
    private func target(_ entry: UInt32, type: UInt32) -> Result<Int, Trap> {
        guard Int(entry) < instance.table.count else { return .failure(.tableOutOfBounds) }
        guard let index = instance.table[Int(entry)] else { return .failure(.uninitializedElement) }
        guard instance.module.functions[Int(index)].type == type else { return .failure(.indirectCallTypeMismatch) }
        return .success(Int(index))
    }

    @inline(never)
    private func callHost(_ index: Int, _ frame: Frame) -> Trap? {
        let count = instance.module.functions[index].parameterCount
        do throws(Trap) {
            let results = try instance.callHost(index, (0..<count).map { frame[$0] })
            for (place, value) in results.enumerated() { frame[place] = value }
            return nil
        } catch {
            return error
        }
    }

    /// Instructions that are not worth a place in the loop.
    @inline(never)
    private func rarely(_ step: Instruction, _ frame: Frame, fuel: inout Int64) -> Trap? {
        do throws(Trap) {
            switch step.operation {
            case .memorySize: frame[word: step.destination] = instance.memory?.pageCount ?? 0
            case .memoryGrow:
                frame[word: step.destination] = instance.memory?.grow(by: frame[word: step.first]) ?? .max
            case .memoryInit...(.tableCopy): try bulk(step, frame, fuel: &fuel)
            default:
                let (first, second) = (frame[long: step.first], frame[long: step.second])
                frame[long: step.destination] =
                    if let integer = try IntegerOperations.compute(step.operation, of: first, and: second) {
                        integer
                    } else {
                        try FloatOperations.compute(step.operation, of: first, and: second)
                    }
            }
            return nil
        } catch {
            return error
        }
    }

    private func bulk(_ step: Instruction, _ frame: Frame, fuel: inout Int64) throws(Trap) {
        let (destination, source) = (frame[word: step.first], frame[word: step.second])
        let count = frame[word: UInt16(truncatingIfNeeded: step.immediate)]
        let segment = Int(step.immediate >> 32)
        switch step.operation {
        case .dataDrop:
            instance.droppedData[segment] = true
            return
        case .elemDrop:
            instance.droppedElements[segment] = true
            return
        default: fuel &-= Int64(count / 64)
        }
        switch step.operation {
        case .memoryInit: try instance.initMemory(segment, from: source, to: destination, count)
        case .memoryCopy: try instance.memory?.copy(from: source, to: destination, count: count)
        case .memoryFill:
            try instance.memory?.fill(UInt8(truncatingIfNeeded: source), at: destination, count: count)
        case .tableInit: try instance.initTable(segment, from: source, to: destination, count)
        default: try instance.copyTable(from: source, to: destination, count)
        }
    }
}
