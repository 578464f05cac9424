#if os(Linux)
    import CForceField
    import Synchronization

    /// Kernel users that belong to one worker each, where the host is root: numbers that systems do not hand out, from
    /// a random one on.
    ///
    /// Source: `forcefield` sections 5 (step 5) and 7.2.
    enum WorkerUsers {
        private static let range = CFORCEFIELD_FIRST_USER...CFORCEFIELD_LAST_USER
        private static let last = Mutex(UInt32.random(in: range))

        static func next() -> UInt32 {
            last.withLock { last in
                last = last == range.upperBound ? range.lowerBound : last + 1
                return last
            }
        }
    }
#endif
