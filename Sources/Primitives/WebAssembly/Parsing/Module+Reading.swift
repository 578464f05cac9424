/// What is read in several sections, and in code.
extension Module {
    func typeIndex(_ reader: inout ModuleReader) throws(ModuleError) -> UInt32 {
        let start = reader.position
        let index = try reader.unsigned32()
        guard index < types.count else { throw reader.error(.unknown(kind: "type", index: index), at: start) }
        return index
    }

    func functionIndex(_ reader: inout ModuleReader) throws(ModuleError) -> UInt32 {
        let start = reader.position
        let index = try reader.unsigned32()
        guard index < functionTypes.count else {
            throw reader.error(.unknown(kind: "function", index: index), at: start)
        }
        return index
    }

    /// Reads a constant expression of a type.
    func constant(_ reader: inout ModuleReader, _ type: ValueType) throws(ModuleError) -> ConstantExpression {
        let start = reader.position
        let expression: ConstantExpression
        let found: ValueType
        switch try reader.byte() {
        case 0x41:
            (expression, found) = (.value(UInt64(UInt32(truncatingIfNeeded: try reader.signed(bits: 32)))), .i32)
        case 0x42: (expression, found) = (.value(UInt64(bitPattern: try reader.signed(bits: 64))), .i64)
        case 0x43: (expression, found) = (.value(UInt64(try reader.fixed(UInt32.self))), .f32)
        case 0x44: (expression, found) = (.value(try reader.fixed(UInt64.self)), .f64)
        case 0x23:
            let index = Int(try reader.unsigned32())
            guard index < globals.count, globals[index].initial == nil, !globals[index].isMutable else {
                throw reader.error(.invalid("a constant of a global that is not imported or changes"), at: start)
            }
            (expression, found) = (.global(index), globals[index].type)
        case 0xd0, 0xd2: throw reader.error(.unsupported("a reference as a constant (reference types)"), at: start)
        case let code: throw reader.error(.invalid("instruction \(code) in a constant"), at: start)
        }
        guard found == type else { throw reader.error(.operand(expected: type, found: found), at: start) }
        guard try reader.byte() == 0x0b else {
            throw reader.error(.invalid("a constant of more than one instruction"), at: start)
        }
        return expression
    }
}
