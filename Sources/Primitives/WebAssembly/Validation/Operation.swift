/// What an instruction does. Up to `tableCopy`, names and numbers are those of the binary format (0x100 stands for the
/// prefix 0xfc). From 0x200 on stand those that only translation makes: no module can name them.
enum Operation: UInt16, CaseIterable, Sendable {
    case i32Load = 0x28
    case i64Load, f32Load, f64Load
    case i32Load8S, i32Load8U, i32Load16S, i32Load16U
    case i64Load8S, i64Load8U, i64Load16S, i64Load16U, i64Load32S, i64Load32U
    case i32Store, i64Store, f32Store, f64Store, i32Store8, i32Store16, i64Store8, i64Store16, i64Store32
    case memorySize, memoryGrow
    case i32Eqz = 0x45
    case i32Eq, i32Ne, i32LtS, i32LtU, i32GtS, i32GtU, i32LeS, i32LeU, i32GeS, i32GeU
    case i64Eqz, i64Eq, i64Ne, i64LtS, i64LtU, i64GtS, i64GtU, i64LeS, i64LeU, i64GeS, i64GeU
    case f32Eq, f32Ne, f32Lt, f32Gt, f32Le, f32Ge
    case f64Eq, f64Ne, f64Lt, f64Gt, f64Le, f64Ge
    case i32Clz, i32Ctz, i32Popcnt
    case i32Add, i32Sub, i32Mul, i32DivS, i32DivU, i32RemS, i32RemU
    case i32And, i32Or, i32Xor, i32Shl, i32ShrS, i32ShrU, i32Rotl, i32Rotr
    case i64Clz, i64Ctz, i64Popcnt
    case i64Add, i64Sub, i64Mul, i64DivS, i64DivU, i64RemS, i64RemU
    case i64And, i64Or, i64Xor, i64Shl, i64ShrS, i64ShrU, i64Rotl, i64Rotr
    case f32Abs, f32Neg, f32Ceil, f32Floor, f32Trunc, f32Nearest, f32Sqrt
    case f32Add, f32Sub, f32Mul, f32Div, f32Min, f32Max, f32Copysign
    case f64Abs, f64Neg, f64Ceil, f64Floor, f64Trunc, f64Nearest, f64Sqrt
    case f64Add, f64Sub, f64Mul, f64Div, f64Min, f64Max, f64Copysign
    case i32WrapI64, i32TruncF32S, i32TruncF32U, i32TruncF64S, i32TruncF64U
    case i64ExtendI32S, i64ExtendI32U, i64TruncF32S, i64TruncF32U, i64TruncF64S, i64TruncF64U
    case f32ConvertI32S, f32ConvertI32U, f32ConvertI64S, f32ConvertI64U, f32DemoteF64
    case f64ConvertI32S, f64ConvertI32U, f64ConvertI64S, f64ConvertI64U, f64PromoteF32
    case i32ReinterpretF32, i64ReinterpretF64, f32ReinterpretI32, f64ReinterpretI64
    case i32Extend8S, i32Extend16S, i64Extend8S, i64Extend16S, i64Extend32S
    case i32TruncSatF32S = 0x100
    case i32TruncSatF32U, i32TruncSatF64S, i32TruncSatF64U
    case i64TruncSatF32S, i64TruncSatF32U, i64TruncSatF64S, i64TruncSatF64U
    case memoryInit, dataDrop, memoryCopy, memoryFill, tableInit, elemDrop, tableCopy

    // The address is the sum of two places: 0x200 more than the access with one.
    case i32LoadFromSum = 0x228
    case i64LoadFromSum, f32LoadFromSum, f64LoadFromSum, i32Load8SFromSum, i32Load8UFromSum, i32Load16SFromSum
    case i32Load16UFromSum, i64Load8SFromSum, i64Load8UFromSum, i64Load16SFromSum, i64Load16UFromSum
    case i64Load32SFromSum, i64Load32UFromSum, i32StoreToSum, i64StoreToSum, f32StoreToSum, f64StoreToSum
    case i32Store8ToSum, i32Store16ToSum, i64Store8ToSum, i64Store16ToSum, i64Store32ToSum
    // The second operand is a constant: 0x200 more than the operation with two places.
    case i32EqConstant = 0x246
    case i32NeConstant, i32LtSConstant, i32LtUConstant, i32GtSConstant, i32GtUConstant
    case i32LeSConstant, i32LeUConstant, i32GeSConstant, i32GeUConstant
    case i64EqConstant = 0x251
    case i64NeConstant, i64LtSConstant, i64LtUConstant, i64GtSConstant, i64GtUConstant
    case i64LeSConstant, i64LeUConstant, i64GeSConstant, i64GeUConstant
    case i32AddConstant = 0x26a
    case i32MulConstant = 0x26c
    case i32AndConstant = 0x271
    case i32OrConstant, i32XorConstant, i32ShlConstant, i32ShrSConstant, i32ShrUConstant
    case i32RotlConstant, i32RotrConstant
    case i64AddConstant = 0x27c
    case i64MulConstant = 0x27e
    case i64AndConstant = 0x283
    case i64OrConstant, i64XorConstant, i64ShlConstant, i64ShrSConstant, i64ShrUConstant
    case i64RotlConstant, i64RotrConstant

