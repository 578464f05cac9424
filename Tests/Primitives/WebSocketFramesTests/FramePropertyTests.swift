import TestSupport
import Testing
import WebSocketFrames

@Suite("WebSocket: properties")
struct FramePropertyTests {
    /// A stream of a client, mostly right: messages in frames, with control frames between them.
    private func stream(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1..<8, using: &random) {
            let isText = Bool.random(using: &random)
            let count = Int.random(in: 1..<4, using: &random)
            for index in 0..<count {
                let size = [0, 3, 125, 126, 300].randomElement(using: &random) ?? 0
                let payload = (0..<size).map { _ in isText ? random.byte() & 0x7f : random.byte() }
                let key = UInt32(truncatingIfNeeded: random.next())
                bytes += masked(
                    index > 0 ? .continuation : isText ? .text : .binary, payload, isFinal: index == count - 1, key: key
                )
                if random.next() % 3 == 0 { bytes += masked(.ping, [random.byte()], key: key) }
            }
        }
        return bytes + (random.next() % 4 == 0 ? masked(.close, [3, 0xe8]) : [])
    }

    @Test("any stream, right or changed, says the same in whatever pieces it comes")
    func pieces() {
        var random = SplitMix64(state: 11)
        for round in 0..<2_000 {
            var bytes = stream(&random)
            if round % 2 == 0 {
                for _ in 0..<2 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.byte() }
            }
            let limits = FrameLimits(frame: 500, message: 700)
            var trackers = (
                FrameTracker(sender: .client, limits: limits), FrameTracker(sender: .client, limits: limits)
            )
            var endpoints = (
                WebSocketEndpoint(role: .server, limits: limits), WebSocketEndpoint(role: .server, limits: limits)
            )
            var (whole, parts, said, apart) = (Track(), Track(), Conversation(), Conversation())
            trackers.0.read(bytes, into: &whole)
            endpoints.0.read(bytes, into: &said)
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(Int.random(in: 1..<200, using: &random)))
                trackers.1.read(part, into: &parts)
                endpoints.1.read(part, into: &apart)
                rest = rest.dropFirst(part.count)
            }
            #expect(parts == whole && trackers.0.tally == trackers.1.tally)
            #expect(apart == said)
            #expect(bytes.starts(with: whole.forwarded))
            // What one lets through the other understands, but for the text that only an endpoint judges.
            let endpointViolation = said.events.compactMap { if case .violation(let rule) = $0 { rule } else { nil } }
                .first
            if endpointViolation != .invalidText { #expect(endpointViolation == whole.violation) }
        }
    }

    @Test("random bytes never trap a tracker or an endpoint")
    func random() {
        var random = SplitMix64(state: 12)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<30, using: &random)).map { index in
                index % 2 == 0
                    ? [0x81, 0x82, 0x88, 0x89, 0x01, 0x80, 0xff].randomElement(using: &random) ?? 0 : random.byte()
            }
            var (tracker, track) = (FrameTracker(sender: .client, judgesText: true), Track())
            tracker.read(bytes, into: &track)
            #expect(bytes.starts(with: track.forwarded))
            var (server, talk) = (WebSocketEndpoint(role: .server, compression: MessageCompression()), Conversation())
            server.read(bytes, into: &talk)
        }
    }
}
