import CLibrary

/// A lock, and a place to wait for what changes under it, for as long as is wished.
///
/// The time is that of the clock which no step of the wall clock moves.
// @unchecked: the system's mutex and condition are made for that; they lie in memory of their own and do not move.
package final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if canImport(Glibc)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    package func withLock<R>(_ body: () throws -> R) rethrows -> R {
        lock()
        defer { unlock() }
        return try body()
    }

    package func signal() { pthread_cond_signal(condition) }

    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Gives the lock up until it is signalled, and takes it again. It may return earlier.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// Gives the lock up until it is signalled or the time is over, and takes it again. It may return earlier.
    package func wait(atMost time: Duration) {
        let (seconds, attoseconds) = max(time, .zero).components
        #if canImport(Glibc)
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            end.tv_sec += Int(min(seconds, Self.longest))
            end.tv_nsec += Int(attoseconds / 1_000_000_000)
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_sec += 1
                end.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(condition, mutex, &end)
        #else
            var left = timespec(tv_sec: Int(min(seconds, Self.longest)), tv_nsec: Int(attoseconds / 1_000_000_000))
            pthread_cond_timedwait_relative_np(condition, mutex, &left)
        #endif
    }

    /// A year in seconds: longer waits are taken up again.
    private static let longest: Int64 = 31_536_000
}
