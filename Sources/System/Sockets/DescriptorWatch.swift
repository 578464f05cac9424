import Dispatch

#if os(Linux)
    import CLinux
    import Glibc
    import Synchronization
    import Threads
#endif

/// Tells on a queue when a descriptor can be read, as a read source of Dispatch does, which it is on Apple's systems.
///
/// On Linux it is told by a thread of its own, which looks after all watches of the process: Dispatch ends the process
/// there when a source is cancelled at the moment at which the other end hangs up
/// (<https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949>). The kernel is given numbers of watches and
/// no addresses, so that what it says of one that is gone is passed over.
package final class DescriptorWatch: Sendable {
    /// What a queue is asked to do.
    package typealias Action = @Sendable () -> Void

    #if os(Linux)
        private let watcher: Watcher
        private let number: UInt64

        /// Watches a descriptor until ``cancel()``, or until the last reference to the watch goes.
        ///
        /// - Parameters:
        ///   - descriptor: is not watched by others, and stays open until `onEnd`.
        ///   - queue: does one thing after the other.
        ///   - onReadable: is called while there is something to read, and again where it leaves some. The end of what
        ///     comes can be read again and again: who comes to it cancels.
        ///   - onEnd: is called once, when `onReadable` is called no more: closes the descriptor.
        /// - Returns: nil where the system has no descriptor, thread or memory for it, or cannot watch such a
        ///   descriptor; `onEnd` is not called then.
        package init?(
            _ descriptor: CInt, on queue: DispatchQueue, onReadable: @escaping Action, onEnd: @escaping Action
        ) {
            let watched = Watched(descriptor: descriptor, queue: queue, onReadable: onReadable, onEnd: onEnd)
            guard let watcher = Watcher.ofThisProcess(), let number = watcher.add(watched) else { return nil }
            (self.watcher, self.number) = (watcher, number)
        }

        deinit { watcher.remove(number) }

        /// Watches no more.
        package func cancel() { watcher.remove(number) }

        private struct Watched: Sendable {
            let descriptor: CInt
            let queue: DispatchQueue
            let onReadable: Action
            let onEnd: Action
        }

        /// The thread that waits for all of them.
        private final class Watcher: Sendable {
            private struct Watches {
                var last: UInt64 = 0
                var all: [UInt64: Watched] = [:]
            }

            private static let running = Mutex<Watcher?>(nil)
            /// Events that are taken at a time.
            private static let batch = 16
            /// When a descriptor is looked at that the kernel does not take back.
            private static let pause = DispatchTimeInterval.seconds(1)

            private let events: CInt
            private let watches = Mutex(Watches())

            /// The one of this process, which runs until the process ends.
            static func ofThisProcess() -> Watcher? {
                running.withLock { running in
                    if running == nil { running = Watcher() }
                    return running
                }
            }

            private init?() {
                events = clinux_events_open()
                guard events >= 0 else { return nil }
                guard SystemThread.tryStart({ self.run() }) else { return nil }
            }

            /// Only one that has no thread goes.
            deinit { if events >= 0 { close(events) } }

            func add(_ watched: Watched) -> UInt64? {
                watches.withLock { watches in
                    watches.last += 1
                    guard wait(for: watched, as: watches.last) else { return nil }
                    watches.all[watches.last] = watched
                    return watches.last
                }
            }

            func remove(_ number: UInt64) {
                let removed = watches.withLock { watches in
                    let removed = watches.all.removeValue(forKey: number)
                    // It is not waited for while it is being read.
                    if let removed { _ = clinux_events_remove(events, removed.descriptor) }
                    return removed
                }
                // Behind what the queue does for it.
                if let removed { removed.queue.async(execute: removed.onEnd) }
            }

            private func wait(for watched: Watched, as number: UInt64) -> Bool {
                clinux_events_add(events, watched.descriptor, number, Interest.readable) == 0
            }

            private func run() {
                var found = [clinux_event](repeating: clinux_event(), count: Self.batch)
                while true {
                    let count = clinux_events_wait(events, &found, CInt(Self.batch))
                    precondition(count >= 0, "waiting failed with errno \(errno)")
                    for event in found[..<Int(count)] { take(event.token) }
                }
            }

            /// Has a queue read, and waits for the descriptor no more until that is done.
            private func take(_ number: UInt64) {
                watches.withLock { watches in
                    guard let watched = watches.all[number] else { return }
                    _ = clinux_events_remove(events, watched.descriptor)
                    watched.queue.async { self.read(number) }
                }
            }

            private func read(_ number: UInt64) {
                guard let watched = watches.withLock({ $0.all[number] }) else { return }
                watched.onReadable()
                let isSettled = watches.withLock { watches in
                    watches.all[number] == nil || wait(for: watched, as: number)
                }
                if !isSettled { watched.queue.asyncAfter(deadline: .now() + Self.pause) { self.read(number) } }
            }
        }
    #else
        // Dispatch's sources may be used from any thread.
        private nonisolated(unsafe) let source: any DispatchSourceRead

        package init?(
            _ descriptor: CInt, on queue: DispatchQueue, onReadable: @escaping Action, onEnd: @escaping Action
        ) {
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler(handler: onReadable)
            source.setCancelHandler(handler: onEnd)
            source.activate()
        }

        deinit { source.cancel() }

        /// Watches no more.
        package func cancel() { source.cancel() }
    #endif
}
