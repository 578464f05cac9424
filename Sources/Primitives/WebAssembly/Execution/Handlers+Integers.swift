/// Integers: comparisons, branches on them, and arithmetic (WebAssembly core specification 1.0, section 4.3.2).
extension Handlers {
    /// Integers of 32 bits, without and with a sign.
    static let integers32: [Row] = [
        ([.i32Eq], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, ==) }),
        ([.i32EqConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, ==) }),
        ([.branchIfI32Eq], branchIfI32EqStep),
        ([.addAndBranchIfI32Eq], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(UInt32.self, ==) }),
        ([.branchIfI32EqConstant], branchIfI32EqConstantStep),
        ([.i32Ne], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, !=) }),
        ([.i32NeConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, !=) }),
        ([.branchIfI32Ne], branchIfI32NeStep),
        ([.addAndBranchIfI32Ne], addAndBranchIfI32NeStep),
        ([.branchIfI32NeConstant], branchIfI32NeConstantStep),
        ([.i32LtS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int32.self, <) }),
        ([.i32LtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int32.self, <) }),
        ([.branchIfI32LtS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int32.self, <) }),
        ([.addAndBranchIfI32LtS], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(Int32.self, <) }),
        ([.branchIfI32LtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int32.self, <) }),
        ([.i32LtU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, <) }),
        ([.i32LtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, <) }),
        ([.branchIfI32LtU], branchIfI32LtUStep),
        ([.addAndBranchIfI32LtU], addAndBranchIfI32LtUStep),
        ([.branchIfI32LtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt32.self, <) }),
        ([.i32GtS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int32.self, >) }),
        ([.i32GtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int32.self, >) }),
        ([.branchIfI32GtS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int32.self, >) }),
        ([.addAndBranchIfI32GtS], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(Int32.self, >) }),
        ([.branchIfI32GtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int32.self, >) }),
        ([.i32GtU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, >) }),
        ([.i32GtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, >) }),
        ([.branchIfI32GtU], branchIfI32GtUStep),
        ([.addAndBranchIfI32GtU], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(UInt32.self, >) }),
        ([.branchIfI32GtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt32.self, >) }),
        ([.i32LeS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int32.self, <=) }),
        ([.i32LeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int32.self, <=) }),
        ([.branchIfI32LeS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int32.self, <=) }),
        ([.addAndBranchIfI32LeS], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(Int32.self, <=) }),
        ([.branchIfI32LeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int32.self, <=) }),
        ([.i32LeU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, <=) }),
        ([.i32LeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, <=) }),
        ([.branchIfI32LeU], branchIfI32LeUStep),
        ([.addAndBranchIfI32LeU], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(UInt32.self, <=) }),
        ([.branchIfI32LeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt32.self, <=) }),
        ([.i32GeS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int32.self, >=) }),
        ([.i32GeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int32.self, >=) }),
        ([.branchIfI32GeS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int32.self, >=) }),
        ([.addAndBranchIfI32GeS], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(Int32.self, >=) }),
        ([.branchIfI32GeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int32.self, >=) }),
        ([.i32GeU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt32.self, >=) }),
        ([.i32GeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt32.self, >=) }),
        ([.branchIfI32GeU], branchIfI32GeUStep),
        ([.addAndBranchIfI32GeU], { Position(at: $0, in: $1, of: $2, left: $3).addAndBranch(UInt32.self, >=) }),
        ([.branchIfI32GeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt32.self, >=) }),
        ([.i32Add], i32AddStep),
        ([.i32AddConstant], i32AddConstantStep),
        ([.i32Sub], i32SubStep),
        ([.i32Mul], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt32.self, &*) }),
        ([.i32MulConstant], i32MulConstantStep),
        ([.i32And], i32AndStep),
        ([.i32AndConstant], i32AndConstantStep),
        ([.i32Or], i32OrStep),
        ([.i32OrConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt32.self, |) }),
        ([.i32Xor], i32XorStep),
        ([.i32XorConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt32.self, ^) }),
        ([.i32Shl], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt32.self, &<<) }),
        ([.i32ShlConstant], i32ShlConstantStep),
        ([.i32ShrS], { Position(at: $0, in: $1, of: $2, left: $3).binary(Int32.self, &>>) }),
        ([.i32ShrSConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(Int32.self, &>>) }),
        ([.i32ShrU], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt32.self, &>>) }),
        ([.i32ShrUConstant], i32ShrUConstantStep),
        ([.i32Rotl], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt32.self, rotatedLeft) }),
        ([.i32RotlConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt32.self, rotatedLeft) }),
        ([.i32Rotr], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt32.self, rotatedRight) }),
        ([.i32RotrConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt32.self, rotatedRight) }),
        ([.i32DivS], { Position(at: $0, in: $1, of: $2, left: $3).divide(Int32.self, quotient) }),
        ([.i32DivU], { Position(at: $0, in: $1, of: $2, left: $3).divide(UInt32.self, quotient) }),
        ([.i32RemS], { Position(at: $0, in: $1, of: $2, left: $3).divide(Int32.self, rest) }),
        ([.i32RemU], { Position(at: $0, in: $1, of: $2, left: $3).divide(UInt32.self, rest) }),
    ]

    /// Integers of 64 bits.
    static let integers64: [Row] = [
        ([.i64Eq], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, ==) }),
        ([.i64EqConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, ==) }),
        ([.branchIfI64Eq], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, ==) }),
        ([.branchIfI64EqConstant], branchIfI64EqConstantStep),
        ([.i64Ne], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, !=) }),
        ([.i64NeConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, !=) }),
        ([.branchIfI64Ne], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, !=) }),
        ([.branchIfI64NeConstant], branchIfI64NeConstantStep),
        ([.i64LtS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int64.self, <) }),
        ([.i64LtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int64.self, <) }),
        ([.branchIfI64LtS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int64.self, <) }),
        ([.branchIfI64LtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int64.self, <) }),
        ([.i64LtU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, <) }),
        ([.i64LtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, <) }),
        ([.branchIfI64LtU], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, <) }),
        ([.branchIfI64LtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt64.self, <) }),
        ([.i64GtS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int64.self, >) }),
        ([.i64GtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int64.self, >) }),
        ([.branchIfI64GtS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int64.self, >) }),
        ([.branchIfI64GtSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int64.self, >) }),
        ([.i64GtU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, >) }),
        ([.i64GtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, >) }),
        ([.branchIfI64GtU], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, >) }),
        ([.branchIfI64GtUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt64.self, >) }),
        ([.i64LeS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int64.self, <=) }),
        ([.i64LeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int64.self, <=) }),
        ([.branchIfI64LeS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int64.self, <=) }),
        ([.branchIfI64LeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int64.self, <=) }),
        ([.i64LeU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, <=) }),
        ([.i64LeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, <=) }),
        ([.branchIfI64LeU], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, <=) }),
        ([.branchIfI64LeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt64.self, <=) }),
        ([.i64GeS], { Position(at: $0, in: $1, of: $2, left: $3).compare(Int64.self, >=) }),
        ([.i64GeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(Int64.self, >=) }),
        ([.branchIfI64GeS], { Position(at: $0, in: $1, of: $2, left: $3).branch(Int64.self, >=) }),
        ([.branchIfI64GeSConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(Int64.self, >=) }),
        ([.i64GeU], { Position(at: $0, in: $1, of: $2, left: $3).compare(UInt64.self, >=) }),
        ([.i64GeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).compareConstant(UInt64.self, >=) }),
        ([.branchIfI64GeU], { Position(at: $0, in: $1, of: $2, left: $3).branch(UInt64.self, >=) }),
        ([.branchIfI64GeUConstant], { Position(at: $0, in: $1, of: $2, left: $3).branchConstant(UInt64.self, >=) }),
        ([.i64Add], i64AddStep),
        ([.i64AddConstant], i64AddConstantStep),
        ([.i64Sub], i64SubStep),
        ([.i64Mul], i64MulStep),
        ([.i64MulConstant], i64MulConstantStep),
        ([.i64And], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt64.self, &) }),
        ([.i64AndConstant], i64AndConstantStep),
        ([.i64Or], i64OrStep),
        ([.i64OrConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt64.self, |) }),
        ([.i64Xor], i64XorStep),
        ([.i64XorConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt64.self, ^) }),
        ([.i64Shl], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt64.self, &<<) }),
        ([.i64ShlConstant], i64ShlConstantStep),
        ([.i64ShrS], { Position(at: $0, in: $1, of: $2, left: $3).binary(Int64.self, &>>) }),
        ([.i64ShrSConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(Int64.self, &>>) }),
        ([.i64ShrU], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt64.self, &>>) }),
        ([.i64ShrUConstant], i64ShrUConstantStep),
        ([.i64Rotl], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt64.self, rotatedLeft) }),
        ([.i64RotlConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt64.self, rotatedLeft) }),
        ([.i64Rotr], { Position(at: $0, in: $1, of: $2, left: $3).binary(UInt64.self, rotatedRight) }),
        ([.i64RotrConstant], { Position(at: $0, in: $1, of: $2, left: $3).constant(UInt64.self, rotatedRight) }),
        ([.i64DivS], { Position(at: $0, in: $1, of: $2, left: $3).divide(Int64.self, quotient) }),
        ([.i64DivU], { Position(at: $0, in: $1, of: $2, left: $3).divide(UInt64.self, quotient) }),
        ([.i64RemS], { Position(at: $0, in: $1, of: $2, left: $3).divide(Int64.self, rest) }),
        ([.i64RemU], { Position(at: $0, in: $1, of: $2, left: $3).divide(UInt64.self, rest) }),
    ]

    /// Integers of one operand.
    static let unary: [Row] = [
        (
            [.i32Clz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt32) in
                    UInt32(value.leadingZeroBitCount)
                }
            }
        ),
        (
            [.i32Ctz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt32) in
                    UInt32(value.trailingZeroBitCount)
                }
            }
        ),
        (
            [.i32Popcnt],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt32) in
                    UInt32(value.nonzeroBitCount)
                }
            }
        ),
        (
            [.i32Eqz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt32) in
                    UInt32(value == 0 ? 1 : 0)
                }
            }
        ),
        (
            [.i64Clz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt64) in
                    UInt32(value.leadingZeroBitCount)
                }
            }
        ),
        (
            [.i64Ctz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt64) in
                    UInt32(value.trailingZeroBitCount)
                }
            }
        ),
        (
            [.i64Popcnt],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt64) in
                    UInt32(value.nonzeroBitCount)
                }
            }
        ),
        (
            [.i64Eqz],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt64) in
                    UInt32(value == 0 ? 1 : 0)
                }
            }
        ),
        (
            [.i32WrapI64, .i64ExtendI32U],
            { Position(at: $0, in: $1, of: $2, left: $3).unary { (value: UInt32) -> UInt32 in value } }
        ),
        (
            [.i64ExtendI32S, .i64Extend32S],
            { Position(at: $0, in: $1, of: $2, left: $3).unary { (value: Int32) -> Int64 in Int64(value) } }
        ),
        (
            [.i32Extend8S],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: Int32) -> Int32 in
                    Int32(Int8(truncatingIfNeeded: value))
                }
            }
        ),
        (
            [.i32Extend16S],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: Int32) -> Int32 in
                    Int32(Int16(truncatingIfNeeded: value))
                }
            }
        ),
        (
            [.i64Extend8S],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: Int64) -> Int64 in
                    Int64(Int8(truncatingIfNeeded: value))
                }
            }
        ),
        (
            [.i64Extend16S],
            {
                Position(at: $0, in: $1, of: $2, left: $3).unary { (value: Int64) -> Int64 in
                    Int64(Int16(truncatingIfNeeded: value))
                }
            }
        ),
    ]

    private static func quotient<Value: Word>(_ dividend: Value, by divisor: Value) -> (Value, overflow: Bool) {
        let (quotient, overflow) = dividend.dividedReportingOverflow(by: divisor)
        return (quotient, overflow)
    }

    /// The rest has the sign of the dividend; by -1, it is 0 also where the quotient does not fit.
    private static func rest<Value: Word>(_ dividend: Value, by divisor: Value) -> (Value, overflow: Bool) {
        (dividend.remainderReportingOverflow(dividingBy: divisor).partialValue, false)
    }

    /// Bits that leave on the left come in on the right.
    private static func rotatedLeft<Value: Word>(_ value: Value, by count: Value) -> Value {
        value &<< count | value &>> (0 &- count)
    }

    private static func rotatedRight<Value: Word>(_ value: Value, by count: Value) -> Value {
        value &>> count | value &<< (0 &- count)
    }
}
