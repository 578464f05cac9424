extension Operation {
    /// The same with a constant as second operand, where there is one; subtraction adds the opposite.
    var withConstant: Operation? {
        switch self {
        case .i32Sub: .i32AddConstant
        case .i64Sub: .i64AddConstant
        case .i32Eq...(.i64Rotr): Operation(rawValue: rawValue + 0x200)
        default: nil
        }
    }

    /// The same branch behind an addition to what it compares.
    var withAddition: Operation? {
        switch self {
        case .branchIfI32Eq...(.branchIfI32GeU): Operation(rawValue: rawValue + 0x200)
        default: nil
        }
    }

    /// The same access at the sum of two places.
    var withSum: Operation? {
        switch self {
        case .i32Load...(.i64Store32): Operation(rawValue: rawValue + 0x200)
        default: nil
        }
    }
}

/// What a comparison compares: a branch does it by itself.
struct Comparison {
    /// The number of the comparison of places, or of the one with a constant.
    private let number: UInt16
    /// 32 bits with a sign.
    let constant: UInt32

    /// Nil for what is no comparison, or one with a constant that a branch has no room for.
    init?(_ instruction: Instruction) {
        switch instruction.number {
        case Operation.i32Eqz.rawValue: (number, constant) = (Operation.i32EqConstant.rawValue, 0)
        case Operation.i64Eqz.rawValue: (number, constant) = (Operation.i64EqConstant.rawValue, 0)
        case Operation.i32Eq.rawValue...Operation.i64GeU.rawValue: (number, constant) = (instruction.number, 0)
        case Operation.i32EqConstant.rawValue...Operation.i32GeUConstant.rawValue:
            (number, constant) = (instruction.number, UInt32(truncatingIfNeeded: instruction.immediate))
        case Operation.i64EqConstant.rawValue...Operation.i64GeUConstant.rawValue:
            guard let narrow = Int32(exactly: Int64(bitPattern: instruction.immediate)) else { return nil }
            (number, constant) = (instruction.number, UInt32(bitPattern: narrow))
        default: return nil
        }
    }

    /// By comparison, from `i32Eq` and `i64Eq`: the one that holds where it does not.
    private static let opposites: [UInt16] = [1, 0, 8, 9, 6, 7, 4, 5, 2, 3]

    /// The branch that is taken where it holds, or where it does not.
    func branch(isTaken: Bool) -> Operation? {
        let first = number & 0xff >= Operation.i64Eq.rawValue ? Operation.i64Eq : .i32Eq
        let index = number & 0xff - first.rawValue
        let comparison = first.rawValue + (isTaken ? index : Self.opposites[Int(index)])
        return Operation(rawValue: comparison + (number < 0x200 ? 0x300 : 0x400))
    }
}
