#if os(Linux)
    /// The earliest of times that may be there or not.
    struct Earliest {
        private(set) var time: ContinuousClock.Instant?

        init(_ time: ContinuousClock.Instant?) { self.time = time }

        mutating func add(_ other: ContinuousClock.Instant?) {
            guard let other else { return }
            time = time.map { min($0, other) } ?? other
        }
    }
#endif
