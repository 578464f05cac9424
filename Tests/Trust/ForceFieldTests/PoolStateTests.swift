import ForceFieldTestMethods
import Scheduling
import Testing

@testable import ForceField
@testable import ForceFieldWire

/// Decisions of a pool by a clock of the test's own. No process is started.
@Suite("What a pool decides")
struct PoolStateTests {
    private final class NoOwner: WorkerOwner {
        func handle(_ event: WorkerEvent, of worker: WorkerProcess) {}
    }

    private final class NoReceiver: CallReceiver {
        func receive(_ item: [UInt8]) {}
        func finish(_ result: Result<[UInt8], ForceFieldError>) {}
    }

    /// A pool with the clock at which things happen to it.
    private struct Pool {
        var state: PoolState
        let terms: WorkerTerms
        var now = TestClock.start
        /// The workers that were started, in order.
        var launched: [WorkerProcess] = []
        var failed: [ForceFieldError] = []
        /// Calls that workers were given.
        var begun: [Call] = []
        var shutDowns = 0

        init(_ change: (inout Policy) -> Void) throws {
            let policy = Policy(change)
            let launch = Launch(executable: try WorkerExecutable(.path("/bin/sh")), policy: policy)
            terms = WorkerTerms(launch: launch, channel: policy.channelTerms(interfaceHash: nil))
            state = PoolState(policy)
        }

        /// - Returns: what is to be done.
        @discardableResult mutating func change(
            _ body: (inout PoolState, SteadyInstant) -> Void
        ) -> [PoolAction] {
            body(&state, now)
            let (terms, now) = (terms, now)
            state.balance(
                at: now,
                make: {
                    PoolMember(
                        worker: WorkerProcess(terms, owner: NoOwner()), services: HostServices(),
                        quota: Quota(terms.policy.lifetime, startedAt: now))
                })
            let actions = state.takeActions()
            for action in actions {
                switch action {
                case .launch(let worker): launched.append(worker)
                case .end(_, let error): failed.append(error)
                case .begin(let call, _): begun.append(call)
                case .shutDown: shutDowns += 1
                default: continue
                }
            }
            return actions
        }

        /// Lets the next thing that is due happen.
        mutating func pass() throws {
            now = try #require(state.nextDue)
            change { state, now in state.due(at: now) }
        }

        mutating func submit(_ call: Call) { change { state, now in state.submit(call, at: now) } }

        mutating func ready(_ worker: WorkerProcess) {
            change { state, _ in state.ready(worker, capacity: 1) }
        }

        mutating func end(_ worker: WorkerProcess, _ termination: Termination) {
            change { state, now in state.ended(worker, termination, at: now) }
        }
    }

    private static let crash = Termination.crashed(Termination.Crash(signal: 11))

    private func call(deadline: SteadyInstant? = nil, needsFreshWorker: Bool = false) -> Call {
        Call(
            Hostile.act.signature, .unary(maxReply: 1), body: [], options: CallOptions(), deadline: deadline,
            needsFreshWorker: needsFreshWorker, to: NoReceiver())
    }

    @Test("a queue without a limit takes what comes while all workers are busy")
    func unlimitedQueue() throws {
        var pool = try Pool { $0.maxQueued = .max }
        pool.submit(call())
        pool.ready(pool.launched[0])
        for _ in 0..<100 { pool.submit(call()) }
        #expect(pool.failed.isEmpty)
    }

    @Test("a worker that says goodbye instead of taking its call is shut down, so that none pile up")
    func goodbye() throws {
        var pool = try Pool { _ in }
        let call = call()
        pool.submit(call)
        pool.ready(pool.launched[0])
        let first = pool.launched[0]
        pool.change { state, _ in state.takeBack(call, from: first) }
        #expect(pool.shutDowns == 1)
        #expect(pool.launched.count == 2)
    }

