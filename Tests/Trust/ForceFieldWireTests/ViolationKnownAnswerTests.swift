import ForceFieldTestMethods
@_spi(Fuzzing) import ForceFieldWire
import TestSupport
import Testing

@Suite("Violations: known answers and hostile bytes")
struct ViolationKnownAnswerTests {
    private static let vectors = Fixture.known("frame_violations.json")["frames"].array

    @Test("there are 18 frames")
    func count() { #expect(Self.vectors.count == 18) }

    @Test("a frame that a worker may not send is refused with its code, wherever it is cut", arguments: vectors)
    func refused(_ vector: JSON) throws {
        let bytes = try #require(vector["hex"].hex)
        for piece in [1, 7, 24, 25, Int.max] {
            var terms = ChannelTerms.test
            terms.capabilities = []
            var host = try HostSideConversation.serving(terms)
            _ = try host.request(MethodID(name: "echo"), .unary(maxReply: 1 << 20), body: [], at: TestClock.start)
            let code = try #require(ProtocolViolation(rawValue: vector["violation"].string ?? ""))
            #expect(throws: ChannelFault.violation(code)) { try host.receive(bytes, piece: piece) }
        }
    }

    @Test("changed frames never trap, and memory stays within its bound")
    func changed() {
        var random = SplitMix64(state: 6)
        let frames: [Frame] = [
            .testHello, .response(1, [1, 2, 3]), .item(2, sequence: 0, [4], isLast: true), .log(.info, "x"),
            .hostCall(HostCallID(number: 1), MethodID(name: "net.connect"), body: [9]), .goodbye,
        ]
        let good = frames.flatMap(\.bytes)
        for round in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.byte()
            }
            // Half of them have valid check words, so that the checks behind are met.
            if round.isMultiple(of: 2) { Self.mendCheckWords(&bytes) }
            #expect(OutsideWireBytes.fromWorker(bytes, piece: Int.random(in: 1..<200, using: &random)))
        }
    }

    private static func mendCheckWords(_ bytes: inout [UInt8]) {
        var start = 0
        while start + 24 <= bytes.count {
            let check = FNV1a.hash32(bytes[start..<start + 20])
            withUnsafeBytes(of: check.littleEndian) { bytes.replaceSubrange(start + 20..<start + 24, with: $0) }
            start += 24 + bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
