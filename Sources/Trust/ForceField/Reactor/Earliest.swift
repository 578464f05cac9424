#if os(Linux)
    import Scheduling

    /// The earliest of times that may be there or not.
    struct Earliest {
        private(set) var time: SteadyInstant?

        init(_ time: SteadyInstant?) { self.time = time }

        mutating func add(_ other: SteadyInstant?) {
            guard let other else { return }
            time = time.map { min($0, other) } ?? other
        }
    }
#endif
