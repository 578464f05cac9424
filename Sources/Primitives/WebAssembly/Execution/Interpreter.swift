/// Runs translated code. The one measured hot path of this room, with pointers instead of arrays: the handler of each
/// instruction (``Handlers``) hands over to the next one's. They come back here after as many steps as they were
/// allowed, and for what needs the instance. What keeps the pointers within bounds:
/// - Places are below the `frameSize` of their function (the compiler counts), and each call makes sure that as many
///   values are left on the stack. What a host's function takes and gives has its places in the frame of its caller.
/// - Branches go where the compiler saw an instruction of the same function, and each function ends by leaving it.
/// - Each number of an operation has a handler, and instructions have no other numbers.
/// - Open calls are counted against `callDepth`. Accesses to memory are checked one by one, entries of the table too.
///   Indices of functions and globals were validated.
/// - Code, functions, globals, memory and table stay where they are while code runs: the memory's space is reserved,
///   the table never grows, and what changes the memory's size is run here.
/// - Where a compiler makes calls instead of jumps of what handlers end with, they are at most ``stepsAtOnce`` deep.
struct Interpreter<Outside: Host> {
    private let instance: Instance<Outside>
    private let stack: Frame
    private(set) var fuel: Int64

    /// Steps that follow each other before the run comes back. Without optimisation, each takes some hundred bytes of
    /// the stack.
    private static var stepsAtOnce: Int64 { _isDebugAssertConfiguration() ? 64 : 1_024 }

    /// - Parameter stack: room for as many values as the limits say; the first ones are the arguments.
    init(_ instance: Instance<Outside>, stack: Frame, fuel: Int64) {
        self.instance = instance
        self.stack = stack
        self.fuel = fuel
    }

    /// - Returns: nil when the function has returned.
    mutating func run(_ called: CompiledFunction) -> Trap? {
        let depth = max(1, instance.limits.callDepth)
        let calls = UnsafeMutablePointer<OpenCall>.allocate(capacity: depth)
        defer { calls.deallocate() }
        return instance.module.code.withUnsafeBytes { code in
            instance.module.functions.withUnsafeBufferPointer { functions in
                instance.globals.withUnsafeMutableBufferPointer { globals in
                    // A function that is called has code, so there is some; there need not be globals.
                    guard let code = code.baseAddress, let functions = functions.baseAddress else {
                        return .unreachable
                    }
                    let run = Run(
                        // Without a memory, no address is within bounds.
                        memory: instance.memory?.base ?? UnsafeMutableRawPointer(stack),
                        memoryByteCount: memoryByteCount, code: code, functions: functions,
                        globals: globals.baseAddress ?? stack, table: instance.table.entries,
                        stackEnd: stack + instance.limits.stackValues, calls: calls, firstCall: calls,
                        callsEnd: calls + depth, step: code.advanced(byInstructions: called.entry), frame: stack)
                    let machine = Machine.allocate(run, Handlers.all)
                    defer { machine.release() }
                    return loop(machine)
                }
            }
        }
    }

    private var memoryByteCount: UInt64 { UInt64(instance.memory?.byteCount ?? 0) }

    private mutating func loop(_ machine: Machine) -> Trap? {
        let run = machine.run
        while true {
            guard fuel > 0 else { return .outOfFuel }
            let granted = Int(min(fuel, Self.stepsAtOnce))
            Position(at: run.pointee.step, in: run.pointee.frame, of: machine, left: granted).run()
            fuel &-= Int64(granted - run.pointee.credit)
            let (step, frame) = (run.pointee.step, run.pointee.frame)
            switch run.pointee.stop {
            case .paused:
                // The step that is not run was counted.
                fuel &+= 1
                continue
            case .returned: return nil
            case .host:
                if let trap = callHost(run.pointee.function, frame + Int(step.destination)) { return trap }
            case .outside:
                if let trap = runOutside(step, frame) { return trap }
            default: return run.pointee.stop.trap ?? run.pointee.trap
            }
            run.pointee.step = step.following
            run.pointee.memoryByteCount = memoryByteCount
        }
    }

    private func callHost(_ index: Int, _ frame: Frame) -> Trap? {
        let count = instance.module.functions[index].parameterCount
        do throws(Trap) {
            let results = try instance.callHost(index, (0..<count).map { frame[$0] })
            for (place, value) in results.enumerated() { frame[place] = value }
            return nil
        } catch {
            return error
        }
    }

    /// Runs an instruction that needs the instance.
    private mutating func runOutside(_ step: Step, _ frame: Frame) -> Trap? {
        do throws(Trap) {
            switch step.operation {
            case .memorySize: frame[word: step.destination] = instance.memory?.pageCount ?? 0
            case .memoryGrow:
                frame[word: step.destination] = instance.memory?.grow(by: frame[word: step.first]) ?? .max
            default: try bulk(step, frame)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func bulk(_ step: Step, _ frame: Frame) throws(Trap) {
        let (destination, source) = (frame[word: step.first], frame[word: step.second])
        let count = frame[word: UInt16(truncatingIfNeeded: step.low)]
        let segment = Int(step.high)
        switch step.operation {
        case .dataDrop:
            instance.droppedData[segment] = true
            return
        case .elemDrop:
            instance.droppedElements[segment] = true
            return
        // An entry is moved by itself, bytes are moved many at a time.
        case .tableInit, .tableCopy: fuel &-= Int64(count)
        default: fuel &-= Int64(count / 64)
        }
        switch step.operation {
        case .memoryInit: try instance.initMemory(segment, from: source, to: destination, count)
        case .memoryCopy: try instance.memory?.copy(from: source, to: destination, count: count)
        case .memoryFill:
            try instance.memory?.fill(UInt8(truncatingIfNeeded: source), at: destination, count: count)
        case .tableInit: try instance.initTable(segment, from: source, to: destination, count)
        case .tableCopy: try instance.table.copy(from: source, to: destination, count)
        // No other operation is without a handler.
        default: throw .unreachable
        }
    }
}
