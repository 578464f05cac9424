#if os(Linux)
    import Glibc
    import Scheduling
    import Synchronization
    import TestSupport
    import Testing

    @testable import Sockets

    @Suite("Connections that arrive at a thread, and those that it makes", .timeLimit(.minutes(30)))
    struct SocketListenerTests {
        /// Sends back what comes from the client, which is alone.
        // @unchecked: used on the thread alone.
        private final class Echo: PairHandler, @unchecked Sendable {
            private let pair: RelayedPair

            init(_ pair: RelayedPair) { self.pair = pair }

            func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) { pair.send(bytes, to: side) }
            func inputEnded(of side: PairedSide) {}
            func ended(_ side: PairedSide, isBroken: Bool) {}
        }

        /// Keeps what the service says and how it ends.
        // @unchecked: the bytes are used on the thread until it has ended.
        private final class Listener: PairHandler, @unchecked Sendable {
            private let pair: RelayedPair
            let ending = AsyncStream.makeStream(of: CInt?.self)
            var bytes: [UInt8] = []

            init(_ pair: RelayedPair) { self.pair = pair }

            func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) { self.bytes += bytes }
            func inputEnded(of side: PairedSide) {}
            func ended(_ side: PairedSide, isBroken: Bool) {
                guard side == .service else { return }
                #expect(isBroken == (pair.errno(of: side) != nil))
                ending.continuation.yield(pair.errno(of: side))
            }

            func end() async -> CInt? { await ending.stream.first { _ in true } ?? nil }
        }

        @Test("each connection is taken, with the address that it comes from")
        func arrivals() async throws {
            let thread = try #require(RelayThread())
            let port = try ListeningPort()
            try port.letNobodyWait()
            let ports = Mutex<Set<UInt16>>([])
            let listener = try #require(
                SocketListener(duplicating: port.number) { socket, address in
                    #expect(thread.isCurrent && CInt(address.ss_family) == AF_INET)
                    withUnsafeBytes(of: address) { bytes in
                        ports.withLock { _ = $0.insert(bytes.loadUnaligned(as: sockaddr_in.self).sin_port) }
                    }
                    let pair = RelayedPair(client: socket, closesAtEnd: true)
                    thread.add(pair, to: Echo(pair))
                })
            await thread.run { thread.add(listener) }
            await withTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 + number) }
                        guard let peer = try? PeerSocket(connectedTo: port) else {
                            Issue.record("no connection")
                            return
                        }
                        await peer.write(bytes)
                        #expect(await peer.read(bytes.count) == bytes)
                    }
                }
            }
            #expect(ports.withLock(\.count) == 100)
            await thread.run { thread.endListening() }
            // It waits where nobody takes it, until the port goes.
            let late = try PeerSocket(connectedTo: port)
            await late.write([1])
            await thread.stop()
            #expect(ports.withLock(\.count) == 100)
        }

        @Test("a service that is attached later gets what was sent while it was being connected, and answers")
        func attached() async throws {
            let thread = try #require(RelayThread())
            let (client, near) = try PeerSocket.connected()
            let port = try ListeningPort()
            let bytes = (0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let pair = RelayedPair(client: near, closesAtEnd: true)
            let listener = Listener(pair)
            await thread.run {
                thread.add(pair, to: listener)
                do {
                    #expect(pair.attach(service: try ConnectedSocket(connectingTo: port.address)))
                } catch { Issue.record(error) }
                bytes.withUnsafeBytes { pair.send($0, to: .service) }
            }
            let service = try PeerSocket(arrivedAt: port)
            #expect(await service.read(bytes.count) == bytes)
            await service.write([1, 2, 3])
            service.endOutput()
            #expect(await listener.end() == nil)
            #expect(listener.bytes == [1, 2, 3])
            // The client is still there, and may get another.
            let next = try ListeningPort()
            await thread.run {
                do {
                    let socket = try ConnectedSocket(connectingTo: next.address)
                    #expect(pair.attach(service: socket))
                    #expect(!pair.attach(service: socket))
                } catch { Issue.record(error) }
            }
            client.closeNow()
            await thread.stop()
            #expect(!pair.attach(service: try ConnectedSocket(connectingTo: next.address)))
        }

        @Test("a connection that is refused is told, with the reason of the system")
        func refused() async throws {
            let thread = try #require(RelayThread())
            let (client, near) = try PeerSocket.connected()
            let port = try ListeningPort(isListening: false)
            let pair = RelayedPair(client: near, closesAtEnd: true)
            let listener = Listener(pair)
            await thread.run {
                thread.add(pair, to: listener)
                do {
                    #expect(pair.attach(service: try ConnectedSocket(connectingTo: port.address)))
                } catch { Issue.record(error) }
                [UInt8](repeating: 1, count: 100).withUnsafeBytes { pair.send($0, to: .service) }
            }
            #expect(await listener.end() == ECONNREFUSED)
            await thread.stop()
            withExtendedLifetime(client) {}
        }

        @Test("what is no address is refused at once")
        func noAddress() {
            for address in [[], [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0xff, count: 16)] {
                #expect(throws: SocketFailure.self) { try ConnectedSocket(connectingTo: address) }
            }
        }

        @Test("timers that are added and taken out in any order come in the order of their times")
        func timers() {
            var generator = SplitMix64(state: 7)
            var timers = RelayTimers()
            var model: [RelayTimer] = []
            let start = SteadyInstant.now
            for _ in 0..<20_000 {
                if model.isEmpty || Int.random(in: 0..<5, using: &generator) > 1 {
                    let time = start + .nanoseconds(Int.random(in: 0..<500, using: &generator))
                    let timer = RelayTimer(at: time) { _ in }
                    timers.add(timer)
                    model.append(timer)
                } else {
                    let timer = model.remove(at: Int.random(in: 0..<model.count, using: &generator))
                    let (isFirst, isSecond) = (timers.remove(timer), timers.remove(timer))
                    #expect(isFirst && !isSecond)
                }
                #expect(timers.next?.time == model.map(\.time).min())
                if model.count > 200 { while model.count > 100 { timers.remove(model.removeLast()) } }
            }
            var last = start
            while let next = timers.next {
                #expect(next.time >= last)
                last = next.time
                timers.remove(next)
                model.removeAll { $0 === next }
            }
            #expect(model.isEmpty)
        }
    }
#endif
