internal import NIOCore
internal import WebSocketFrames

/// What the connections of one event loop share, so that none needs its own.
final class LoopState {
    /// The compression of messages; nil where the gate compresses nothing.
    let compression: MessageCompression?
    /// The deflater for the older proxies' framing; nil where that is not spoken.
    let deflater: RawDeflater?
    let executor: LoopExecutor
    let sessions: SessionContext
    /// The version that a telnet server reads of this program.
    let version: String

    init(_ sessions: SessionContext, version: String) {
        self.sessions = sessions
        self.version = version
        executor = LoopExecutor(sessions.loop)
        let configuration = sessions.configuration
        compression = configuration.frames.deflates ? MessageCompression() : nil
        deflater = configuration.upstream.framing == .legacy ? RawDeflater() : nil
    }
}

/// The states of all loops.
struct LoopStates: Sendable {
    private let states: [ObjectIdentifier: NIOLoopBoundBox<LoopState?>]
    private let make: @Sendable (any EventLoop) -> LoopState

    /// - Parameter make: makes the state of a loop, on that loop.
    init(_ loops: [any EventLoop], _ make: @escaping @Sendable (any EventLoop) -> LoopState) {
        self.make = make
        var states: [ObjectIdentifier: NIOLoopBoundBox<LoopState?>] = [:]
        for loop in loops {
            states[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeEmptyBox(eventLoop: loop)
        }
        self.states = states
    }

    /// The state of a loop. Called on that loop only.
    func state(of loop: any EventLoop) -> LoopState {
        let box = states[ObjectIdentifier(loop)]
        if let state = box?.value { return state }
        let state = make(loop)
        box?.value = state
        return state
    }
}

/// Runs asynchronous work of a connection on the connection's own event loop, so that it need not change threads.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Works, and then goes on in the connection's handlers.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, then next: @escaping (Value) -> Void
    ) {
        let next = NIOLoopBound(next, eventLoop: loop)
        Task(executorPreference: self) { [loop] in
            let value = await work()
            if loop.inEventLoop { next.value(value) } else { loop.execute { next.value(value) } }
        }
    }

    /// The same, unless nobody wants it any more when it is to begin: then it goes on with nil.
    ///
    /// - Parameter isWanted: asked on the event loop, once.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, if isWanted: @escaping () -> Bool,
        then next: @escaping (Value?) -> Void
    ) {
        let isWanted = NIOLoopBound(isWanted, eventLoop: loop)
        let wanted: @Sendable () async -> Value? = {
            // Nothing was waited for yet: this is still the event loop.
            guard isWanted.value() else { return nil }
            return await work()
        }
        run(wanted, then: next)
    }
}
