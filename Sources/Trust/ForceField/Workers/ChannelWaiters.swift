#if os(Linux)
    import Scheduling

    /// Who waits for a worker's channel, and for what of it: a caller on its own thread, or the reactor.
    struct ChannelWaiters: Sendable {
        var callerWait: CallerWait
        /// Until when the channel stays with the callers although none of them waits: nothing is expected of the
        /// worker, and what it says unasked has time.
        var lentUntil: SteadyInstant?
        /// Whether frames are left that the channel had no room for.
        var waitsForRoom = false
        /// What the reactor waits for.
        private var watched: Reactor.Interest = .input

        init(_ pace: Pace) { callerWait = CallerWait(pace) }

        /// What of the channel is of interest, to whoever waits.
        var interest: Reactor.Interest { waitsForRoom ? [.input, .room] : .input }

        /// The reactor leaves the channel alone while a caller waits for it, as long as it is lent, and while it is not
        /// read. Its end it is told in any case.
        ///
        /// - Parameter isPaused: whether the channel is not read for a while.
        /// - Returns: what the reactor is to wait for from now on; nil where it does so already.
        mutating func takeChange(isPaused: Bool) -> Reactor.Interest? {
            let isLent = callerWait.isActive || lentUntil != nil && !waitsForRoom
            let wanted: Reactor.Interest = isLent || isPaused ? [] : interest
            guard wanted != watched else { return nil }
            watched = wanted
            return wanted
        }
    }
#endif
