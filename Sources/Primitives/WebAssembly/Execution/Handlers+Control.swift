/// Places, branches and calls (WebAssembly core specification 1.0, sections 4.4.2 to 4.4.7).
extension Handlers {
    /// Places, branches and calls.
    static let control: [Row] = [
        ([.copy], copyStep),
        ([.constant], constantStep),
        ([.select], selectStep),
        ([.globalGet], { Position(at: $0, in: $1, of: $2, left: $3).assign($2.run.pointee.globals[Int($0.low)]) }),
        ([.globalSet], { Position(at: $0, in: $1, of: $2, left: $3).setGlobal() }),
        ([.fill], { Position(at: $0, in: $1, of: $2, left: $3).fill() }),
        ([.copyTwo], copyTwoStep),
        ([.i32AddConstantTwo], i32AddConstantTwoStep),
        ([.branch], branchStep),
        ([.branchTable], { Position(at: $0, in: $1, of: $2, left: $3).branchTable() }),
        ([.call], callStep),
        ([.callHost], { Position(at: $0, in: $1, of: $2, left: $3).callHost(Int($0.low)) }),
        ([.callIndirect], { Position(at: $0, in: $1, of: $2, left: $3).callIndirect() }),
        ([.returnNothing], { Position(at: $0, in: $1, of: $2, left: $3).returnNothing() }),
        ([.returnOne], returnOneStep),
        ([.returnMany], { Position(at: $0, in: $1, of: $2, left: $3).returnMany() }),
        ([.unreachable], { Position(at: $0, in: $1, of: $2, left: $3).stop(.unreachable) }),
    ]
}

extension Position {
    /// Puts a value into the step's destination.
    @inline(__always)
    func assign(_ value: UInt64) {
        frame[long: step.destination] = value
        go(to: step.following)
    }

    /// The low half of the immediate value is the place of the condition.
    @inline(__always)
    func select() {
        let (first, second) = (frame[long: step.first], frame[long: step.second])
        let condition = frame[word: UInt16(truncatingIfNeeded: step.low)]
        assign(condition != 0 ? first : second)
    }

    /// Puts a value into so many places as the second one says, each a step. The value, always zero, stands in the
    /// step: with one that it knows, the compiler calls a function for what are mostly a few places.
    @inline(__always)
    func fill() {
        let (places, count) = (frame + Int(step.destination), Int(step.second))
        for index in 0..<count { places[index] = step.immediate }
        var position = self
        position.credit &-= count &- 1
        position.go(to: step.following)
    }

    /// Copies, and then copies again.
    @inline(__always)
    func copyTwo() {
        frame[long: step.destination] = frame[long: step.first]
        frame[long: step.second] = frame[long: UInt16(truncatingIfNeeded: step.low)]
        go(to: step.following)
    }

    /// Adds a constant, and then another one in its place.
    @inline(__always)
    func addTwo() {
        frame[word: step.destination] = frame[word: step.first] &+ step.low
        frame[word: step.second] = frame[word: step.second] &+ step.high
        go(to: step.following)
    }

    @inline(__always)
    func setGlobal() {
        machine.run.pointee.globals[Int(step.low)] = frame[long: step.first]
        go(to: step.following)
    }

    /// Goes where the branch goes that stands as many instructions behind the table as the index says.
    @inline(__always)
    func branchTable() {
        let entry = step.advanced(byInstructions: Int(min(frame[word: step.first], step.low)))
        go(to: entry.following.target)
    }

    /// Calls a function whose frame begins at the step's destination.
    @inline(__always)
    func call(
        _ function: UnsafePointer<CompiledFunction>
    ) {
        let run = machine.run
        let callee = frame + Int(step.destination)
        guard callee + function.pointee.frameSize <= run.pointee.stackEnd, run.pointee.calls < run.pointee.callsEnd
        else {
            return stop(.callStackExhausted)
        }
        run.pointee.calls.pointee = OpenCall(next: step.following, frame: frame)
        run.pointee.calls += 1
        go(to: run.pointee.code.advanced(byInstructions: function.pointee.entry), in: callee)
    }

    /// Calls the function behind an entry of the table.
    @inline(__always)
    func callIndirect() {
        let run = machine.run
        let entry = Int(frame[word: step.first])
        guard entry < run.pointee.table.count else { return stop(.tableOutOfBounds) }
        guard let index = run.pointee.table[entry] else { return stop(.uninitializedElement) }
        let function = run.pointee.functions + Int(index)
        guard function.pointee.type == step.low else { return stop(.indirectCallTypeMismatch) }
        guard function.pointee.entry >= 0 else { return callHost(Int(index)) }
        call(function)
    }

    /// Lets the interpreter call a function of the host.
    @inline(__always)
    func callHost(_ function: Int) {
        machine.run.pointee.function = function
        stop(.host)
    }

    @inline(__always)
    func returnOne() {
        frame[0] = frame[long: step.first]
        returnNothing()
    }

    @inline(__always)
    func returnMany() {
        frame.update(from: frame + Int(step.first), count: Int(step.second))
        returnNothing()
    }

    @inline(__always)
    func returnNothing() {
        let run = machine.run
        guard run.pointee.calls > run.pointee.firstCall else { return stop(.returned) }
        run.pointee.calls -= 1
        let call = run.pointee.calls.pointee
        go(to: call.next, in: call.frame)
    }
}
