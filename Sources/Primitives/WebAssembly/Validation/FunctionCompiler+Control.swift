extension FunctionCompiler {
    private static let valueBlocks: [ValueType: FunctionType] = [
        .i32: FunctionType(to: [.i32]), .i64: FunctionType(to: [.i64]),
        .f32: FunctionType(to: [.f32]), .f64: FunctionType(to: [.f64]),
    ]
    private static let emptyBlock = FunctionType()

    private mutating func blockType() throws(ModuleError) -> FunctionType {
        let start = reader.position
        let code = try reader.signed(bits: 33)
        if code >= 0 {
            guard code < module.types.count else {
                throw reader.error(.unknown(kind: "type", index: UInt32(truncatingIfNeeded: code)), at: start)
            }
            return module.types[Int(code)]
        }
        // The empty type and those of values are negative numbers of one byte.
        if code == -64, reader.position == start + 1 { return Self.emptyBlock }
        var single = ModuleReader(reader.bytes, in: start..<reader.position)
        return Self.valueBlocks[try single.valueType()] ?? Self.emptyBlock
    }

    mutating func beginBlock(_ kind: ControlFrame.Kind) throws(ModuleError) {
        let offset = reader.position - 1
        guard controls.count <= ModuleLimits.nesting else {
            throw reader.error(.tooMany(kind: "nested blocks", limit: ModuleLimits.nesting), at: offset)
        }
        let type = try blockType()
        let condition = kind == .if ? try pop(.i32) : 0
        settleAll()
        let wasLive = isLive
        let toElse = kind == .if && wasLive ? branch(unless: condition) : nil
        try popAll(type.parameters)
        bindLabel()
        var frame = ControlFrame(kind: kind, type: type, height: stack.count, start: code.count, isDead: !wasLive)
        frame.toElse = toElse
        controls.append(frame)
        try pushAll(type.parameters)
    }

    mutating func beginElse() throws(ModuleError) {
        guard controls[controls.count - 1].kind == .if else {
            throw reader.error(.malformed("else without if"), at: reader.position - 1)
        }
        try finishBody()
        let last = controls.count - 1
        if isLive { controls[last].branches.append(emit(.branch)) }
        controls[last].kind = .else
        controls[last].isUnreachable = false
        bindElse()
        try pushAll(controls[last].type.parameters)
    }

    private mutating func bindElse() {
        bindLabel()
        if let toElse = controls[controls.count - 1].toElse { aim(toElse, at: code.count) }
        controls[controls.count - 1].toElse = nil
    }

    mutating func endBlock() throws(ModuleError) {
        try finishBody()
        let frame = controls[controls.count - 1]
        if frame.kind == .function {
            emitReturn()
            controls.removeLast()
            return
        }
        if frame.kind == .if, frame.type.parameters != frame.type.results {
            throw reader.error(.invalid("an if without else that changes the stack"), at: reader.position - 1)
        }
        bindElse()
        controls.removeLast()
        for branch in frame.branches { aim(branch, at: code.count) }
        try pushAll(frame.type.results)
    }

    /// Takes the results of the block that ends, puts them into their places and sees that nothing else is left.
    private mutating func finishBody() throws(ModuleError) {
        let frame = controls[controls.count - 1]
        try popAll(frame.type.results)
        guard stack.count == frame.height else {
            throw reader.error(.invalid("values are left on the stack at the end of a block"), at: reader.position - 1)
        }
        if frame.kind != .function { movePopped(to: frame.height) }
    }

    // MARK: Branches

    private mutating func depth() throws(ModuleError) -> Int {
        let start = reader.position
        let depth = try reader.unsigned32()
        guard depth < controls.count else { throw reader.error(.unknown(kind: "label", index: depth), at: start) }
        return Int(depth)
    }

    private func frameIndex(_ depth: Int) -> Int { controls.count - 1 - depth }

    mutating func branch() throws(ModuleError) {
        let depth = try depth()
        try popAll(controls[frameIndex(depth)].labelTypes)
        jump(depth)
        markUnreachable()
    }

    mutating func branchIf() throws(ModuleError) {
        let depth = try depth()
        let condition = try pop(.i32)
        let frame = controls[frameIndex(depth)]
        try popAll(frame.labelTypes)
        if isLive {
            if frame.kind == .function || !isPoppedInPlace(at: frame.height) {
                let skip = branch(unless: condition)
                jump(depth)
                aim(skip, at: code.count)
                bindLabel()
            } else {
                aim(branch(if: condition), atDepth: depth)
            }
        }
        try restorePopped()
    }

    mutating func branchTable() throws(ModuleError) {
        let start = reader.position
        let count = try reader.count(of: "targets of a branch", limit: ModuleLimits.branchTargets)
        var depths: [Int] = []
        for _ in 0...count { depths.append(try depth()) }
        let index = try pop(.i32)
        let arity = controls[frameIndex(depths[count])].labelTypes.count
        for depth in depths {
            let types = controls[frameIndex(depth)].labelTypes
            guard types.count == arity else {
                throw reader.error(.invalid("targets of a branch that take different values"), at: start)
            }
            try popAll(types, keepsUnknown: true)
            try restorePopped()
        }
        try popAll(controls[frameIndex(depths[count])].labelTypes)
        if isLive { emitTable(depths, index) }
        markUnreachable()
    }

    /// One instruction for each target follows the table; where more are needed, it leads to them.
    private mutating func emitTable(_ depths: [Int], _ index: UInt16) {
        emit(.branchTable, index, immediate: UInt64(depths.count - 1))
        let entries = code.count
        for _ in depths { emit(.branch) }
        var stubs: [Int: Int] = [:]
        for (entry, depth) in depths.enumerated() {
            let frame = controls[frameIndex(depth)]
            if frame.kind != .function, isPoppedInPlace(at: frame.height) {
                aim(entries + entry, atDepth: depth)
            } else {
                let stub = stubs[depth] ?? code.count
                aim(entries + entry, at: stub)
                if stubs.updateValue(stub, forKey: depth) == nil { jump(depth) }
            }
        }
    }

    mutating func returnFromFunction() throws(ModuleError) {
        try popAll(controls[0].type.results)
        emitReturn()
        markUnreachable()
    }

    /// Goes to a label with the values that were taken.
    private mutating func jump(_ depth: Int) {
        let frame = controls[frameIndex(depth)]
        guard isLive else { return }
        if frame.kind == .function { return emitReturn() }
        movePopped(to: frame.height)
        aim(emit(.branch), atDepth: depth)
    }

    /// Lets a branch go to a label, once it is known where that is.
    private mutating func aim(_ branch: Int, atDepth depth: Int) {
        let index = frameIndex(depth)
        if controls[index].kind == .loop {
            aim(branch, at: controls[index].start)
        } else {
            controls[index].branches.append(branch)
        }
    }

    /// Lets a branch go to an instruction of the same function: the low half of its immediate value says how far away.
    private mutating func aim(_ branch: Int, at target: Int) {
        let distance = Int32(truncatingIfNeeded: (target - branch) * MemoryLayout<Instruction>.stride)
        code[branch].immediate = code[branch].immediate & ~0xffff_ffff | UInt64(UInt32(bitPattern: distance))
    }

    private func isPoppedInPlace(at height: Int) -> Bool {
        popped.indices.allSatisfy { popped[$0].place == place(at: height + $0) }
    }

    /// Moves what was taken to places that are as high or lower: in the order of the stack, nothing is written over
    /// that is still to be moved.
    private mutating func movePopped(to height: Int) {
        for index in popped.indices where popped[index].place != place(at: height + index) {
            emit(.copy, to: place(at: height + index), popped[index].place)
        }
    }

    private mutating func emitReturn() {
        switch popped.count {
        case 0: emit(.returnNothing)
        case 1: emit(.returnOne, popped[0].place)
        default:
            // Results begin where the locals do, so values leave those first.
            movePopped(to: stack.count)
            emit(.returnMany, place(at: stack.count), and: UInt16(popped.count))
        }
    }

    private mutating func branch(if place: UInt16) -> Int { conditional(place, isTaken: true) }

    private mutating func branch(unless place: UInt16) -> Int { conditional(place, isTaken: false) }

    /// A branch on a condition, which is one instruction with a comparison before it.
    private mutating func conditional(_ place: UInt16, isTaken: Bool) -> Int {
        if let last = producer(of: place), let comparison = Comparison(last),
            let operation = comparison.branch(isTaken: isTaken)
        {
            code.removeLast()
            if let joined = operation.withAddition, let sum = code.last, code.count > label,
                sum.is(.i32AddConstant), sum.destination == last.first, sum.first == last.first
            {
                code.removeLast()
                return emit(joined, last.first, and: last.second, immediate: sum.immediate << 32)
            }
            return emit(operation, last.first, and: last.second, immediate: UInt64(comparison.constant) << 32)
        }
        return emit(isTaken ? .branchIfI32NeConstant : .branchIfI32EqConstant, place)
    }

    // MARK: Calls

    mutating func call() throws(ModuleError) {
        let index = try module.functionIndex(&reader)
        let operation: Operation = index < importedCount ? .callHost : .call
        try call(module.type(ofFunction: index), by: operation, immediate: UInt64(index))
    }

    mutating func callIndirect() throws(ModuleError) {
        let start = reader.position
        let type = try module.typeIndex(&reader)
        let table = try reader.unsigned32()
        guard table == 0, module.table != nil else {
            throw reader.error(.unknown(kind: "table", index: table), at: start)
        }
        let index = try pop(.i32)
        try call(
            module.types[Int(type)], by: .callIndirect, index, immediate: UInt64(firstEqualTypes[Int(type)]))
    }

    /// Arguments stand at their own places, where the frame of the call begins; results come there.
    private mutating func call(
        _ type: FunctionType, by operation: Operation, _ index: UInt16 = 0, immediate: UInt64
    ) throws(ModuleError) {
        let lowest = max(controls[controls.count - 1].height, stack.count - type.parameters.count)
        for index in lowest..<stack.count { settle(index) }
        try popAll(type.parameters)
        emit(operation, to: place(at: stack.count), index, immediate: immediate)
        try pushAll(type.results)
    }
}
