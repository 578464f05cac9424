#if os(Linux)
    import Synchronization
    import Testing

    @testable import Sockets

    @Suite("A thread that moves bytes between sockets", .timeLimit(.minutes(30)))
    struct RelayThreadTests {
        /// A thread with one pair, and both far ends.
        private struct Line {
            let thread: RelayThread
            let pair: RelayedPair
            let told = Told()
            let client: PeerSocket
            let service: PeerSocket

            init(_ thread: RelayThread, before: (RelayedPair) -> Void = { _ in }) throws {
                self.thread = thread
                let (client, nearClient) = try PeerSocket.connected()
                let (service, nearService) = try PeerSocket.connected()
                (self.client, self.service) = (client, service)
                pair = RelayedPair(client: nearClient, service: nearService, observer: told)
                before(pair)
                thread.add(pair)
            }
        }

        private static func thread() throws -> RelayThread { try #require(RelayThread { _, _ in }) }

        private static func bytes(_ count: Int, from seed: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ seed) }
        }

        @Test(
            "bytes arrive unchanged and in order, both ways at once, whatever their number",
            arguments: [1, 2, 125, 65_535, 65_536, 65_537, 1 << 20, 8 << 20])
        func sizes(_ count: Int) async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            let (up, down) = (Self.bytes(count, from: 1), Self.bytes(count, from: 2))
            async let sentUp = line.client.write(up, inPieces: 70_001)
            async let sentDown = line.service.write(down, inPieces: 1_009)
            async let gotUp = line.service.read(count, inPieces: 4_093)
            async let gotDown = line.client.read(count)
            #expect(await (gotUp == up, gotDown == down) == (true, true))
            #expect(await (sentUp, sentDown) == (count, count))
            await thread.stop()
        }

        @Test("a side that does not read holds the other up, and gets everything once it does")
        func slowReader() async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            let bytes = Self.bytes(32 << 20, from: 3)
            let hasSent = Atomic<Bool>(false)
            async let sent: Void = {
                await line.client.write(bytes)
                hasSent.store(true, ordering: .relaxed)
            }()
            // The other direction goes on meanwhile.
            for number in 0..<200 {
                await line.service.write(Self.bytes(1_000, from: number))
                #expect(await line.client.read(1_000) == Self.bytes(1_000, from: number))
            }
            let isEarly = hasSent.load(ordering: .relaxed)
            #expect(!isEarly)
            #expect(await line.service.read(bytes.count, inPieces: 65_521) == bytes)
            await sent
            await thread.stop()
        }

        @Test("what is given to a pair before it is added comes first")
        func first() async throws {
            let thread = try Self.thread()
            let early = Self.bytes(3 << 20, from: 4)
            let line = try Line(thread) { pair in
                pair.send(early, to: .client)
                pair.send([1, 2], to: .service)
                pair.send([3], to: .service)
            }
            await line.service.write([9])
            #expect(await line.client.read(early.count + 1) == early + [9])
            await line.client.write([4])
            #expect(await line.service.read(4) == [1, 2, 3, 4])
            await thread.stop()
        }

        @Test("the end of a side follows what it sent, and the other side goes on")
        func halfClose() async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            let bytes = Self.bytes(4 << 20, from: 5)
            async let sent = line.client.write(bytes)
            #expect(await line.service.read(bytes.count) == bytes)
            #expect(await sent == bytes.count)
            line.client.endOutput()
            #expect(await line.service.readToEnd().isEmpty)
            #expect(await line.told.next() == .ended(.client))
            await line.service.write([7, 8])
            #expect(await line.client.read(2) == [7, 8])
            line.service.endOutput()
            #expect(await line.client.readToEnd().isEmpty)
            #expect(await line.told.rest() == [.ended(.service), .over(nil)])
            await thread.stop()
        }

        @Test("an end that comes while bytes are held waits for them")
        func heldEnd() async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            let bytes = Self.bytes(8 << 20, from: 6)
            async let sent = line.client.write(bytes)
            // Something has come, so the rest of it fills what there is.
            let start = await line.service.read(1)
            async let rest = line.service.readToEnd()
            #expect(await sent == bytes.count)
            line.client.endOutput()
            #expect(await start + rest == bytes)
            await thread.stop()
        }

        @Test("a connection that is reset ends the other one, and is named", arguments: [PairedSide.client, .service])
        func reset(_ side: PairedSide) async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            await line.client.write([1])
            #expect(await line.service.read(1) == [1])
            (side == .client ? line.client : line.service).reset()
            #expect(await (side == .client ? line.service : line.client).readToEnd().isEmpty)
            #expect(await line.told.rest() == [.over(side)])
            await thread.stop()
        }

        @Test("a side that is gone while the other sends is noticed by that")
        func goneReader() async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            async let sent = line.client.write(Self.bytes(32 << 20, from: 7))
            #expect(await line.service.read(1).count == 1)
            line.service.reset()
            #expect(await sent < 32 << 20)
            #expect(await line.told.rest().last == .over(.service))
            await thread.stop()
        }

        @Test("a pair that is finished tells both sides, drops what they still say, and is over when they close")
        func finish() async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            await line.client.write([1])
            #expect(await line.service.read(1) == [1])
            line.pair.finish()
            #expect(await line.client.readToEnd().isEmpty)
            await line.client.write([2, 3])
            #expect(await line.service.readToEnd().isEmpty)
            line.client.closeNow()
            #expect(await line.told.next() == .ended(.client))
            line.service.closeNow()
            #expect(await line.told.rest() == [.ended(.service), .over(nil)])
            await thread.stop()
        }

        @Test("a pair that is cut is over at once, also where a side does not read", arguments: [false, true])
        func cut(_ isFinished: Bool) async throws {
            let thread = try Self.thread()
            let line = try Line(thread)
            async let sent = line.service.write(Self.bytes(32 << 20, from: 8))
            #expect(await line.client.read(1).count == 1)
            if isFinished { line.pair.finish() }
            line.pair.cut()
            #expect(await line.told.rest().last == .over(nil))
            #expect(await sent < 32 << 20)
            await thread.stop()
        }

        @Test("a thread that stops ends its pairs and tells of all, and takes no more")
        func stop() async throws {
            let thread = try Self.thread()
            let lines = try (0..<20).map { _ in try Line(thread) }
            await thread.stop()
            for line in lines {
                #expect(await line.told.rest() == [.over(nil)])
                #expect(await line.client.readToEnd().isEmpty)
            }
            let late = try Line(thread)
            #expect(await late.told.rest() == [.over(nil)])
            await thread.stop()
        }

        @Test("places of pairs that have left are used again, and the others are not disturbed")
        func manyPairs() async throws {
            let thread = try Self.thread()
            let lasting = try Line(thread)
            for number in 0..<200 {
                let line = try Line(thread)
                await line.client.write([UInt8(number)])
                #expect(await line.service.read(1) == [UInt8(number)])
                await lasting.service.write([UInt8(number)])
                if number % 2 == 0 { line.client.reset() } else { line.pair.cut() }
                #expect(await line.told.rest().last == .over(number % 2 == 0 ? .client : nil))
                #expect(await lasting.client.read(1) == [UInt8(number)])
            }
            await thread.stop()
        }

        @Test("bytes are counted by the side that they came from")
        func counts() async throws {
            let counted = Mutex((client: 0, service: 0))
            let thread = try #require(
                RelayThread { fromClients, fromServices in
                    counted.withLock { $0 = ($0.client + fromClients, $0.service + fromServices) }
                })
            let line = try Line(thread)
            async let sent = line.client.write(Self.bytes(100_000, from: 9))
            #expect(await line.service.read(100_000).count == 100_000)
            await line.service.write([1, 2, 3])
            #expect(await line.client.read(3) == [1, 2, 3])
            _ = await sent
            // The thread counts before it ends.
            await thread.stop()
            #expect(counted.withLock { $0 } == (100_000, 3))
        }
    }
#endif
