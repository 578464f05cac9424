/// Validates bodies of functions by the algorithm of the core specification 1.0 (its appendix on validation), and
/// translates each instruction as soon as it is valid.
///
/// The height of the stack is known at each instruction, so every value has a place of its own in the frame of its
/// call, and instructions name places. Reading a local is no instruction: the value stays in the local, and what uses
/// it reads it there. It is moved to its own place before the local changes and before a block begins.
struct FunctionCompiler {
    let module: Module
    var reader: ModuleReader
    private(set) var functions: [CompiledFunction]
    var code: [Instruction] = []

    var controls: [ControlFrame] = []
    private(set) var stack: [Operand] = []
    private(set) var localTypes: [ValueType] = []
    /// What was taken from the stack last, in the stack's order.
    private(set) var popped: [Operand] = []
    private var maximumHeight = 0
    /// Values from the bottom of the stack that stand at their own places.
    private var settledCount = 0
    /// How many values are still in a local, by local.
    private var borrowed: [Int] = []
    /// The end of the code that branches may enter behind: what stands before it is not rewritten.
    private(set) var label = 0
    /// The first of the types that equal a type, by type.
    let firstEqualTypes: [UInt32]
    let importedCount: Int

    init(_ module: Module, _ reader: ModuleReader) {
        self.module = module
        self.reader = reader
        var firsts: [FunctionType: UInt32] = [:]
        for (index, type) in module.types.enumerated() where firsts[type] == nil { firsts[type] = UInt32(index) }
        let equals = module.types.map { firsts[$0] ?? 0 }
        firstEqualTypes = equals
        importedCount = module.imports.count { if case .function = $0.type { true } else { false } }
        functions = module.functionTypes.prefix(importedCount).map { type in
            CompiledFunction(
                entry: -1, type: equals[Int(type)], of: module.types[Int(type)], localCount: 0, maximumHeight: 0)
        }
    }

    /// Reads the next body, with its size before it.
    mutating func compile(_ type: FunctionType) throws(ModuleError) {
        let start = reader.position
        let byteCount = Int(try reader.unsigned32())
        let index = module.functionTypes[functions.count]
        let entry = code.count
        // A body of its own bounds, read by this reader.
        let outer = reader
        guard byteCount <= reader.end - reader.position else { throw reader.error(.truncated) }
        reader = ModuleReader(outer.bytes, in: outer.position..<outer.position + byteCount)
        try beginFunction(type)
        while !controls.isEmpty { try instruction() }
        guard reader.isAtEnd else {
            throw reader.error(.malformed("bytes are left over behind the function at byte \(start)"))
        }
        reader = ModuleReader(outer.bytes, in: reader.end..<outer.end)
        guard code.count - entry <= ModuleLimits.instructions else {
            throw reader.error(
                .tooMany(kind: "instructions in a function", limit: ModuleLimits.instructions), at: start)
        }
        functions.append(
            CompiledFunction(
                entry: entry, type: firstEqualTypes[Int(index)], of: type, localCount: localTypes.count,
                maximumHeight: maximumHeight))
    }

    private mutating func beginFunction(_ type: FunctionType) throws(ModuleError) {
        localTypes.replaceSubrange(localTypes.indices, with: type.parameters)
        for _ in 0..<(try reader.count(of: "groups of locals", limit: ModuleLimits.locals)) {
            let count = try reader.count(of: "locals", limit: ModuleLimits.locals - localTypes.count)
            localTypes += repeatElement(try reader.valueType(), count: count)
        }
        borrowed.replaceSubrange(borrowed.indices, with: repeatElement(0, count: localTypes.count))
        stack.removeAll(keepingCapacity: true)
        (maximumHeight, settledCount, label) = (0, 0, code.count)
        controls.append(ControlFrame(kind: .function, type: type, height: 0, start: code.count, isDead: false))
        clearLocals(from: type.parameters.count)
    }

    /// Locals behind the parameters begin with zero.
    private mutating func clearLocals(from first: Int) {
        let count = localTypes.count - first
        if count == 1 {
            emit(.constant, to: UInt16(first))
        } else if count > 1 {
            emit(.fill, to: UInt16(first), and: UInt16(count))
        }
        bindLabel()
    }

    // MARK: The stack

    /// The place of its own of the value at a height.
    func place(at height: Int) -> UInt16 { UInt16(truncatingIfNeeded: localTypes.count + height) }

