/// What steps hand to each other beside the instruction, the frame and how many steps may follow: a ``Run``, and behind
/// it the handlers by the numbers of their operations. One pointer for both leaves registers free.
typealias Machine = UnsafeMutableRawPointer

/// Runs a step and hands over to the next one, as its last act: an optimising compiler makes a jump of that. With C's
/// convention, because Swift calls no other pointer to a function without a context beside it.
typealias Handler = @convention(c) (Step, Frame, Machine, Int) -> Void

/// A call that waits for the one that it made.
struct OpenCall {
    let next: Step
    let frame: Frame
}

/// What a run needs beside what its steps hand to each other, and where it stands when they stop.
struct Run {
    /// Why steps no longer follow each other.
    enum Stop {
        /// As many have been run as were allowed.
        case paused
        /// The function that was called has returned.
        case returned
        /// The step is the interpreter's to run.
        case outside
        /// A host's function is called: its index is ``Run/function``.
        case host
        /// The trap of ``Run/trap``.
        case trapped
        /// The traps of single instructions.
        case unreachable, divisionByZero, integerOverflow, memoryOutOfBounds, tableOutOfBounds, uninitializedElement
        case indirectCallTypeMismatch, callStackExhausted

        /// What the run ends with.
        var trap: Trap? {
            switch self {
            case .paused, .returned, .outside, .host, .trapped: nil
            case .unreachable: .unreachable
            case .divisionByZero: .divisionByZero
            case .integerOverflow: .integerOverflow
            case .memoryOutOfBounds: .memoryOutOfBounds
            case .tableOutOfBounds: .tableOutOfBounds
            case .uninitializedElement: .uninitializedElement
            case .indirectCallTypeMismatch: .indirectCallTypeMismatch
            case .callStackExhausted: .callStackExhausted
            }
        }
    }

    let memory: UnsafeMutableRawPointer
    /// Bytes of the memory: taken again after whatever may make it larger.
    var memoryByteCount: UInt64
    let code: Step
    let functions: UnsafePointer<CompiledFunction>
    let globals: UnsafeMutablePointer<UInt64>
    let table: UnsafeMutableBufferPointer<UInt32?>
    let stackEnd: Frame
    /// Behind the last open call.
    var calls: UnsafeMutablePointer<OpenCall>
    let firstCall, callsEnd: UnsafeMutablePointer<OpenCall>

    var step: Step
    var frame: Frame
    /// Steps that were left when they stopped.
    var credit = 0
    var stop = Stop.paused
    var function = 0
    var trap: Trap?
}

extension Machine {
    private static let handlersOffset = MemoryLayout<Run>.stride

    /// Makes room for a run and the handlers.
    static func allocate(_ run: Run, _ handlers: [Handler]) -> Machine {
        let machine = Machine.allocate(
            byteCount: handlersOffset + handlers.count * MemoryLayout<Handler>.stride,
            alignment: MemoryLayout<Run>.alignment)
        machine.initializeMemory(as: Run.self, to: run)
        handlers.withUnsafeBufferPointer {
            _ = UnsafeMutableBufferPointer(
                start: (machine + handlersOffset).bindMemory(to: Handler.self, capacity: $0.count), count: $0.count
            ).initialize(from: $0)
        }
        return machine
    }

    /// Ends what ``allocate(_:_:)`` began.
    func release() {
        run.deinitialize(count: 1)
        deallocate()
    }

    @inline(__always)
    var run: UnsafeMutablePointer<Run> { assumingMemoryBound(to: Run.self) }
    @inline(__always)
    var handlers: UnsafePointer<Handler> {
        UnsafePointer((self + MemoryLayout<Run>.stride).assumingMemoryBound(to: Handler.self))
    }
}
