#if os(Linux)
    import ForceFieldWire

    /// What happens to a worker, for its owner.
    enum WorkerEvent: Sendable {
        /// The worker takes calls, so many at a time.
        case isReady(maxInFlight: Int)
        /// A call's last frame has come, or the call was over before it was sent: the worker can take another.
        case answered(Call, Result<[UInt8], ForceFieldError>)
        /// The call was not sent: the worker is about to end.
        case notTaken(Call)
        case item(Call, [UInt8])
        case progress(Call, CallProgress)
        /// A call's deadline has passed: the worker gets no other.
        case missedDeadline(Call)
        case hostCall(HostCallID, MethodID, [UInt8])
        case log(LogLevel, [UInt8])
        case output(OutputKind, [UInt8])
        /// The worker is no more. The calls had no last frame.
        case ended(TerminationReport, calls: [Call])
    }

    /// The output that a program has written to.
    public enum OutputKind: Sendable {
        case standard
        case errors
    }

    protocol WorkerOwner: AnyObject, Sendable {
        /// Called for each event in order, without any lock held.
        func handle(_ event: WorkerEvent, of worker: WorkerProcess)
    }
#endif
