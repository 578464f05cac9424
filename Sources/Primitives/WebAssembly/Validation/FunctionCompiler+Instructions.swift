extension FunctionCompiler {
    /// Reads, validates and translates one instruction.
    mutating func instruction() throws(ModuleError) {
        let offset = reader.position
        let code = try reader.byte()
        switch code {
        case 0x00:
            emit(.unreachable)
            markUnreachable()
        case 0x01: break
        case 0x02: try beginBlock(.block)
        case 0x03: try beginBlock(.loop)
        case 0x04: try beginBlock(.if)
        case 0x05: try beginElse()
        case 0x0b: try endBlock()
        case 0x0c: try branch()
        case 0x0d: try branchIf()
        case 0x0e: try branchTable()
        case 0x0f: try returnFromFunction()
        case 0x10: try call()
        case 0x11: try callIndirect()
        case 0x1a: _ = try pop()
        case 0x1b: try select()
        case 0x20...0x22: try local(code)
        case 0x23, 0x24: try global(code)
        case 0x28...0x3e: try access(code)
        case 0x3f, 0x40: try memorySize(code)
        case 0x41...0x44: try constant(code)
        case 0xfc: try prefixed(offset)
        default:
            guard let signature = Signatures.numeric(UInt16(code)) else {
                throw reader.error(
                    Signatures.unsupported(code).map { .unsupported($0) } ?? .malformed("\(code) is no instruction"),
                    at: offset)
            }
            try numeric(UInt16(code), signature)
        }
    }

    private mutating func select() throws(ModuleError) {
        let condition = try pop(.i32)
        let (second, first) = (try pop(), try pop())
        guard first.type == second.type || first.type == nil || second.type == nil else {
            throw reader.error(.invalid("select between values of different types"))
        }
        let place = try push(first.type ?? second.type)
        emit(.select, to: place, first.place, and: second.place, immediate: UInt64(condition))
    }

    private mutating func local(_ code: UInt8) throws(ModuleError) {
        let start = reader.position
        let index = try reader.unsigned32()
        guard index < localTypes.count else { throw reader.error(.unknown(kind: "local", index: index), at: start) }
        let (local, type) = (UInt16(index), localTypes[Int(index)])
        if code != 0x20 { set(local, to: try pop(type)) }
        if code != 0x21 { try push(Operand(type: type, place: local)) }
    }

    /// Writes a value into a local: the instruction that made it does so, if it can.
    private mutating func set(_ local: UInt16, to place: UInt16) {
        settle(local: local)
        if producer(of: place) != nil {
            code[code.count - 1].destination = local
            joinAdditions()
        } else if place != local {
            emit(.copy, to: local, place)
        }
    }

    private mutating func global(_ code: UInt8) throws(ModuleError) {
        let start = reader.position
        let index = try reader.unsigned32()
        guard index < module.globals.count else {
            throw reader.error(.unknown(kind: "global", index: index), at: start)
        }
        let global = module.globals[Int(index)]
        if code == 0x23 {
            emit(.globalGet, to: try push(global.type), immediate: UInt64(index))
        } else {
            guard global.isMutable else { throw reader.error(.invalid("global \(index) does not change"), at: start) }
            emit(.globalSet, try pop(global.type), immediate: UInt64(index))
        }
    }

    private func checkMemory(_ offset: Int) throws(ModuleError) {
        guard module.memory != nil else { throw reader.error(.unknown(kind: "memory", index: 0), at: offset) }
    }

    private mutating func access(_ code: UInt8) throws(ModuleError) {
        let start = reader.position
        try checkMemory(start)
        let (type, alignment) = Signatures.memory[Int(code) - 0x28]
        guard try reader.unsigned32() <= alignment else {
            throw reader.error(.invalid("an access that claims to be aligned better than its size"), at: start)
        }
        let offset = UInt64(try reader.unsigned32())
        guard let operation = Operation(rawValue: UInt16(code)), let withSum = operation.withSum else { return }
        if code < Operation.i32Store.rawValue {
            let address = takeAddress(try pop(.i32))
            let place = try push(type)
            if let other = address.other {
                emit(withSum, to: place, address.place, and: other, immediate: offset << 32)
            } else {
                emit(operation, to: place, address.place, immediate: offset << 32 | address.added)
            }
        } else {
            let value = try pop(type)
            let address = takeAddress(try pop(.i32))
            if let other = address.other {
                emit(withSum, to: other, address.place, and: value, immediate: offset << 32)
            } else {
                emit(operation, address.place, and: value, immediate: offset << 32 | address.added)
            }
        }
    }

    /// Where the address of an access stands: where the last instruction makes a sum of it, the access does so itself.
    private mutating func takeAddress(_ place: UInt16) -> (place: UInt16, other: UInt16?, added: UInt64) {
        guard let sum = producer(of: place) else { return (place, nil, 0) }
        if sum.is(.i32Add) {
            code.removeLast()
            return (sum.first, sum.second, 0)
        }
        if sum.is(.i32AddConstant) {
            code.removeLast()
            return (sum.first, nil, sum.immediate & 0xffff_ffff)
        }
        return (place, nil, 0)
    }

    private mutating func zero() throws(ModuleError) {
        guard try reader.byte() == 0 else {
            throw reader.error(.unsupported("more than one memory or table"), at: reader.position - 1)
        }
    }

    private mutating func memorySize(_ code: UInt8) throws(ModuleError) {
        try checkMemory(reader.position)
        try zero()
        if code == 0x3f {
            emit(.memorySize, to: try push(.i32))
        } else {
            let pages = try pop(.i32)
            emit(.memoryGrow, to: try push(.i32), pages)
        }
    }

    private mutating func constant(_ code: UInt8) throws(ModuleError) {
        let (type, bits): (ValueType, UInt64) =
            switch code {
            case 0x41: (.i32, UInt64(UInt32(truncatingIfNeeded: try reader.signed(bits: 32))))
            case 0x42: (.i64, UInt64(bitPattern: try reader.signed(bits: 64)))
            case 0x43: (.f32, UInt64(try reader.fixed(UInt32.self)))
            default: (.f64, try reader.fixed(UInt64.self))
            }
        emit(.constant, to: try push(type), immediate: bits)
    }

    private mutating func numeric(_ code: UInt16, _ signature: Signatures.Signature) throws(ModuleError) {
        guard var operation = Operation(rawValue: code) else { return }
        var second = signature.operands == 2 ? try pop(signature.type) : 0
        let first = try pop(signature.type)
        var immediate: UInt64 = 0
        if signature.operands == 2, let shorter = operation.withConstant,
            let constant = producer(of: second), constant.is(.constant)
        {
            self.code.removeLast()
            (second, operation, immediate) = (0, shorter, constant.immediate)
            // The opposite is added.
            if code == Operation.i32Sub.rawValue || code == Operation.i64Sub.rawValue { immediate = 0 &- immediate }
        }
        emit(operation, to: try push(signature.result), first, and: second, immediate: immediate)
    }

    /// Instructions behind the prefix 0xfc.
    private mutating func prefixed(_ offset: Int) throws(ModuleError) {
        let number = try reader.unsigned32()
        let code = 0x100 + UInt16(clamping: min(number, 0xff))
        if let signature = Signatures.numeric(code) { return try numeric(code, signature) }
        guard let operation = Operation(rawValue: code), operation <= .tableCopy else {
            throw reader.error(
                (15...17).contains(number)
                    ? .unsupported("an instruction of reference types")
                    : .malformed("0xfc \(number) is no instruction"), at: offset)
        }
        try bulk(operation, offset)
    }

    /// Instructions of bulk memory: a destination, a source or value, a count.
    private mutating func bulk(_ operation: Operation, _ offset: Int) throws(ModuleError) {
        var segment: UInt32 = 0
        switch operation {
        case .memoryInit, .dataDrop:
            segment = try reader.unsigned32()
            guard let count = module.dataCount else {
                throw reader.error(.malformed("a data segment is named and their count is not stated"), at: offset)
            }
            guard segment < count else {
                throw reader.error(.unknown(kind: "data segment", index: segment), at: offset)
            }
        case .tableInit, .elemDrop:
            segment = try reader.unsigned32()
            guard segment < module.elements.count else {
                throw reader.error(.unknown(kind: "element segment", index: segment), at: offset)
            }
        default: break
        }
        switch operation {
        case .dataDrop, .elemDrop:
            emit(operation, immediate: UInt64(segment) << 32)
            return
        case .memoryCopy, .tableCopy:
            try zero()
            try zero()
        default: try zero()
        }
        if operation == .tableInit || operation == .tableCopy {
            guard module.table != nil else { throw reader.error(.unknown(kind: "table", index: 0), at: offset) }
        } else {
            try checkMemory(offset)
        }
        let (count, source) = (try pop(.i32), try pop(.i32))
        emit(operation, try pop(.i32), and: source, immediate: UInt64(segment) << 32 | UInt64(count))
    }
}