    /// Puts a value on the stack that the next instruction writes.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func push(_ type: ValueType?) throws(ModuleError) -> UInt16 {
        let place = place(at: stack.count)
        try push(Operand(type: type, place: place))
        return place
    }

    /// - Parameter operand: a value that may still be in a local.
    mutating func push(_ operand: Operand) throws(ModuleError) {
        guard localTypes.count + stack.count < ModuleLimits.frame else {
            throw reader.error(.tooMany(kind: "values in a call", limit: ModuleLimits.frame))
        }
        if Int(operand.place) < borrowed.count { borrowed[Int(operand.place)] += 1 }
        stack.append(operand)
        if stack.count > maximumHeight { maximumHeight = stack.count }
    }

    /// Takes a value of any type.
    mutating func pop() throws(ModuleError) -> Operand {
        let (height, isUnreachable) = (controls[controls.count - 1].height, controls[controls.count - 1].isUnreachable)
        guard stack.count > height else {
            guard isUnreachable else { throw reader.error(.invalid("nothing is on the stack")) }
            return Operand(type: nil, place: place(at: stack.count))
        }
        let operand = stack.removeLast()
        if Int(operand.place) < borrowed.count { borrowed[Int(operand.place)] -= 1 }
        if stack.count < settledCount { settledCount = stack.count }
        return operand
    }

    /// Takes a value of a type.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func pop(_ type: ValueType) throws(ModuleError) -> UInt16 { try popOperand(type).place }

    /// Takes a value of a type, which in code that is never reached may be unknown.
    private mutating func popOperand(_ type: ValueType) throws(ModuleError) -> Operand {
        let top = controls[controls.count - 1]
        guard stack.count > top.height || top.isUnreachable else {
            throw reader.error(.operand(expected: type, found: nil))
        }
        let operand = try pop()
        guard operand.type == type || operand.type == nil else {
            throw reader.error(.operand(expected: type, found: operand.type))
        }
        return operand
    }

    /// Takes values of types into `popped`.
    ///
    /// - Parameter keepsUnknown: whether a value whose type is not known stays so when it is put back.
    mutating func popAll(_ types: [ValueType], keepsUnknown: Bool = false) throws(ModuleError) {
        popped.removeAll(keepingCapacity: true)
        for type in types.reversed() {
            let operand = try popOperand(type)
            popped.append(Operand(type: keepsUnknown ? operand.type : type, place: operand.place))
        }
        popped.reverse()
    }

    mutating func pushAll(_ types: [ValueType]) throws(ModuleError) {
        for type in types { try push(type) }
    }

    /// Puts back what ``popAll(_:)`` took.
    mutating func restorePopped() throws(ModuleError) {
        for operand in popped { try push(operand) }
    }

    /// Moves a value to its own place.
    mutating func settle(_ index: Int) {
        let (from, own) = (stack[index].place, place(at: index))
        guard from != own else { return }
        if Int(from) < borrowed.count { borrowed[Int(from)] -= 1 }
        stack[index].place = own
        emit(.copy, to: own, from)
    }

    /// Moves all values to their own places.
    mutating func settleAll() {
        for index in settledCount..<stack.count { settle(index) }
        settledCount = stack.count
    }

    /// Moves the values that are still in a local, which is about to change.
    mutating func settle(local: UInt16) {
        var index = stack.count
        while borrowed[Int(local)] > 0, index > 0 {
            index -= 1
            if stack[index].place == local { settle(index) }
        }
    }

    /// What follows cannot be reached.
    mutating func markUnreachable() {
        let height = controls[controls.count - 1].height
        for operand in stack[height...] where Int(operand.place) < borrowed.count {
            borrowed[Int(operand.place)] -= 1
        }
        stack.removeSubrange(height...)
        settledCount = min(settledCount, height)
        controls[controls.count - 1].isUnreachable = true
    }

    // MARK: Code

    /// Whether what is read now can be reached, and is translated.
    var isLive: Bool {
        let top = controls[controls.count - 1]
        return !top.isUnreachable && !top.isDead
    }

    /// - Returns: the place of the instruction in the code.
    @discardableResult
    mutating func emit(
        _ operation: Operation, to destination: UInt16 = 0, _ first: UInt16 = 0, and second: UInt16 = 0,
        immediate: UInt64 = 0
    ) -> Int {
        guard isLive else { return code.count - 1 }
        let last = code.count - 1
        if operation == .copy, last >= label, code[last].is(.copy) {
            code[last] = Instruction(
                .copyTwo, to: code[last].destination, code[last].first, and: destination, immediate: UInt64(first))
        } else {
            code.append(Instruction(operation, to: destination, first, and: second, immediate: immediate))
        }
        return code.count - 1
    }

    /// Makes one instruction of the last two, if both add constants and the last one does it in one place.
    mutating func joinAdditions() {
        let last = code.count - 1
        guard last > label, code[last].is(.i32AddConstant), code[last].destination == code[last].first,
            code[last - 1].is(.i32AddConstant)
        else { return }
        let second = code.removeLast()
        code[last - 1] = Instruction(
            .i32AddConstantTwo, to: code[last - 1].destination, code[last - 1].first, and: second.destination,
            immediate: code[last - 1].immediate & 0xffff_ffff | second.immediate << 32)
    }

    /// Lets branches come to the end of the code.
    mutating func bindLabel() { label = code.count }

    /// The last instruction, if nothing but it wrote the value at a place of the stack, and no branch comes in behind
    /// it.
    func producer(of place: UInt16) -> Instruction? {
        guard isLive, code.count > label, Int(place) >= localTypes.count, let last = code.last,
            last.destination == place, last.writesDestination
        else { return nil }
        return last
    }
}

extension Instruction {
    /// Whether its destination is a place that it writes, and the only one.
    fileprivate var writesDestination: Bool {
        switch number {
        case Operation.i32Store.rawValue...Operation.i64Store32.rawValue: false
        case 0..<Operation.memoryInit.rawValue: true
        case Operation.i32LoadFromSum.rawValue...Operation.i64Load32UFromSum.rawValue: true
        case Operation.i32EqConstant.rawValue...Operation.i64RotrConstant.rawValue: true
        default: self.is(.copy) || self.is(.constant) || self.is(.select) || self.is(.globalGet)
        }
    }
}

extension CompiledFunction {
    fileprivate init(entry: Int, type: UInt32, of types: FunctionType, localCount: Int, maximumHeight: Int) {
        let (parameters, results) = (types.parameters.count, types.results.count)
        self.init(
            entry: entry, parameterCount: parameters, resultCount: results,
            frameSize: max(localCount + maximumHeight, parameters, results), type: type)
    }
}