    @Test("whoever is answered is not kept by the end of the worker, nor by the start of the next one")
    func idleDelay() throws {
        var pool = try Pool { $0.lifetime = .perRequest }
        pool.submit(call())
        let worker = pool.launched[0]
        pool.ready(worker)
        pool.now += .microseconds(200)
        let actions = pool.change { state, now in state.answered(by: worker, at: now) }
        #expect(actions.isEmpty)
        let due = try #require(pool.state.nextDue)
        #expect(due <= pool.now + .milliseconds(1))
        pool.now = due
        pool.change { state, now in state.due(at: now) }
        #expect(pool.shutDowns == 1)
        #expect(pool.launched.count == 2)
        #expect(pool.state.nextDue == nil)
    }

    @Test("a closed pool has nothing more to say, and nothing that would keep its workers")
    func closed() throws {
        var pool = try Pool {
            $0.lifetime = .perRequest
            $0.maxWorkers = 2
        }
        for _ in 0..<2 { pool.submit(call()) }
        let workers = pool.launched
        for worker in workers { pool.ready(worker) }
        pool.change { state, now in state.answered(by: workers[0], at: now) }
        pool.change { state, _ in state.close() }
        #expect(pool.shutDowns == 1)
        #expect(pool.state.nextDue == nil)
        // Its answer was on the way.
        let actions = pool.change { state, now in state.answered(by: workers[1], at: now) }
        #expect(actions.count == 1)
        #expect(pool.shutDowns == 2)
        #expect(pool.state.nextDue == nil)
    }

    @Test("a call that no worker takes fails, rather than start workers for ever")
    func refused() throws {
        var pool = try Pool { _ in }
        let call = call()
        pool.submit(call)
        for _ in 0..<10 where pool.failed.isEmpty {
            let worker = try #require(pool.launched.last)
            pool.ready(worker)
            pool.change { state, _ in state.takeBack(call, from: worker) }
            pool.end(worker, .clean)
        }
        #expect(pool.failed == [.terminated(.exited(code: 0))])
        #expect(pool.launched.count == 3)
    }

    @Test("calls fail when all starts have failed, also where many were tried at once")
    func failedStarts() throws {
        var pool = try Pool { $0.maxWorkers = 4 }
        for _ in 0..<4 { pool.submit(call()) }
        var ended = 0
        while ended < pool.launched.count, ended < 100 {
            pool.end(pool.launched[ended], .setupFailed(.interfaceMismatch))
            ended += 1
        }
        #expect(pool.launched.count == 4)
        #expect(pool.failed == [ForceFieldError](repeating: .terminated(.setupFailed(.interfaceMismatch)), count: 4))
    }

    @Test("starts that fail beside a busy worker are tried again, less and less often")
    func failedBesideBusy() throws {
        var pool = try Pool { $0.maxWorkers = 2 }
        pool.submit(call())
        pool.ready(pool.launched[0])
        pool.submit(call())
        pool.end(pool.launched[1], .setupFailed(.spawn(errno: 11)))
        #expect(pool.launched.count == 3)
        pool.end(pool.launched[2], .setupFailed(.spawn(errno: 11)))
        #expect(pool.launched.count == 3)
        #expect(pool.failed.isEmpty)
        let due = try #require(pool.state.nextDue)
        #expect(due == pool.now + .milliseconds(100))
        pool.now = due
        pool.change { state, now in state.due(at: now) }
        #expect(pool.launched.count == 4)
    }

    @Test("calls stay with the worker that has had one, also where a spare was ready before it")
    func spareStaysSpare() throws {
        var pool = try Pool {
            $0.lifetime = WorkerLifetime(requests: .max, idle: nil)
            $0.maxWorkers = 2
            $0.prewarm = 1
        }
        pool.change { _, _ in }
        pool.submit(call())
        pool.now += .milliseconds(1)
        pool.change { state, now in state.due(at: now) }
        #expect(pool.launched.count == 2)
        // The one that was started last is ready first, and has the call.
        pool.ready(pool.launched[1])
        pool.ready(pool.launched[0])
        let used = pool.launched[1]
        pool.change { state, now in state.answered(by: used, at: now) }
        var takers: [WorkerProcess] = []
        for action in pool.change({ state, now in state.submit(call(), at: now) }) {
            if case .begin(_, let worker) = action { takers.append(worker) }
        }
        #expect(takers.map { $0 === used } == [true])
    }

