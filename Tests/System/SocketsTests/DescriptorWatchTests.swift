#if os(Linux)
    import Dispatch
    import Glibc
    import Sockets
    import Synchronization
    import Testing
    import Threads

    @Suite("Watches of descriptors")
    struct DescriptorWatchTests {
        /// A pipe, what is read of it by a watch, and when the watch has ended.
        private final class Watched: Sendable {
            let input: CInt
            let queue = DispatchQueue(label: "watched")
            let news: AsyncStream<[UInt8]>
            private let sender: AsyncStream<[UInt8]>.Continuation
            let ends = Mutex(0)
            private let output: CInt

            /// - Parameter most: bytes that are read at a time.
            init(most: Int = 16) throws {
                var both: [CInt] = [-1, -1]
                try #require(pipe(&both) == 0)
                for end in both {
                    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                    _ = fcntl(end, F_SETFL, O_NONBLOCK)
                }
                (output, input) = (both[0], both[1])
                (news, sender) = AsyncStream.makeStream()
                self.most = most
            }

            private let most: Int

            func watch() throws -> DescriptorWatch {
                let watch = DescriptorWatch(
                    output, on: queue,
                    onReadable: { [self] in
                        var bytes = [UInt8](repeating: 0, count: most)
                        let count = read(output, &bytes, most)
                        sender.yield(Array(bytes.prefix(max(count, 0))))
                    },
                    onEnd: { [self] in
                        ends.withLock { $0 += 1 }
                        close(output)
                        sender.finish()
                    })
                return try #require(watch)
            }

            func say(_ bytes: [UInt8]) { _ = write(input, bytes, bytes.count) }
        }

        @Test("what comes is told, and what was left is told again")
        func reading() async throws {
            let watched = try Watched(most: 2)
            let watch = try watched.watch()
            var news = watched.news.makeAsyncIterator()
            watched.say([1, 2, 3, 4, 5])
            #expect(await news.next() == [1, 2])
            #expect(await news.next() == [3, 4])
            #expect(await news.next() == [5])
            watched.say([6])
            #expect(await news.next() == [6])
            watch.cancel()
            #expect(await news.next() == nil)
            close(watched.input)
        }

        @Test("the end of what comes is told until somebody cancels")
        func hangUp() async throws {
            let watched = try Watched()
            let watch = try watched.watch()
            var news = watched.news.makeAsyncIterator()
            watched.say([1])
            close(watched.input)
            #expect(await news.next() == [1])
            for _ in 0..<3 { #expect(await news.next() == []) }
            watch.cancel()
            while await news.next() != nil {}
            #expect(watched.ends.withLock { $0 } == 1)
        }

        @Test("it ends once, behind what its queue does for it, and tells nothing more")
        func ending() async throws {
            let watched = try Watched()
            let watch = try watched.watch()
            // The queue is busy while something comes and the watch is cancelled.
            watched.queue.suspend()
            watched.say([1])
            usleep(20_000)
            watch.cancel()
            watch.cancel()
            watched.queue.resume()
            for await bytes in watched.news { Issue.record("\(bytes) were told") }
            #expect(watched.ends.withLock { $0 } == 1)
            close(watched.input)
        }

        @Test("it ends with its last reference")
        func lastReference() async throws {
            let watched = try Watched()
            do { _ = try watched.watch() }
            for await _ in watched.news {}
            #expect(watched.ends.withLock { $0 } == 1)
            close(watched.input)
        }

        @Test("what cannot be waited for is refused, and nothing ends")
        func unwatchable() {
            let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let queue = DispatchQueue(label: "unwatchable")
            for descriptor in [file, -1] {
                let watch = DescriptorWatch(
                    descriptor, on: queue, onReadable: { Issue.record("\(descriptor) was read") },
                    onEnd: { Issue.record("\(descriptor) ended") })
                #expect(watch == nil)
            }
            queue.sync {}
        }

        /// Dispatch's read sources end the process here, in half of the runs with forty times as many of them.
        @Test("it is cancelled at the moment at which the other end hangs up, thousands of times")
        func race() async {
            let (threads, rounds) = (8, 500)
            let ends = Ends()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<threads {
                    group.addTask { await Self.onThread { Self.hangUpAndCancel(rounds, counting: ends) } }
                }
            }
            #expect(ends.count.withLock { $0 } == threads * rounds)
        }

        private final class Ends: Sendable { let count = Mutex(0) }

        /// Outside the pool of the tests, where each round would wait for its turn between two of its steps.
        private static func onThread(_ body: @escaping @Sendable () -> Void) async {
            await withCheckedContinuation { continuation in
                SystemThread.start {
                    body()
                    continuation.resume()
                }
            }
        }

        private static func hangUpAndCancel(_ rounds: Int, counting ends: Ends) {
            let queue = DispatchQueue(label: "watched")
            for round in 0..<rounds {
                var both: [CInt] = [-1, -1]
                guard pipe(&both) == 0 else { return }
                let (output, input) = (both[0], both[1])
                let ended = DispatchSemaphore(value: 0)
                let watch = DescriptorWatch(
                    output, on: queue,
                    onReadable: {
                        var byte: UInt8 = 0
                        _ = read(output, &byte, 1)
                    },
                    onEnd: {
                        close(output)
                        ends.count.withLock { $0 += 1 }
                        ended.signal()
                    })
                _ = write(input, [1], 1)
                if round % 3 == 0 { usleep(UInt32(round % 50)) }
                close(input)
                if round % 2 == 0 { usleep(UInt32(round % 50)) }
                watch?.cancel()
                if watch != nil { ended.wait() }
            }
        }
    }
#endif
