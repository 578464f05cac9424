#if os(Linux)
    import Scheduling

    /// When a worker is not read for a while, as more comes from it of what the host drops than there is time for. To
    /// look at a frame and drop it takes the host longer than the worker to send it, so that a flood would cost the
    /// host a processor, and the worker nothing of its own processor time.
    ///
    /// Nothing is lost by a pause, and nothing overtakes anything: what is not read stays where it is, and a worker
    /// that goes on writing waits. One that reports now and then is never ahead.
    ///
    /// Source: `forcefield` section 14.
    struct Flood: Sendable {
        /// The time for one unit: a short frame, or 256 bytes.
        static let unit = Duration.microseconds(10)
        static let unitBytes = 256
        /// Units that it takes to look whether something has come.
        static let look = 10
        /// How far a worker may be ahead, and the shortest pause.
        static let lead = Duration.milliseconds(10)

        /// Until when there was time for all that has come.
        private var paid: SteadyInstant?

        /// Takes note of what was dropped at one look.
        ///
        /// - Returns: until when the worker is not read; nil if it is.
        mutating func drop(units: Int, at now: SteadyInstant) -> SteadyInstant? {
            let paid = max(paid ?? now, now) + Self.unit * (Self.look + units)
            self.paid = paid
            return paid - now > Self.lead ? paid : nil
        }
    }
#endif