    @Test("a call that waited for a place has the spare as soon as a busy worker crashes")
    func placeOfCrashed() throws {
        var pool = try Pool { $0.lifetime = WorkerLifetime(requests: 1, idle: nil) }
        pool.submit(call())
        pool.ready(pool.launched[0])
        try pool.pass()
        pool.ready(pool.launched[1])
        let second = call()
        pool.submit(second)
        #expect(pool.begun.count == 1)
        pool.end(pool.launched[0], Self.crash)
        #expect(pool.begun.last === second)
    }

    @Test(
        "a call behind one that waited for a fresh worker has the idle one when that is over",
        arguments: [true, false])
    func behindOver(isCancelled: Bool) throws {
        var pool = try Pool {
            $0.maxWorkers = 2
            $0.lifetime = WorkerLifetime(idle: nil)
        }
        // A worker that has had a call, and starts that wait, since two others have crashed.
        for _ in 0..<2 { pool.submit(call()) }
        let kept = pool.launched[0]
        pool.ready(kept)
        for _ in 0..<2 {
            let worker = try #require(pool.launched.last)
            pool.ready(worker)
            pool.end(worker, Self.crash)
            pool.submit(call())
        }
        for _ in 0..<2 { pool.change { state, now in state.answered(by: kept, at: now) } }
        let launched = pool.launched.count
        let fresh = call(deadline: pool.now + .milliseconds(50), needsFreshWorker: true)
        pool.submit(fresh)
        let plain = call()
        pool.submit(plain)
        #expect(pool.launched.count == launched && pool.begun.last !== plain)
        if isCancelled { pool.change { state, _ in state.remove(fresh) } } else { try pool.pass() }
        #expect(pool.begun.last === plain)
    }

    @Test("a cancelled call that its worker has handed back does not wait, and no worker is started for it")
    func cancelledBeforeGoodbye() throws {
        var pool = try Pool { _ in }
        let call = call()
        pool.submit(call)
        let worker = pool.launched[0]
        pool.ready(worker)
        call.end(.failure(.cancelled))
        pool.change { state, _ in state.takeBack(call, from: worker) }
        #expect(pool.state.queue.isEmpty && pool.launched.count == 1)
    }

    @Test("one that is cancelled after that has no worker that would be told, and leaves the queue")
    func cancelledAfterGoodbye() throws {
        var pool = try Pool { _ in }
        let call = call()
        pool.submit(call)
        let worker = pool.launched[0]
        pool.ready(worker)
        #expect(call.worker === worker)
        pool.change { state, _ in state.takeBack(call, from: worker) }
        #expect(call.worker == nil && pool.state.queue.count == 1)
        call.end(.failure(.cancelled))
        pool.change { state, _ in state.remove(call) }
        #expect(pool.state.queue.isEmpty)
    }

    @Test(
        "a call whose deadline is over before it is made goes to no worker and starts none",
        arguments: [.zero, .seconds(-1)] as [Duration])
    func overdue(left: Duration) throws {
        var pool = try Pool { $0.maxWorkers = 2 }
        pool.submit(call(deadline: pool.now + left))
        #expect(pool.launched.isEmpty && pool.failed == [.deadlineExceeded])
        pool.submit(call())
        let worker = pool.launched[0]
        pool.ready(worker)
        pool.change { state, now in state.answered(by: worker, at: now) }
        pool.submit(call(deadline: pool.now + left))
        #expect(pool.begun.count == 1 && pool.launched.count == 1)
        #expect(pool.failed == [.deadlineExceeded, .deadlineExceeded])
        #expect(pool.state.queue.isEmpty)
    }

