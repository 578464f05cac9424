#if os(Linux)
    import Glibc
    import Testing

    @testable import Sockets

    @Suite("What stands between a socket of a pair and its handler", .timeLimit(.minutes(30)))
    struct PairLayerTests {
        /// Changes each byte, has a last word, and ends its side when it hears one.
        // @unchecked: it is used on the thread alone.
        private final class Layer: PairLayer, @unchecked Sendable {
            static let lastWord: UInt8 = 0xff

            private let pair: RelayedPair
            private let side: PairedSide
            private(set) var hasEnded = false

            init(_ side: PairedSide, of pair: RelayedPair) { (self.side, self.pair) = (side, pair) }

            static func changed(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map { $0 ^ 0x55 } }

            func received(_ bytes: UnsafeRawBufferPointer) {
                let end = bytes.firstIndex(of: Self.lastWord)
                Self.changed(bytes[..<(end ?? bytes.endIndex)]).withUnsafeBytes { pair.deliver($0, from: side) }
                if end != nil { pair.end(side, brokenBy: nil) }
            }

            func inputEnded() { pair.end(side, brokenBy: EPROTO) }

            func send(_ bytes: UnsafeRawBufferPointer) {
                Self.changed(bytes).withUnsafeBytes { pair.sendToSocket($0, of: side) }
            }

            func endOutput() {
                withUnsafeBytes(of: Self.lastWord) { pair.sendToSocket($0, of: side) }
                pair.endSocketOutput(of: side)
            }

            func ended() { hasEnded = true }
        }

        private struct Line {
            let thread: RelayThread
            let pair: RelayedPair
            let layer: Layer
            let told: Crossing
            let client: PeerSocket
            let service: PeerSocket

            /// - Parameter closesAtEnd: as a pair has it.
            init(closesAtEnd: Bool = false) async throws {
                let thread = try #require(RelayThread())
                let (client, nearClient) = try PeerSocket.connected()
                let (service, nearService) = try PeerSocket.connected()
                let pair = RelayedPair(client: nearClient, service: nearService, closesAtEnd: closesAtEnd)
                let (layer, told) = (Layer(.client, of: pair), Crossing(pair))
                (self.thread, self.pair, self.layer, self.told) = (thread, pair, layer, told)
                (self.client, self.service) = (client, service)
                await thread.run {
                    #expect(!pair.add(layer, on: .client), "nobody looks after the pair yet")
                    thread.add(pair, to: told)
                    #expect(pair.add(layer, on: .client))
                }
            }
        }

        private static let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) & 0x7f }

        @Test("changes what passes, both ways, and the other side's bytes stay as they are")
        func bothWays() async throws {
            let line = try await Line()
            async let sentUp = line.client.write(Layer.changed(Self.bytes), inPieces: 70_001)
            async let sentDown = line.service.write(Self.bytes)
            async let gotUp = line.service.read(Self.bytes.count)
            async let gotDown = line.client.read(Self.bytes.count)
            #expect(await gotUp == Self.bytes)
            #expect(await gotDown == Layer.changed(Self.bytes))
            _ = await (sentUp, sentDown)
            await line.thread.stop()
            #expect(line.layer.hasEnded)
        }

        @Test(
            "ends its side behind what it has heard, and what comes behind that is nobody's", arguments: [true, false])
        func endsSide(_ closesAtEnd: Bool) async throws {
            let line = try await Line(closesAtEnd: closesAtEnd)
            await line.client.write(Layer.changed([1, 2]) + [Layer.lastWord, 9, 9])
            #expect(await line.service.read(2) == [1, 2])
            if !closesAtEnd { #expect(await line.told.next() == .inputEnded(.client)) }
            #expect(await line.told.next() == .ended(.client, isBroken: false))
            #expect(line.told.count(from: .client) == 2)
            #expect(await line.client.readToEnd().isEmpty)
            await line.thread.stop()
        }

        @Test("judges a socket that ends without its last word, before the handler is told", arguments: [true, false])
        func socketEnds(_ closesAtEnd: Bool) async throws {
            let line = try await Line(closesAtEnd: closesAtEnd)
            line.client.endOutput()
            #expect(await line.told.next() == .ended(.client, isBroken: true))
            await line.thread.run { #expect(line.layer.hasEnded) }
            await line.thread.stop()
        }

        @Test("has the last word when a side is closed or its output ends, and none when it is reset")
        func lastWord() async throws {
            let closed = try await Line()
            await closed.thread.run { closed.pair.close(.client) }
            #expect(await closed.client.readToEnd() == [Layer.lastWord])
            let ended = try await Line()
            await ended.thread.run { ended.pair.endOutput(to: .client) }
            #expect(await ended.client.readToEnd() == [Layer.lastWord])
            await ended.client.write(Layer.changed([5]))
            #expect(await ended.service.read(1) == [5])
            let reset = try await Line()
            await reset.thread.run { reset.pair.close(.client, resets: true) }
            #expect(await reset.client.readToEnd().isEmpty)
            for line in [closed, ended, reset] { await line.thread.stop() }
        }
    }
#endif
