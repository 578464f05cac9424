/// How integers are taken from places and put there.
extension Position {
    @inline(__always)
    func unary<From: Word, To: Word>(
        _ compute: (From) -> To
    ) {
        assign(compute(From(bits: frame[long: step.first])).bits)
    }

    @inline(__always)
    func binary<Value: Word>(
        _ type: Value.Type,
        _ compute: (Value, Value) -> Value
    ) {
        let (first, second) = operands(type)
        assign(compute(first, second).bits)
    }

    /// The second operand is a constant.
    @inline(__always)
    func constant<Value: Word>(
        _ type: Value.Type,
        _ compute: (Value, Value) -> Value
    ) {
        let first = Value(bits: frame[long: step.first])
        assign(compute(first, Value(bits: step.immediate)).bits)
    }

    @inline(__always)
    func divide<Value: Word>(
        _ type: Value.Type,
        _ compute: (Value, Value) -> (Value, overflow: Bool)
    ) {
        let (dividend, divisor) = operands(type)
        guard divisor != 0 else { return stop(.divisionByZero) }
        let (result, overflow) = compute(dividend, divisor)
        guard !overflow else { return stop(.integerOverflow) }
        assign(result.bits)
    }

    @inline(__always)
    func compare<Value: Word>(
        _ type: Value.Type,
        _ holds: (Value, Value) -> Bool
    ) {
        let (first, second) = operands(type)
        assign(holds(first, second) ? 1 : 0)
    }

    /// The second operand is a constant.
    @inline(__always)
    func compareConstant<Value: Word>(
        _ type: Value.Type,
        _ holds: (Value, Value) -> Bool
    ) {
        let first = Value(bits: frame[long: step.first])
        assign(holds(first, Value(bits: step.immediate)) ? 1 : 0)
    }

    @inline(__always)
    func branch<Value: Word>(
        _ type: Value.Type,
        _ holds: (Value, Value) -> Bool
    ) {
        let (first, second) = operands(type)
        go(branches: holds(first, second))
    }

    /// The second operand is a constant, with a sign.
    @inline(__always)
    func branchConstant<Value: Word>(
        _ type: Value.Type,
        _ holds: (Value, Value) -> Bool
    ) {
        let constant = Value(truncatingIfNeeded: Int32(bitPattern: step.high))
        go(branches: holds(Value(bits: frame[long: step.first]), constant))
    }

    /// The first operand grows by a constant, and is compared then.
    @inline(__always)
    func addAndBranch<Value: Word>(
        _ type: Value.Type,
        _ holds: (Value, Value) -> Bool
    ) {
        frame[word: step.first] = frame[word: step.first] &+ step.high
        branch(type, holds)
    }

    @inline(__always)
    private func operands<Value: Word>(_ type: Value.Type) -> (Value, Value) {
        (Value(bits: frame[long: step.first]), Value(bits: frame[long: step.second]))
    }

    /// Goes on where the step branches to, or behind it: in two ways, which the processor tells apart.
    @inline(__always)
    private func go(branches: Bool) {
        if branches { go(to: step.target) } else { go(to: step.following) }
    }
}
