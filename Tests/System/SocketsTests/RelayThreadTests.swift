#if os(Linux)
    import Synchronization
    import TestSupport
    import Testing

    @testable import Sockets

    @Suite("A thread that looks after pairs of sockets", .timeLimit(.minutes(30)))
    struct RelayThreadTests {
        /// A thread with one pair whose bytes cross, and both far ends.
        private struct Line {
            let thread: RelayThread
            let pair: RelayedPair
            let told: Crossing
            let client: PeerSocket
            let service: PeerSocket

            init(
                _ thread: RelayThread? = RelayThread(), closesAtEnd: Bool = false,
                before: @escaping @Sendable (RelayedPair) -> Void = { _ in }
            ) async throws {
                let thread = try #require(thread)
                let (client, nearClient) = try PeerSocket.connected()
                let (service, nearService) = try PeerSocket.connected()
                let pair = RelayedPair(client: nearClient, service: nearService, closesAtEnd: closesAtEnd)
                let told = Crossing(pair)
                (self.thread, self.pair, self.told) = (thread, pair, told)
                (self.client, self.service) = (client, service)
                await thread.run {
                    before(pair)
                    thread.add(pair, to: told)
                }
            }
        }

        private static func bytes(_ count: Int, from seed: Int) -> [UInt8] {
            [UInt8](pattern: seed, count: count)
        }

        // MARK: Bytes

        @Test(
            "bytes arrive unchanged and in order, both ways at once, whatever their number",
            arguments: [1, 2, 125, 65_535, 65_536, 65_537, 1 << 20, 8 << 20])
        func sizes(_ count: Int) async throws {
            let line = try await Line()
            let (up, down) = (Self.bytes(count, from: 1), Self.bytes(count, from: 2))
            async let sentUp = line.client.write(up, inPieces: 70_001)
            async let sentDown = line.service.write(down, inPieces: 1_009)
            async let gotUp = line.service.read(count, inPieces: 4_093)
            async let gotDown = line.client.read(count)
            #expect(await (gotUp == up, gotDown == down) == (true, true))
            #expect(await (sentUp, sentDown) == (count, count))
            #expect((line.told.count(from: .client), line.told.count(from: .service)) == (count, count))
            await line.thread.stop()
        }

        @Test("a side that does not read holds the other up, and gets everything once it does")
        func slowReader() async throws {
            let line = try await Line()
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
            await line.thread.stop()
        }

        @Test("what the handler does not want waits until it does")
        func unwanted() async throws {
            let line = try await Line { $0.setWanted(false, from: .client) }
            await line.client.write([1, 2, 3])
            await line.service.write([4])
            #expect(await line.client.read(1) == [4])
            #expect(line.told.count(from: .client) == 0)
            await line.thread.run { line.pair.setWanted(true, from: .client) }
            #expect(await line.service.read(3) == [1, 2, 3])
            await line.thread.stop()
        }

        @Test("what is given to a pair before it is added comes first")
        func first() async throws {
            let early = Self.bytes(3 << 20, from: 4)
            let line = try await Line { pair in
                pair.send(early, to: .client)
                pair.send([1, 2], to: .service)
                pair.send([3], to: .service)
            }
            await line.service.write([9])
            #expect(await line.client.read(early.count + 1) == early + [9])
            await line.client.write([4])
            #expect(await line.service.read(4) == [1, 2, 3, 4])
            await line.thread.stop()
        }

        // MARK: Ends

        @Test("the end of a side follows what it sent, and the other side goes on")
        func halfClose() async throws {
            let line = try await Line()
            let bytes = Self.bytes(4 << 20, from: 5)
            async let sent = line.client.write(bytes)
            #expect(await line.service.read(bytes.count) == bytes)
            #expect(await sent == bytes.count)
            line.client.endOutput()
            #expect(await line.service.readToEnd().isEmpty)
            #expect(await line.told.next() == .inputEnded(.client))
            await line.service.write([7, 8])
            #expect(await line.client.read(2) == [7, 8])
            line.service.endOutput()
            #expect(await line.client.readToEnd().isEmpty)
            #expect(
                await line.told.rest() == [
                    .inputEnded(.service), .ended(.client, isBroken: false), .ended(.service, isBroken: false),
                ])
            await line.thread.stop()
        }

        @Test(
            "bytes and an end that have come before the pair is looked after are told of",
            arguments: [0, 1, 65_536, 90_000])
        func earlyEnd(_ count: Int) async throws {
            let thread = try #require(RelayThread())
            let (client, nearClient) = try PeerSocket.connected()
            let (service, nearService) = try PeerSocket.connected()
            let bytes = Self.bytes(count, from: 7)
            // The system tells of all of it once, and a read takes 64 KiB.
            await client.write(bytes)
            client.endOutput()
            let pair = RelayedPair(client: nearClient, service: nearService, closesAtEnd: false)
            let told = Crossing(pair)
            await thread.run { thread.add(pair, to: told) }
            #expect(await service.readToEnd() == bytes)
            #expect(await told.next() == .inputEnded(.client))
            await thread.stop()
        }

        @Test("an end that comes while bytes are held waits for them")
        func heldEnd() async throws {
            let line = try await Line()
            let bytes = Self.bytes(8 << 20, from: 6)
            async let sent = line.client.write(bytes)
            // Something has come, so the rest of it fills what there is.
            let start = await line.service.read(1)
            async let rest = line.service.readToEnd()
            #expect(await sent == bytes.count)
            line.client.endOutput()
            #expect(await start + rest == bytes)
            await line.thread.stop()
        }

        @Test("behind the end of output nothing more is sent")
        func nothingBehindTheEnd() async throws {
            let early = Self.bytes(3 << 20, from: 5)
            let line = try await Line { pair in
                pair.send(early, to: .client)
                pair.endOutput(to: .client)
                pair.send([1], to: .client)
            }
            #expect(await line.client.readToEnd() == early)
            await line.client.write([7])
            #expect(await line.service.read(1) == [7])
            await line.thread.stop()
        }

        @Test("a side that sends its end is closed where that is wanted, and the other goes on")
        func closedAtEnd() async throws {
            let line = try await Line(closesAtEnd: true)
            await line.client.write([1])
            #expect(await line.service.read(1) == [1])
            line.client.endOutput()
            #expect(await line.told.next() == .ended(.client, isBroken: false))
            #expect(await line.client.readToEnd().isEmpty)
            await line.thread.run { line.pair.send([5], to: .service) }
            #expect(await line.service.read(1) == [5])
            line.service.endOutput()
            #expect(await line.told.rest() == [.ended(.service, isBroken: false)])
            await line.thread.stop()
        }

        @Test("a connection that is reset is told of", arguments: [PairedSide.client, .service], [false, true])
        func reset(_ side: PairedSide, _ closesAtEnd: Bool) async throws {
            let line = try await Line(closesAtEnd: closesAtEnd)
            await line.client.write([1])
            #expect(await line.service.read(1) == [1])
            (side == .client ? line.client : line.service).reset()
            #expect(await line.told.next() == .ended(side, isBroken: true))
            await line.thread.run { line.pair.close(side.other) }
            #expect(await (side == .client ? line.service : line.client).readToEnd().isEmpty)
            #expect(await line.told.rest() == [.ended(side.other, isBroken: false)])
            await line.thread.stop()
        }

        @Test("a side that is gone while the other sends is noticed by that")
        func goneReader() async throws {
            let line = try await Line()
            async let sent = line.client.write(Self.bytes(32 << 20, from: 7))
            #expect(await line.service.read(1).count == 1)
            line.service.reset()
            #expect(await line.told.next() == .ended(.service, isBroken: true))
            // What is sent to it is taken and dropped.
            #expect(await sent == 32 << 20)
            await line.thread.stop()
        }

        @Test("a side that the handler closes is told of after that, and once")
        func handlerCloses() async throws {
            let line = try await Line()
            await line.thread.run {
                line.pair.close(.service)
                line.pair.close(.service)
            }
            #expect(await line.told.next() == .ended(.service, isBroken: false))
            #expect(await line.service.readToEnd().isEmpty)
            await line.thread.stop()
            #expect(await line.told.rest() == [.ended(.client, isBroken: false)])
            #expect(await line.client.readToEnd().isEmpty)
        }

        @Test("a pair that is closed is over at once, also where a side does not read", arguments: [false, true])
        func closed(_ resets: Bool) async throws {
            let line = try await Line()
            async let sent = line.service.write(Self.bytes(32 << 20, from: 8))
            #expect(await line.client.read(1).count == 1)
            await line.thread.run { for side in PairedSide.both { line.pair.close(side, resets: resets) } }
            #expect(
                await line.told.rest() == [.ended(.client, isBroken: false), .ended(.service, isBroken: false)])
            #expect(await sent < 32 << 20)
            await line.thread.stop()
        }

        @Test("a thread that stops ends its pairs and tells of all, and takes no more")
        func stop() async throws {
            let thread = try #require(RelayThread())
            var lines: [Line] = []
            for _ in 0..<20 { lines.append(try await Line(thread)) }
            await thread.stop()
            for line in lines {
                #expect(
                    await line.told.rest() == [.ended(.client, isBroken: false), .ended(.service, isBroken: false)])
                #expect(await line.client.readToEnd().isEmpty)
            }
            #expect(!thread.execute { Issue.record("it has ended") })
            await thread.stop()
        }

        @Test("places of pairs that have left are used again, and the others are not disturbed")
        func manyPairs() async throws {
            let thread = try #require(RelayThread())
            let lasting = try await Line(thread)
            for number in 0..<200 {
                let line = try await Line(thread)
                await line.client.write([UInt8(number)])
                #expect(await line.service.read(1) == [UInt8(number)])
                await lasting.service.write([UInt8(number)])
                if number % 2 == 0 { line.client.reset() }
                await thread.run { for side in PairedSide.both { line.pair.close(side, resets: true) } }
                #expect(await line.told.rest().count == 2)
                #expect(await lasting.client.read(1) == [UInt8(number)])
            }
            await thread.stop()
        }
    }

    extension RelayedPair {
        fileprivate func send(_ bytes: [UInt8], to side: PairedSide) { bytes.withUnsafeBytes { send($0, to: side) } }
    }
#endif
