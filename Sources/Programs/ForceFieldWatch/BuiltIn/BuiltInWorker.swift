import CForceField
import ForceFieldWire
import Glibc
import Synchronization

/// The worker that every program with this room can become, to be told what to do. No Foundation and no Dispatch in
/// here: the filter is in place.
package enum BuiltInWorker {
    private static let channel: Int32 = 3

    /// Whether this program can become one.
    private static let offer = Atomic(false)
    package static var isOffered: Bool { offer.load(ordering: .relaxed) }

    /// Returns at once in a process that is no worker.
    package static func runIfWorker() {
        guard cforcefield_is_worker() == 1 else {
            offer.store(true, ordering: .relaxed)
            return
        }
        exit(obey())
    }

    /// - Returns: the exit code.
    private static func obey() -> Int32 {
        while let (command, argument) = nextCommand() {
            switch command {
            case .attempt: answer(cforcefield_audit_attempt(Int(argument)))
            case .exit: return Int32(truncatingIfNeeded: argument)
            case .echo, .neverAnswer, .answerCancel, .sendDamagedFrame, .closeChannel, .exitInCall, .stopInCall,
                .halfAnswerAndExit, .answerAndExit, .otherInterface:
                return FrameWorker(command, channel: channel).serve()
            default: misbehave(command)
            }
        }
        return 0
    }

    private static func nextCommand() -> (WorkerCommand, argument: UInt32)? {
        var words: [UInt32] = [0, 0]
        guard read(channel, &words, 8) == 8, let command = WorkerCommand(rawValue: words[0]) else { return nil }
        return (command, words[1])
    }

    private static func answer(_ number: Int64) {
        var number = number
        // Without a host the next read ends this process.
        _ = write(channel, &number, 8)
    }

    private static func misbehave(_ command: WorkerCommand) {
        switch command {
        case .unwrapNil: print(optional(nil)!)
        case .fatalError: Swift.fatalError("boom")
        case .abort: Glibc.abort()
        case .writeToAddress8: UnsafeMutablePointer<UInt64>(bitPattern: 8)?.pointee = 1
        case .recurse: print(recurse(0))
        case .spin: spin()
        case .spinWithoutSignal:
            signal(SIGXCPU, SIG_IGN)
            spin()
        case .allocate: allocate()
        case .int80: attempt("abi_int80")
        case .fork: attempt("proc_fork")
        case .signalItself: kill(getpid(), SIGTERM)
        case .stop: raise(SIGSTOP)
        case .flood: flood()
        default: doNothing()
        }
    }

    private static func attempt(_ name: String) {
        guard let index = AuditProbe.all.first(where: { $0.name == name })?.index else { return }
        answer(cforcefield_audit_attempt(index))
    }
}

// MARK: Ways to end badly. None may be optimised away, since each is the promise that is tested.

extension BuiltInWorker {
    @inline(never) @_optimize(none) private static func optional(_ number: Int?) -> Int? { number }

    @inline(never) @_optimize(none) private static func recurse(_ depth: Int) -> Int {
        var frame = (depth, depth, depth, depth)
        return withUnsafeMutableBytes(of: &frame) { recurse($0.count + depth) } + frame.0
    }

    @inline(never) @_optimize(none) private static func spin() {
        var count = 0
        while true { count &+= 1 }
    }

    @inline(never) @_optimize(none) private static func allocate() {
        var memory: [UInt64] = []
        while true { memory.append(UInt64(memory.count)) }
    }

    /// pause() is none of the calls that are allowed.
    static func doNothing() -> Never {
        while true { sleep(1_000) }
    }

    private static func flood() {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 4_095) + [UInt8(ascii: "\n")]
        while write(1, line, line.count) > 0 {}
    }
}
