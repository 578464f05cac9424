import Airgap
import RaptorQ
import TestSupport
import Testing

@Suite("Codes to send")
struct TransferSenderTests {
    static func payload(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in random.byte() }
    }

    @Test("what fits one code is one, as it is", arguments: [1, 2953])
    func single(count: Int) throws {
        let payload = [0x53] + Self.payload(count - 1)
        let sender = try TransferSender(payload)
        #expect(sender.sourceCount == 1 && sender.usualCount == 1 && !sender.isEndless && sender.code == nil)
        #expect(sender.content(0) == payload && sender.content(5) == payload)
    }

    @Test(
        "payloads that begin as frames do come out as they went in, by one code where they fit",
        arguments: [1, 4, 5, 9, 63, 64, 97, 2944, 2945, 2953])
    func frameLike(count: Int) throws {
        for first in UInt8.min ... .max {
            let payload = [first] + [UInt8](repeating: 0, count: count - 1)
            let sender = try TransferSender(payload)
            let looksLikeFrame = count > 4 && (first == 0 || first >= 0x80)
            #expect(sender.sourceCount == 1 || looksLikeFrame && count > 2944)
            #expect(looksLikeFrame != (sender.content(0) == payload))
            let reader = TransferReader()
            var outcome = TransferReader.Outcome.new
            for number in 0...sender.sourceCount where outcome == .new {
                outcome = try reader.read(sender.content(number))
            }
            #expect(outcome == .payload(payload))
            #expect(try TransferSender.whole(payload).content(3) == payload)
        }
        #expect(throws: TransferError.payloadTooLarge(size: 2954, limit: 2953)) {
            try TransferSender.whole([UInt8](repeating: 1, count: 2954))
        }
    }

    @Test("frames are size, block, number and symbol, the last one filled with zeros")
    func layout() throws {
        let payload = (0..<130).map { UInt8(truncatingIfNeeded: $0) }
        let sender = try TransferSender.phone(payload)
        #expect(sender.sourceCount == 2 && sender.usualCount == 3 && sender.contentSize == 136)
        #expect(sender.content(0) == [0x80, 0, 0, 130, 0, 0, 0, 0] + payload[..<128])
        #expect(sender.content(1) == [0x80, 0, 0, 130, 0, 0, 0, 1, 128, 129] + [UInt8](repeating: 0, count: 126))
        // The first repair symbol of the numbering that phones read: K' is 10.
        #expect(sender.content(2).prefix(8) == [0x80, 0, 0, 130, 0, 0, 0, 10])
    }

    /// Symbol size and count that the specification names for these payloads.
    @Test(
        "universal symbols have the size with which all numberings agree",
        arguments: [
            (20_000, 1048, 20), (60_000, 1016, 60), (249_052, 1056, 236), (600_000, 1048, 573),
        ])
    func universal(count: Int, size: Int, symbols: Int) throws {
        let sender = try TransferSender([UInt8](repeating: 1, count: count))
        let code = try #require(sender.code)
        #expect(code.parameters.symbolSize == size && sender.sourceCount == symbols)
        #expect(try code.parameters.block(0).isUnpadded)
        let rfc = try TransferSender(
            [UInt8](repeating: 1, count: count), dialect: .rfc6330, symbolSize: size, isSizeFixed: true)
        for number in [0, symbols - 1, symbols, symbols + 3] { #expect(rfc.content(number) == sender.content(number)) }
    }

    @Test("no two of many frames are the same, and numbers that have run out come again")
    func endless() throws {
        let sender = try TransferSender(Self.payload(5000), framing: .fountain, symbolSize: 64)
        let contents = (0..<2000).map { sender.content($0) }
        #expect(Set(contents).count == 2000)
        let code = try #require(sender.code)
        let first = code.numbering.firstRepairID(try code.parameters.block(0))
        let room = Int(PayloadID.maximumSymbol) + 1 - Int(first)
        #expect(sender.content(sender.sourceCount + room) == sender.content(sender.sourceCount))
    }

    @Test("numbered pieces are those that polkadot-js shows")
    func legacy() throws {
        let payload = Self.payload(2500)
        let sender = try TransferSender(payload, framing: .legacy)
        #expect(sender.sourceCount == 3 && !sender.isEndless)
        #expect(sender.content(0) == [0, 0, 3, 0, 0] + payload[..<1024])
        #expect(sender.content(2) == [0, 0, 3, 0, 2] + payload[2048...])
        #expect(try TransferSender([1], framing: .legacy).content(0) == [0, 0, 1, 0, 0, 1])
    }

    @Test("what cannot be sent is refused")
    func refusals() {
        #expect(throws: TransferError.self) { try TransferSender([]) }
        for size in [0, -1, 2946] {
            #expect(throws: TransferError.self) { try TransferSender([1], framing: .fountain, symbolSize: size) }
        }
        #expect(throws: TransferError.self) {
            try TransferSender([UInt8](repeating: 0, count: 65536), framing: .legacy).content(
                try LegacyFrames.frames(of: [UInt8](repeating: 0, count: 65536), pieceSize: 1).count)
        }
    }
}
