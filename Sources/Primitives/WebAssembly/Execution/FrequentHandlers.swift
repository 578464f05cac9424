// Rows that real code runs most, as functions by name: a closure that is called by C's convention stands behind a jump
// of its own, and a function that is inlined does not. Which ones was counted in compiled Rust and C.

@inline(__always)
func copyStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).assign(frame[long: step.first])
}

@inline(__always)
func constantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).assign(step.immediate)
}

@inline(__always)
func selectStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).select()
}

@inline(__always)
func copyTwoStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).copyTwo()
}

@inline(__always)
func i32AddConstantTwoStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).addTwo()
}

@inline(__always)
func branchStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).go(to: step.target)
}

@inline(__always)
func callStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).call(machine.run.pointee.functions + Int(step.low))
}

@inline(__always)
func returnOneStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).returnOne()
}

@inline(__always)
func branchIfI32EqStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, ==)
}

@inline(__always)
func branchIfI32EqConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branchConstant(UInt32.self, ==)
}

@inline(__always)
func branchIfI32NeStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, !=)
}

@inline(__always)
func addAndBranchIfI32NeStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).addAndBranch(UInt32.self, !=)
}

@inline(__always)
func branchIfI32NeConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branchConstant(UInt32.self, !=)
}

@inline(__always)
func branchIfI32LtUStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, <)
}

@inline(__always)
func addAndBranchIfI32LtUStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).addAndBranch(UInt32.self, <)
}

@inline(__always)
func branchIfI32GtUStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, >)
}

@inline(__always)
func branchIfI32LeUStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, <=)
}

@inline(__always)
func branchIfI32GeUStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branch(UInt32.self, >=)
}

@inline(__always)
func i32AddStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt32.self, &+)
}

@inline(__always)
func i32AddConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt32.self, &+)
}

@inline(__always)
func i32SubStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt32.self, &-)
}

@inline(__always)
func i32MulConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt32.self, &*)
}

@inline(__always)
func i32AndStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt32.self, &)
}

@inline(__always)
func i32AndConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt32.self, &)
}

@inline(__always)
func i32OrStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt32.self, |)
}

@inline(__always)
func i32XorStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt32.self, ^)
}

@inline(__always)
func i32ShlConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt32.self, &<<)
}

@inline(__always)
func i32ShrUConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt32.self, &>>)
}

@inline(__always)
func branchIfI64EqConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branchConstant(UInt64.self, ==)
}

@inline(__always)
func branchIfI64NeConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).branchConstant(UInt64.self, !=)
}

@inline(__always)
func i64AddStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt64.self, &+)
}

@inline(__always)
func i64AddConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt64.self, &+)
}

@inline(__always)
func i64SubStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt64.self, &-)
}

@inline(__always)
func i64MulStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt64.self, &*)
}

@inline(__always)
func i64MulConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt64.self, &*)
}

@inline(__always)
func i64AndConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt64.self, &)
}

@inline(__always)
func i64OrStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt64.self, |)
}

@inline(__always)
func i64XorStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).binary(UInt64.self, ^)
}

@inline(__always)
func i64ShlConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt64.self, &<<)
}

@inline(__always)
func i64ShrUConstantStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).constant(UInt64.self, &>>)
}

@inline(__always)
func i32LoadStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).load(UInt32.self, as: UInt32.self)
}

@inline(__always)
func i32LoadFromSumStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).loadFromSum(UInt32.self, as: UInt32.self)
}

@inline(__always)
func i64LoadStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).load(UInt64.self, as: UInt64.self)
}

@inline(__always)
func i32Load8UStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).load(UInt8.self, as: UInt32.self)
}

@inline(__always)
func i32Load8UFromSumStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).loadFromSum(UInt8.self, as: UInt32.self)
}

@inline(__always)
func i32StoreStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).store(UInt32.self)
}

@inline(__always)
func i32StoreToSumStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).storeToSum(UInt32.self)
}

@inline(__always)
func i64StoreStep(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).store(UInt64.self)
}

@inline(__always)
func i32Store8Step(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
    Position(at: step, in: frame, of: machine, left: credit).store(UInt8.self)
}
