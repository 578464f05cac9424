#if os(Linux)
    import Files
    import Scheduling

    // Callers that wait for their answers themselves.
    extension WorkerState {
        /// - Returns: what the call's caller may wait for; nil if it may not.
        mutating func channelAwaited(by call: Call) -> (socket: OpenFile, interest: Reactor.Interest)? {
            guard phase == .running, waiters.callerWait.isActive(for: call), let socket = channel?.socket else {
                return nil
            }
            return (socket, waiters.interest)
        }

        /// The caller has waited with success.
        ///
        /// - Returns: what it may wait for now; nil where its wait has ended: it has its answer, nothing more comes by
        ///   this channel, or nothing is read of it for a while.
        mutating func receiveForCaller() -> Reactor.Interest? {
            isReady(.channel)
            if channel?.openCount == 0 {
                waiters.callerWait.endWithAnswer()
                waiters.lentUntil = .now + CallerWait.lending
            } else if phase == .running, channel?.isInputClosed == false, channel?.pauseEnd == nil {
                return waiters.interest
            } else {
                waiters.callerWait.end()
            }
            if let socket = channel?.socket { watch(socket) }
            return nil
        }

        mutating func endCallerWait() {
            waiters.callerWait.end()
            waiters.lentUntil = nil
            if phase == .running, let socket = channel?.socket { watch(socket) }
        }
    }
#endif
