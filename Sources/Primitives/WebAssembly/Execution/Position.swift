/// Where a run stands, as steps hand it to each other: what a handler is called with. What handlers do with it is
/// compiled into each of them.
struct Position {
    let step: Step
    let frame: Frame
    let machine: Machine
    /// How many steps may follow before the run pauses.
    var credit: Int

    @inline(__always)
    init(at step: Step, in frame: Frame, of machine: Machine, left credit: Int) {
        (self.step, self.frame, self.machine, self.credit) = (step, frame, machine, credit)
    }

    /// Runs the step.
    @inline(__always)
    func run() {
        let credit = credit &- 1
        guard credit >= 0 else {
            return Self.stop(step: step, frame: frame, machine: machine, credit: credit, .paused)
        }
        machine.handlers[step.number](step, frame, machine, credit)
    }

    /// Goes on with a step of the same call.
    @inline(__always)
    func go(to step: Step) { go(to: step, in: frame) }

    /// Goes on with a step of another call.
    @inline(__always)
    func go(to step: Step, in frame: Frame) {
        Position(at: step, in: frame, of: machine, left: credit).run()
    }

    /// Leaves the run.
    @inline(__always)
    func stop(_ stop: Run.Stop) { Self.stop(step: step, frame: frame, machine: machine, credit: credit, stop) }

    /// Leaves the run. The parameters stand where those of handlers do, so that nothing is moved for it.
    @inline(never)
    private static func stop(step: Step, frame: Frame, machine: Machine, credit: Int, _ stop: Run.Stop) {
        machine.run.pointee.stop = stop
        machine.run.pointee.step = step
        machine.run.pointee.frame = frame
        machine.run.pointee.credit = credit
    }
}
