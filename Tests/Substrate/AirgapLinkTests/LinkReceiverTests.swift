import Airgap
import AirgapLink
import TestSupport
import Testing

@Suite("Payloads from codes")
struct LinkReceiverTests {
    private func received(_ contents: [[UInt8]]) -> [LinkReceiver.Received] {
        var receiver = LinkReceiver(limit: 10_000)
        return contents.flatMap { receiver.receive(.content($0)) }
    }

    @Test("it is told whether more codes than a payload takes fit it")
    func confirmation() throws {
        var random = SplitMix64(state: 4)
        let payload = (0..<3000).map { _ in random.byte() }
        let pieces = try LegacyFrames.frames(of: payload)
        let once = received(pieces)
        #expect(once.map(\.payload) == [payload] && once.map(\.isConfirmed) == [false])
        var forged = pieces[0]
        forged[forged.count - 1] ^= 1
        let behind = received([pieces[0], forged] + pieces + pieces)
        #expect(behind.map(\.payload) == [payload] && behind.map(\.isConfirmed) == [true])
        #expect(received([pieces[0], forged] + pieces).isEmpty)
        let sender = try TransferSender(payload, framing: .fountain, symbolSize: 200)
        let film = received((0...sender.sourceCount).map(sender.content))
        #expect(film.map(\.payload) == [payload] && film.map(\.isConfirmed) == [true])
        #expect(received([[0x53, 1, 2]]).map(\.isConfirmed) == [true])
    }
}