    // A comparison and a branch where it holds: 0x300 more than the comparison, 0x400 with a constant.
    case branchIfI32Eq = 0x346
    case branchIfI32Ne, branchIfI32LtS, branchIfI32LtU, branchIfI32GtS, branchIfI32GtU
    case branchIfI32LeS, branchIfI32LeU, branchIfI32GeS, branchIfI32GeU
    case branchIfI64Eq = 0x351
    case branchIfI64Ne, branchIfI64LtS, branchIfI64LtU, branchIfI64GtS, branchIfI64GtU
    case branchIfI64LeS, branchIfI64LeU, branchIfI64GeS, branchIfI64GeU
    case branchIfI32EqConstant = 0x446
    case branchIfI32NeConstant, branchIfI32LtSConstant, branchIfI32LtUConstant, branchIfI32GtSConstant
    case branchIfI32GtUConstant, branchIfI32LeSConstant, branchIfI32LeUConstant, branchIfI32GeSConstant
    case branchIfI32GeUConstant
    case branchIfI64EqConstant = 0x451
    case branchIfI64NeConstant, branchIfI64LtSConstant, branchIfI64LtUConstant, branchIfI64GtSConstant
    case branchIfI64GtUConstant, branchIfI64LeSConstant, branchIfI64LeUConstant, branchIfI64GeSConstant
    case branchIfI64GeUConstant

    // The first operand grows by a constant, and is compared then: 0x500 more than the comparison.
    case addAndBranchIfI32Eq = 0x546
    case addAndBranchIfI32Ne, addAndBranchIfI32LtS, addAndBranchIfI32LtU, addAndBranchIfI32GtS, addAndBranchIfI32GtU
    case addAndBranchIfI32LeS, addAndBranchIfI32LeU, addAndBranchIfI32GeS, addAndBranchIfI32GeU

    // Two at once, each where its own would be.
    case copyTwo = 0x290
    case i32AddConstantTwo

    case copy = 0x2a0
    case constant, fill, select, globalGet, globalSet, branch, branchTable
    case call, callIndirect, callHost, returnNothing, returnOne, returnMany, unreachable
}

/// One step of the interpreter. Places are numbers of values in the frame of a call: parameters, locals, and behind
/// them the stack, whose height validation knows at each instruction.
struct Instruction: Sendable {
    /// The operation's number, by which its handler is found.
    private(set) var number: UInt16
    var destination: UInt16 = 0
    var first: UInt16 = 0
    var second: UInt16 = 0
    /// A constant, an index, or two halves: the high one an offset in memory or a constant, the low one a constant, a
    /// place, or how many bytes of code away a branch goes.
    var immediate: UInt64 = 0

    init(
        _ operation: Operation, to destination: UInt16, _ first: UInt16, and second: UInt16, immediate: UInt64
    ) {
        (number, self.destination, self.first, self.second) = (operation.rawValue, destination, first, second)
        self.immediate = immediate
    }

    var operation: Operation { Operation(rawValue: number) ?? .unreachable }

    /// Whether the operation is this one, which is quicker asked than which one it is.
    func `is`(_ operation: Operation) -> Bool { number == operation.rawValue }
}

/// A function of a module.
struct CompiledFunction: Sendable {
    /// Where its code begins; -1 for an imported one.
    let entry: Int
    let parameterCount: Int
    let resultCount: Int
    /// Values that a call needs.
    let frameSize: Int
    /// The first of the types that equal the function's.
    let type: UInt32
}
