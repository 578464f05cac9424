#if os(Linux)
    import Scheduling
    import Synchronization
    import Testing

    @testable import Sockets

    @Suite("What a relay's thread does beside its sockets", .timeLimit(.minutes(30)))
    struct RelayErrandTests {
        private static func thread() throws -> RelayThread { try #require(RelayThread()) }

        @Test("work is done on the thread, in order, from wherever it comes")
        func work() async throws {
            let thread = try Self.thread()
            #expect(!thread.isCurrent)
            let order = Mutex<[Int]>([])
            for number in 0..<1_000 { thread.execute { order.withLock { $0.append(number) } } }
            await thread.run {
                #expect(thread.isCurrent)
                thread.execute { order.withLock { $0.append(-1) } }
            }
            await thread.run {}
            #expect(order.withLock { $0 } == Array(0..<1_000) + [-1])
            await thread.stop()
            thread.execute { Issue.record("it has ended") }
        }

        @Test("timers are due in the order of their times, and not before them")
        func timers() async throws {
            let thread = try Self.thread()
            let start = SteadyInstant.now
            let order = Mutex<[Int]>([])
            await withCheckedContinuation { continuation in
                for number in [3, 1, 2] {
                    _ = thread.schedule(at: start + .milliseconds(20 * number)) { isDue in
                        #expect(isDue)
                        #expect(SteadyInstant.now >= start + .milliseconds(20 * number))
                        order.withLock { $0.append(number) }
                        if number == 3 { continuation.resume() }
                    }
                }
            }
            #expect(order.withLock { $0 } == [1, 2, 3])
            await thread.stop()
        }

        @Test("of ten thousand timers those are due that were not cancelled")
        func cancelled() async throws {
            let thread = try Self.thread()
            let due = Mutex<Set<Int>>([])
            await thread.run {
                let at = SteadyInstant.now + .milliseconds(50)
                let timers = (0..<10_000).map { number in
                    thread.schedule(at: at + .nanoseconds(number % 7)) { _ in due.withLock { _ = $0.insert(number) } }
                }
                for (number, timer) in timers.enumerated() where number % 10 != 0 { thread.cancel(timer) }
                thread.cancel(timers[1])
            }
            await withCheckedContinuation { continuation in
                _ = thread.schedule(at: SteadyInstant.now + .milliseconds(100)) { _ in continuation.resume() }
            }
            #expect(due.withLock { $0 } == Set(stride(from: 0, to: 10_000, by: 10)))
            await thread.stop()
        }

        @Test("a timer whose time does not come is told so where the thread ends, or has ended")
        func ended() async throws {
            let thread = try Self.thread()
            let told = Mutex<[Bool]>([])
            let start = SteadyInstant.now
            let far = SteadyInstant.now + .seconds(3_600)
            _ = thread.schedule(at: far) { isDue in told.withLock { $0.append(isDue) } }
            await thread.stop()
            #expect(told.withLock { $0 } == [false])
            _ = thread.schedule(at: start) { isDue in told.withLock { $0.append(isDue) } }
            #expect(told.withLock { $0 } == [false, false])
        }
    }
#endif
