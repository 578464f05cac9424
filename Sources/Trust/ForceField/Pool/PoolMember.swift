#if os(Linux)
    import Scheduling

    /// A worker as its pool sees it.
    struct PoolMember {
        let worker: WorkerProcess
        let services: HostServices
        var quota: Quota
        /// Calls that it takes at a time; nil until it is ready.
        var capacity: Int?
        /// Calls that it was given and has not answered: places that are taken. Which calls those are, its conversation
        /// knows.
        var assigned = 0
        /// Why it gets no more calls, and ends when it has none; nil while it gets some.
        var retirement: RetirementReason?

        var isStarting: Bool { capacity == nil && retirement == nil }
        var isIdle: Bool { capacity != nil && assigned == 0 && retirement == nil }
        var isFresh: Bool { isIdle && quota.served == 0 }
        /// Whether it has calls, or may get some.
        var isInUse: Bool { retirement == nil || assigned > 0 }

        func takes(_ call: Call, at now: SteadyInstant) -> Bool {
            guard let capacity, retirement == nil, assigned < capacity else { return false }
            guard quota.retirement(at: now, isIdle: false) == nil else { return false }
            return !call.needsFreshWorker || isFresh
        }
    }

    /// What a pool has decided, done without its lock.
    enum PoolAction {
        case launch(WorkerProcess)
        case begin(Call, WorkerProcess)
        case end(Call, ForceFieldError)
        case shutDown(WorkerProcess, grace: Duration, KillReason)
        case kill(WorkerProcess, KillReason)
        case background(WorkerProcess, grace: Duration)
        case foreground(WorkerProcess)
        /// The last worker of a closed pool is gone.
        case closed([UnsafeContinuation<Void, Never>])
    }
#endif
