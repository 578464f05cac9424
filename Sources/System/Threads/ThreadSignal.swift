#if os(Linux)
    import Glibc

    /// Lets one thread outside Swift's pool wait until another has something for it.
    ///
    /// Sendable because the system's semaphore is made for that; it lies in memory of its own and does not move.
    package final class ThreadSignal: @unchecked Sendable {
        private let semaphore: UnsafeMutablePointer<sem_t>

        package init() {
            semaphore = .allocate(capacity: 1)
            semaphore.initialize(to: sem_t())
            sem_init(semaphore, 0, 0)
        }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        package func raise() { sem_post(semaphore) }

        /// Waits for the signal; each time that it is raised lets one wait return.
        package func wait() {
            while sem_wait(semaphore) != 0 {}
        }
    }
#endif
