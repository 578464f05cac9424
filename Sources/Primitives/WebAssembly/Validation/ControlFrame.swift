/// A block that is open while a function is validated, and what its end has to mend.
struct ControlFrame {
    enum Kind { case function, block, loop, `if`, `else` }

    var kind: Kind
    let type: FunctionType
    /// Values on the stack below the block's parameters.
    let height: Int
    /// Where a loop begins.
    let start: Int
    /// Whether the rest of the block cannot be reached: its stack then has whatever is asked for.
    var isUnreachable = false
    /// Whether the block itself cannot be reached, so that nothing of it is translated.
    let isDead: Bool
    /// Branches that go to its end.
    var branches: [Int] = []
    /// The branch to `else` of an `if`.
    var toElse: Int?

    /// What a branch to the block brings along.
    var labelTypes: [ValueType] { kind == .loop ? type.parameters : type.results }
}

/// A value on the stack while a function is validated.
struct Operand {
    /// Nil where it cannot be reached and may be of any type.
    let type: ValueType?
    /// Where it stands in the frame: at its own place, or still in the local that it was read from.
    var place: UInt16
}
