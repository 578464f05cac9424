import Airgap
import AirgapLink
import PictureService
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

    @Test("a part of a message of several codes is not taken for all of it")
    func parts() throws {
        var receiver = LinkReceiver(limit: 10_000)
        let part = SeenCode(content: [0x53, 1, 2], part: .init(index: 0, count: 2))
        #expect(receiver.take(.picture(SeenPicture(width: 100, height: 100, codes: [part]))).isEmpty)
        #expect(receiver.counts.refused == 1 && receiver.counts.distinct == 0)
        #expect(receiver.lastRefusal == .partOfMessage(index: 0, count: 2))
        let whole = SeenCode(content: [0x53, 1, 2])
        #expect(receiver.take(.picture(SeenPicture(width: 100, height: 100, codes: [whole]))) == [[0x53, 1, 2]])
    }

    @Test("read again in another run, contents that contradicted each other give no payload that nothing confirms")
    func goingOn() throws {
        var random = SplitMix64(state: 5)
        let (one, other) = ((0..<3000).map { _ in random.byte() }, (0..<3000).map { _ in random.byte() })
        let (pieces, foreign) = (try LegacyFrames.frames(of: one), try LegacyFrames.frames(of: other))
        try #require(pieces.count > 2 && pieces.count == foreign.count)
        let film = [pieces[0], foreign[0]] + foreign[1...] + [pieces[0]]
        for cut in 0...film.count {
            var first = LinkReceiver(limit: 10_000)
            for content in film[..<cut] { #expect(first.receive(.content(content)).isEmpty) }
            var second = LinkReceiver(
                limit: 10_000, numbering: nil, goingOnFromContradiction: first.isContradicted)
            let received = (first.openContents + film[cut...]).flatMap { second.receive(.content($0)) }
            #expect(received.isEmpty, "cut at \(cut)")
            #expect(throws: TransferError.self) { try second.finish() }
        }
    }
}
