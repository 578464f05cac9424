#if os(Linux)
    import Scheduling

    /// The decisions which worker gets which call and how many workers there are, made under the pool's lock and
    /// carried out without it.
    ///
    /// Source: `forcefield` section 17.
    struct PoolState {
        let policy: Policy
        var members: [PoolMember] = []
        private(set) var queue = CallQueue()
        private(set) var throttle = Throttle()
        var quarantine = Quarantine()
        private(set) var isClosed = false
        private(set) var isInBackground = false
        /// The last worker that was started never became ready: none is started ahead of need.
        private var lastStartFailed = false
        /// Slows down starts that fail one after the other while calls wait for workers that are busy.
        private var failedStarts = Throttle()
        /// A call has come, so that others may.
        private var wasUsed = false
        /// Memory was short, and no call has come since: none is started ahead of need.
        private var savesMemory = false
        private var refillTime: SteadyInstant?
        /// Orders to shut down workers that have had their last call, and when they are given.
        private var shutdowns: [PoolAction] = []
        private var shutdownTime: SteadyInstant?
        private var spawnTime: SteadyInstant?
        var scheduled: SteadyInstant?
        private var closeWaiters: [UnsafeContinuation<Void, Never>] = []
        /// What has been decided and not been taken.
        private var actions: [PoolAction] = []
        /// Ends of workers that the owner has not been told yet, each with what the worker wrote last.
        private var undeliveredEnds = 0

        /// Untold ends from which on no worker is started: workers would come faster than the owner's handler takes
        /// their ends.
        static let mostUndeliveredEnds = 256

        /// A spare for the next call is started when the current one has had the processors this long, and a worker is
        /// asked to end when the caller has gone on for as long: a thread that is woken up runs first, and the caller
        /// would wait for it.
        private static let idleDelay = Duration.milliseconds(1)

        init(_ policy: Policy) { self.policy = policy }

        private var isSingleUse: Bool { policy.lifetime.requests == 1 }
        private var spares: Int { max(policy.prewarm, isSingleUse && wasUsed ? 1 : 0) }
        /// Workers that have calls or may get some. A single-use pool has its spares beside those that run.
        private var memberLimit: Int { policy.maxWorkers + (isSingleUse ? max(1, policy.prewarm) : 0) }
        /// Workers that are kept although there are no calls.
        private var floor: Int { max(policy.minWorkers, policy.prewarm) }

        /// What has been decided since this was asked last, to be done without the lock.
        mutating func takeActions() -> [PoolAction] {
            defer { actions = [] }
            return actions
        }

        private func index(of worker: WorkerProcess) -> Int? { members.firstIndex { $0.worker === worker } }

        // MARK: Calls

        mutating func submit(_ call: Call, at now: SteadyInstant) {
            guard !isClosed else { return actions.append(.end(call, .closed)) }
            guard !isInBackground else { return actions.append(.end(call, .inBackground)) }
            guard !call.isOverdue(at: now) else { return actions.append(.end(call, .deadlineExceeded)) }
            wasUsed = true
            savesMemory = false
            if queue.isEmpty, begin(call, at: now) { return }
            // Calls for which a worker is, or will be, on its way do not count as waiting.
            let coming = max(0, policy.maxWorkers - members.count { $0.assigned > 0 }) * policy.maxInFlight
            guard queue.count - coming < policy.maxQueued else {
                return actions.append(.end(call, .overloaded(waiting: queue.count)))
            }
            queue.append(call)
        }

        mutating func remove(_ call: Call) { queue.remove(call) }

        /// The worker was about to end when it was given the call, which goes to another; but not for ever, since
        /// workers may say goodbye at once.
        mutating func takeBack(_ call: Call, from worker: WorkerProcess) {
            if let index = index(of: worker) {
                members[index].assigned -= 1
                // It may have said goodbye and live on.
                retire(index, .requests)
            }
            guard !isClosed else { return actions.append(.end(call, .closed)) }
            guard !isInBackground else { return actions.append(.end(call, .inBackground)) }
            guard call.mayTryAgain() else { return actions.append(.end(call, .terminated(.exited(code: 0)))) }
            // Who cancels it from here on finds no worker, and takes it out of the queue; who did so before told the
            // worker.
            guard !call.isEnded else { return }
            queue.putBack(call)
        }

        /// - Returns: whether a worker has it, or it has ended.
        private mutating func begin(
            _ call: Call, at now: SteadyInstant
        ) -> Bool {
            // A worker that is given too little time is killed for it, which would be held against the input.
            guard !call.isOverdue(at: now) else {
                actions.append(.end(call, .deadlineExceeded))
                return true
            }
            guard let index = worker(for: call, at: now) else { return false }
            if members[index].assigned == 0, members.count(where: { $0.assigned > 0 }) >= policy.maxWorkers {
                return false
            }
            guard call.assign(to: members[index].worker) else { return true }
            members[index].assigned += 1
            members[index].quota.begin(at: now)
            if call.needsFreshWorker { members[index].retirement = .requests }
            actions.append(.begin(call, members[index].worker))
            return true
        }

        /// One that has had calls before one that has not: who calls in a row has one worker, and what is spare stays
        /// so.
        private func worker(for call: Call, at now: SteadyInstant) -> Int? {
            members.firstIndex { $0.quota.served > 0 && $0.takes(call, at: now) }
                ?? members.firstIndex { $0.takes(call, at: now) }
        }

        private mutating func dispatch(at now: SteadyInstant) {
            while let call = queue.first, begin(call, at: now) { _ = queue.takeFirst() }
        }

        // MARK: Workers

        mutating func ready(_ worker: WorkerProcess, capacity: Int) {
            guard let index = index(of: worker) else { return }
            lastStartFailed = false
            failedStarts = Throttle()
            members[index].capacity = capacity
        }

        /// The worker has answered, whatever that is worth: its caller judges it (``judge(isGood:)``).
        mutating func answered(by worker: WorkerProcess, at now: SteadyInstant) {
            guard let index = index(of: worker) else { return }
            members[index].assigned -= 1
            members[index].quota.end(at: now)
            let reason = members[index].retirement ?? members[index].quota.retirement(at: now, isIdle: false)
            if let reason {
                let shutdown = shutdownOnRetirement(of: index, reason)
                if let shutdown { if isClosed { actions.append(shutdown) } else { shutdowns.append(shutdown) } }
                if !shutdowns.isEmpty { shutdownTime = shutdownTime ?? refillTime ?? now + Self.idleDelay }
            }
        }

        mutating func judge(isGood: Bool) {
            if isGood { throttle.goodCall() } else { throttle.badCall() }
        }

        /// The worker gets no more calls.
        mutating func retire(_ worker: WorkerProcess, _ reason: RetirementReason) {
            if let index = index(of: worker) { retire(index, reason) }
        }

        private mutating func retire(_ index: Int, _ reason: RetirementReason) {
            if let shutdown = shutdownOnRetirement(of: index, reason) { actions.append(shutdown) }
        }

        /// - Returns: what ends the retired worker; nil as long as it has calls.
        private mutating func shutdownOnRetirement(of index: Int, _ reason: RetirementReason) -> PoolAction? {
            members[index].retirement = reason
            guard members[index].assigned == 0 else { return nil }
            // Workers that do not end when they are asked to must not pile up.
            let ending = members.count { !$0.isInUse }
            let grace = ending > 2 * policy.maxWorkers + 2 ? .zero : policy.shutdownGrace
            let killReason: KillReason = reason == .memoryPressure ? .memoryPressure : .retired
            return .shutDown(members[index].worker, grace: grace, killReason)
        }

        mutating func ended(
            _ worker: WorkerProcess, _ termination: Termination, at now: SteadyInstant
        ) {
            guard let index = index(of: worker) else { return }
            let member = members.remove(at: index)
            undeliveredEnds += 1
            if termination.isAbnormal { throttle.abnormalEnd(at: now) }
            if member.isStarting {
                lastStartFailed = true
                failedStarts.abnormalEnd(at: now)
                if !members.contains(where: { $0.retirement == nil }) {
                    failedStarts = Throttle()
                    for call in queue.takeAll() { actions.append(.end(call, .terminated(termination))) }
                }
            }
            guard isClosed, members.isEmpty else { return }
            actions.append(.closed(closeWaiters))
            closeWaiters = []
        }

        mutating func endWasDelivered() { undeliveredEnds -= 1 }

        // MARK: How many

        /// Whether workers may be started. Where they may not, a time at which something is to be has no meaning.
        private var mayStart: Bool { !isClosed && !isInBackground && undeliveredEnds < Self.mostUndeliveredEnds }

        /// Gives waiting calls to workers that are free, whatever has changed: the end of a worker makes room, too, and
        /// so does that of a call which waits. Then starts what is needed now; a spare only when its time has come.
        mutating func balance(at now: SteadyInstant, make: () -> PoolMember) {
            dispatch(at: now)
            guard mayStart else { return }
            let inUse = members.count { $0.isInUse }
            let waiting = members.count { $0.isStarting || $0.isIdle }
            let demand = min(
                (queue.count + policy.maxInFlight - 1) / policy.maxInFlight,
                max(0, policy.maxWorkers - members.count { $0.assigned > 0 }))
            if demand > 0, queue.first?.needsFreshWorker == true { makeRoomForFresh(inUse) }
            var wanted = demand
            if !lastStartFailed, !savesMemory {
                let ahead = max(demand + spares, waiting + policy.minWorkers - inUse)
                if ahead > waiting, demand <= waiting, refillTime == nil, wasUsed {
                    refillTime = now + Self.idleDelay
                }
                if refillTime.map({ $0 <= now }) ?? !wasUsed {
                    refillTime = nil
                    wanted = ahead
                }
            }
            let used = queue.first?.needsFreshWorker == true ? members.count { $0.isIdle && !$0.isFresh } : 0
            var missing = min(wanted - waiting + used, memberLimit - members.count { $0.isInUse })
            // A start that fails is not tried again beside others: once all have failed, the calls that wait do too.
            if lastStartFailed { missing = min(missing, members.contains(where: \.isStarting) ? 0 : 1) }
            spawnTime = nil
            guard missing > 0 else { return }
            let delay = max(throttle.delay(at: now), failedStarts.delay(at: now))
            guard delay == .zero else {
                spawnTime = now + delay
                return
            }
            for _ in 0..<missing {
                let member = make()
                members.append(member)
                actions.append(.launch(member.worker))
            }
        }

        /// An idle worker that has had calls gives way to one that has had none.
        private mutating func makeRoomForFresh(_ inUse: Int) {
            guard inUse >= memberLimit, !members.contains(where: { $0.isFresh || $0.isStarting }) else { return }
            if let index = members.firstIndex(where: \.isIdle) { retire(index, .requests) }
        }

        // MARK: Time

        var nextDue: SteadyInstant? {
            var first = Earliest(queue.firstDeadline)
            first.add(shutdownTime)
            for member in members where member.isIdle { first.add(member.quota.deadline) }
            if mayStart {
                if !lastStartFailed { first.add(refillTime) }
                first.add(spawnTime)
            }
            return first.time
        }

        /// - Returns: when to be woken up, where that is before the time that is known.
        mutating func scheduleNext() -> SteadyInstant? {
            guard let due = nextDue else { return nil }
            if let scheduled, scheduled <= due { return nil }
            scheduled = due
            return due
        }

        mutating func due(at now: SteadyInstant) {
            for call in queue.takeOverdue(at: now) { actions.append(.end(call, .deadlineExceeded)) }
            if let time = shutdownTime, time <= now {
                actions += shutdowns
                shutdowns = []
                shutdownTime = nil
            }
            for index in members.indices where members[index].isIdle {
                guard let reason = members[index].quota.retirement(at: now, isIdle: true) else { continue }
                if reason == .idle, members.count(where: { $0.retirement == nil }) <= floor {
                    members[index].quota.end(at: now)
                } else {
                    retire(index, reason)
                    // A spare for calls that do not come is not replaced.
                    if reason == .idle { wasUsed = false }
                }
            }
        }

        // MARK: The whole pool

        mutating func retireForMemory(_ pressure: MemoryPressure) {
            // What has gone would come back at once, as a spare or because some are to be there always.
            savesMemory = true
            refillTime = nil
            let usable = members.indices.filter { members[$0].retirement == nil }
            // The last one is rather one that has calls, and needs its memory anyway.
            let last = usable.first { members[$0].assigned > 0 } ?? usable.first
            for index in usable where pressure == .critical ? index != last : members[index].isIdle {
                retire(index, .memoryPressure)
            }
        }

        /// Retires workers that have had a call: they get no more.
        mutating func retireUsed() {
            for index in members.indices where members[index].retirement == nil && members[index].quota.served > 0 {
                retire(index, .requests)
            }
        }

        mutating func enterBackground(grace: Duration) {
            isInBackground = true
            for call in queue.takeAll() { actions.append(.end(call, .inBackground)) }
            for member in members { actions.append(.background(member.worker, grace: grace)) }
        }

        mutating func enterForeground() {
            isInBackground = false
            for member in members { actions.append(.foreground(member.worker)) }
        }

        mutating func close() {
            guard !isClosed else { return }
            isClosed = true
            // They hold workers, and workers hold the pool.
            shutdowns = []
            shutdownTime = nil
            for call in queue.takeAll() { actions.append(.end(call, .closed)) }
            for index in members.indices {
                let worker = members[index].worker
                if members[index].assigned == 0 {
                    actions.append(.shutDown(worker, grace: policy.shutdownGrace, .shutdown))
                } else {
                    actions.append(.kill(worker, .shutdown))
                }
                members[index].retirement = .requests
            }
            if members.isEmpty { actions.append(.closed([])) }
        }

        /// - Returns: whether all workers are gone; else the continuation is resumed when they are.
        mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
            guard !members.isEmpty else { return true }
            closeWaiters.append(continuation)
            return false
        }
    }
#endif