    @Test("nor does one go to the worker that is free at the moment at which its deadline ends")
    func overdueInQueue() throws {
        var pool = try Pool { $0.maxWorkers = 1 }
        pool.submit(call())
        let worker = pool.launched[0]
        pool.ready(worker)
        pool.submit(call(deadline: pool.now + .milliseconds(50)))
        let next = call()
        pool.submit(next)
        pool.now += .milliseconds(50)
        pool.change { state, now in state.answered(by: worker, at: now) }
        #expect(pool.begun.count == 2 && pool.begun.last === next)
        #expect(pool.failed == [.deadlineExceeded])
    }

    @Test("while the owner has not taken the ends of workers no others are started")
    func undeliveredEnds() throws {
        var pool = try Pool { $0.maxWorkers = 1 }
        for _ in 0..<PoolState.mostUndeliveredEnds {
            pool.submit(call())
            let worker = try #require(pool.launched.last)
            pool.ready(worker)
            pool.end(worker, .clean)
        }
        let count = pool.launched.count
        pool.submit(call())
        #expect(pool.launched.count == count && pool.failed.isEmpty)
        #expect(pool.state.nextDue == nil)
        pool.change { state, _ in state.endWasDelivered() }
        #expect(pool.launched.count == count + 1)
    }

    @Test("in the background no time is waited for that has passed")
    func background() throws {
        var pool = try Pool { $0.lifetime = .perRequest }
        pool.submit(call())
        // The worker has its call, and a spare is to be started in a moment.
        pool.ready(pool.launched[0])
        #expect(pool.state.nextDue != nil)
        pool.change { state, _ in state.enterBackground(grace: .seconds(5)) }
        pool.now += .seconds(1)
        #expect(pool.state.nextDue.map { $0 > pool.now } ?? true)
        // Back again, the spare is made up for.
        pool.change { state, _ in state.enterForeground() }
        #expect(pool.launched.count == 2)
    }

    @Test(
        "what goes because memory is short comes back with the next call, and not before",
        arguments: [MemoryPressure.warning, .critical], [0, 1])
    func memoryPressure(_ pressure: MemoryPressure, prewarm: Int) throws {
        var pool = try Pool {
            $0.lifetime = .perRequest
            $0.maxWorkers = 2
            $0.prewarm = prewarm
            $0.minWorkers = prewarm
        }
        pool.submit(call())
        let worker = try #require(pool.launched.first)
        pool.ready(worker)
        try pool.pass()
        let spares = pool.launched.dropFirst()
        #expect(spares.count == 1)
        for spare in spares { pool.ready(spare) }
        // The one with a call is the one that stays, and the spare goes.
        pool.change { state, _ in state.retireForMemory(pressure) }
        #expect(pool.shutDowns == 1)
        pool.change { state, now in state.answered(by: worker, at: now) }
        while pool.state.nextDue != nil { try pool.pass() }
        for worker in pool.launched { pool.end(worker, .clean) }
        pool.now += .seconds(1)
        pool.change { state, now in state.due(at: now) }
        #expect(pool.launched.count == 2 && pool.state.members.isEmpty)
        pool.submit(call())
        #expect(pool.launched.count == 3)
    }

    @Test("nor while starts fail")
    func failedSpare() throws {
        var pool = try Pool {
            $0.lifetime = .perRequest
            $0.maxWorkers = 2
        }
        pool.submit(call())
        pool.ready(pool.launched[0])
        pool.submit(call())
        // The first has a call and a spare is due; the second start fails twice.
        pool.end(pool.launched[1], .setupFailed(.timeout))
        pool.end(pool.launched[2], .setupFailed(.timeout))
        pool.now += .milliseconds(50)
        pool.change { state, now in state.due(at: now) }
        #expect(pool.state.nextDue.map { $0 > pool.now } ?? true)
    }
}
