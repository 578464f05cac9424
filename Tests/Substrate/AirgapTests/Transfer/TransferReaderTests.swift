import RaptorQ
import TestSupport
import Testing

@testable import Airgap

@Suite("Codes that arrive")
struct TransferReaderTests {
    private static func payload(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        TransferSenderTests.payload(count, seed: seed)
    }

    /// All that is read of contents, in their order.
    private func read(
        _ contents: [[UInt8]], numbering: SymbolNumbering? = nil, limit: Int = 1 << 20
    ) throws(TransferError) -> [UInt8]? {
        let reader = TransferReader(limit: limit, numbering: numbering)
        for content in contents { if case .payload(let payload) = try reader.read(content) { return payload } }
        return nil
    }

    private func sender(
        _ payload: [UInt8], _ dialect: TransferSender.Dialect = .universal, symbolSize: Int = 100
    ) throws -> TransferSender {
        try TransferSender(
            payload, framing: .fountain, dialect: dialect, symbolSize: symbolSize, isSizeFixed: dialect != .universal)
    }

    @Test("any frames will do, in any order, with repetitions", arguments: TransferSender.Dialect.allCases)
    func anyFrames(dialect: TransferSender.Dialect) throws {
        var random = SplitMix64(state: 11)
        for count in [120, 999, 5000, 20_011] {
            let payload = Self.payload(count)
            let sender = try sender(payload, dialect, symbolSize: 96)
            for _ in 0..<8 {
                // Two more than are needed: one that may be missing and one that tells the numbering.
                let numbers = (0..<4 * sender.sourceCount + 20).shuffled(using: &random).prefix(sender.sourceCount + 4)
                var contents = numbers.map { sender.content($0) }
                contents += contents.shuffled(using: &random)
                #expect(try read(contents) == payload, "\(count)")
            }
        }
    }

    @Test("a payload is whole with as many universal frames as it has parts, one or two more at the worst")
    func fewest() throws {
        let payload = Self.payload(30_000)
        let sender = try sender(payload)
        let reader = TransferReader()
        var number = sender.sourceCount
        while true {
            if case .payload(let found) = try reader.read(sender.content(number)) {
                #expect(found == payload)
                break
            }
            number += 1
            try #require(number < 2 * sender.sourceCount + 3)
        }
        #expect(reader.progress == nil)
    }

    @Test("where nothing tells the numbering, nothing is handed out; one frame more decides")
    func numbering() throws {
        // 12 parts are a row of the table; 11 are not. Whole ones: zeros behind the last would tell.
        let payload = Self.payload(11 * 104)
        for dialect in [TransferSender.Dialect.vault, .rfc6330] {
            let sender = try sender(payload, dialect, symbolSize: 104)
            #expect(sender.sourceCount == 11)
            // Numbers that both numberings send.
            let contents = [1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 16].map { sender.content($0) }
            let reader = TransferReader()
            var outcomes: [TransferReader.Outcome] = []
            for content in contents.dropLast() { outcomes.append(try reader.read(content)) }
            #expect(outcomes.allSatisfy { $0 == .new })
            #expect(throws: TransferError.numberingUnknown) { try reader.finish() }
            let again = TransferReader()
            var found: [UInt8]?
            for content in contents { if case .payload(let payload) = try again.read(content) { found = payload } }
            #expect(found == payload, "\(dialect)")
            // Who knows the numbering needs no frame more.
            let known: SymbolNumbering = dialect == .vault ? .vault : .rfc6330
            let telling = TransferReader(numbering: known)
            for content in contents.dropLast() { #expect(try telling.read(content) == .new) }
            #expect(try telling.finish() == payload)
        }
    }

    @Test("of a payload in one part, whichever frames come and in whichever numbering, nothing wrong is handed out")
    func onePart() throws {
        let payload = Self.payload(40)
        for dialect in [TransferSender.Dialect.vault, .rfc6330] {
            let sender = try sender(payload, dialect, symbolSize: 64)
            #expect(sender.sourceCount == 1)
            for first in 0..<40 {
                for step in 1..<40 {
                    let reader = TransferReader()
                    var found: [UInt8]?
                    for number in [first, first + step] where found == nil {
                        if case .payload(let payload) = try reader.read(sender.content(number)) { found = payload }
                    }
                    #expect(found == nil || found == payload, "\(dialect), frames \(first) and \(first + step)")
                    #expect(found == payload || first > 0, "\(dialect): the part itself needs no other")
                    guard found == nil else { continue }
                    let ended = try? reader.finish()
                    #expect(ended == nil || ended == payload, "\(dialect), frames \(first) and \(first + step)")
                }
            }
        }
    }

    @Test("a signer's payload says itself which numbering was right")
    func letter() throws {
        for dialect in [TransferSender.Dialect.vault, .rfc6330] {
            let payload = [0x53] + Self.payload(11 * 104 - 1)
            let sender = try sender(payload, dialect, symbolSize: 104)
            let reader = TransferReader()
            for number in [1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15] { _ = try reader.read(sender.content(number)) }
            #expect(try reader.finish() == payload)
        }
    }

    @Test("numbered pieces in any order, the same one twice")
    func legacy() throws {
        let payload = Self.payload(3000)
        let frames = try LegacyFrames.frames(of: payload)
        #expect(try read([frames[2], frames[0], frames[2], frames[1]]) == payload)
        #expect(try read(Array(frames[..<2])) == nil)
    }

    @Test("numbered pieces of two payloads end in an error once a number comes with both, and never in a mixture")
    func legacyMixed() throws {
        let pieces = try [1, 2].map { try LegacyFrames.frames(of: Self.payload(2000, seed: $0)) }
        let reader = TransferReader()
        #expect(try reader.read(pieces[0][0]) == .new)
        #expect(throws: TransferError.sameNumber(index: 0)) { try reader.read(pieces[1][0]) }
        for piece in pieces[1] + pieces[0] {
            #expect(throws: TransferError.mixedTransfers) { try reader.read(piece) }
        }
        #expect(throws: TransferError.mixedTransfers) { try reader.finish() }
        reader.reset()
        _ = try reader.read(pieces[1][1])
        #expect(try reader.read(pieces[1][0]) == .payload(Self.payload(2000, seed: 2)))
    }

    @Test("a code without content is no payload")
    func empty() throws {
        let reader = TransferReader()
        #expect(throws: TransferError.malformedFrame(reason: "it is empty")) { try reader.read([]) }
        #expect(try reader.read([0x53, 1, 2]) == .payload([0x53, 1, 2]))
    }

    @Test("what does not fit is refused by name and changes nothing")
    func refusals() throws {
        let payload = Self.payload(3000)
        let pieces = try LegacyFrames.frames(of: payload)
        let sender = try sender(payload, symbolSize: 500)
        let other = try self.sender(Self.payload(2999), symbolSize: 500)
        let wider = try self.sender(payload, .vault, symbolSize: 504)
        func code(_ contents: [[UInt8]]) -> String? {
            do throws(TransferError) { _ = try read(contents) } catch { return error.code }
            return nil
        }
        var changed = pieces[0]
        changed[9] ^= 1
        #expect(code([[0, 0, 2, 0, 2, 1]]) == "LengthExceeded")
        #expect(code([[0, 0, 0, 0, 0, 1]]) == "LengthExceeded")
        #expect(code([pieces[0], changed]) == "SameNumber")
        #expect(code([pieces[0], [0, 0, 4, 0, 1, 1]]) == "ConflictingLegacyLengths")
        #expect(code([pieces[0], sender.content(0)]) == "LegacyInterruptedByFountain")
        #expect(code([sender.content(0), pieces[0]]) == "FountainInterruptedByLegacy")
        #expect(code([pieces[0], [0x53, 1, 2]]) == "DynamicInterruptedByStatic")
        #expect(code([sender.content(0), [0x53, 1, 2]]) == "DynamicInterruptedByStatic")
        #expect(code([sender.content(0), other.content(1)]) == "ConflictingPayloads")
        #expect(code([sender.content(0), wider.content(1)]) == "ConflictingFrameSize")
        // Symbols of 65 bytes do not occur.
        #expect(
            code([
                FountainFrame(
                    payloadSize: 500, id: try PayloadID(block: 0, symbol: 0), symbol: [UInt8](repeating: 0, count: 65)
                ).bytes
            ]) == "MalformedFrame")
        // There is one block.
        #expect(
            code([
                FountainFrame(
                    payloadSize: 500, id: try PayloadID(block: 1, symbol: 0), symbol: [UInt8](repeating: 0, count: 64)
                ).bytes
            ]) == "MalformedFrame")

        let reader = TransferReader()
        for number in 1..<sender.sourceCount { _ = try reader.read(sender.content(number)) }
        for wrong in [[0x53, 1, 2], pieces[0], other.content(1), wider.content(1)] {
            #expect(throws: TransferError.self) { try reader.read(wrong) }
        }
        #expect(reader.progress?.distinct == sender.sourceCount - 1)
        #expect(try reader.read(sender.content(sender.sourceCount)) == .new)
        #expect(try reader.read(sender.content(sender.sourceCount + 1)) == .payload(payload))
    }

    @Test("claims are refused before anything is taken for them")
    func bounds() throws {
        let huge = FountainFrame(
            payloadSize: FountainFrame.largestPayload, id: try PayloadID(block: 0, symbol: 0),
            symbol: [UInt8](repeating: 0, count: 1072))
        #expect(throws: TransferError.payloadTooLarge(size: FountainFrame.largestPayload, limit: 1 << 20)) {
            _ = try read([huge.bytes])
        }
        let piece: (Int) -> [UInt8] = { [0, 0xff, 0xff, 0, UInt8($0)] + [UInt8](repeating: 0, count: 2900) }
        #expect(throws: TransferError.payloadTooLarge(size: 8700, limit: 8000)) {
            _ = try read((0..<4).map(piece), limit: 8000)
        }
        #expect(throws: TransferError.payloadTooLarge(size: 9, limit: 8)) {
            _ = try read([[UInt8](repeating: 1, count: 9)], limit: 8)
        }
        // The largest that may be named, of which nothing but one symbol is there.
        let reader = TransferReader(limit: FountainFrame.largestPayload)
        #expect(throws: TransferError.self) {
            try reader.read(FountainFrame(payloadSize: FountainFrame.largestPayload, id: huge.id, symbol: [1]).bytes)
        }
    }

    @Test("frames of two payloads of the same size end in an error, not in a wrong payload", arguments: [90, 300])
    func mixed(frames: Int) throws {
        var random = SplitMix64(state: 3)
        let senders = try [Self.payload(5000, seed: 1), Self.payload(5000, seed: 2)].map { try sender($0) }
        for _ in 0..<20 {
            let reader = TransferReader()
            var codes: Set<String> = []
            // 90 are only just more than the parts, and among them no number comes twice.
            for number in (0..<frames).shuffled(using: &random) {
                do throws(TransferError) {
                    guard case .payload(let payload) = try reader.read(senders[Int(random.next() % 2)].content(number))
                    else { continue }
                    #expect(payload == Self.payload(5000, seed: 1) || payload == Self.payload(5000, seed: 2))
                } catch { codes.insert(error.code) }
            }
            #expect(codes == ["MixedTransfers"])
            #expect(throws: TransferError.mixedTransfers) { try reader.finish() }
        }
        // The same number with another symbol is noticed at once.
        let reader = TransferReader()
        _ = try reader.read(senders[0].content(3))
        #expect(try reader.read(senders[0].content(3)) == .repeated)
        #expect(throws: TransferError.mixedTransfers) { try reader.read(senders[1].content(3)) }
    }

    @Test("what was of use brings the state back")
    func resume() throws {
        let payload = Self.payload(9000)
        let sender = try sender(payload)
        let reader = TransferReader()
        for number in stride(from: 1, to: 120, by: 2) { _ = try reader.read(sender.content(number)) }
        #expect(reader.contents.count == 60)
        let resumed = TransferReader()
        for content in reader.contents { _ = try resumed.read(content) }
        #expect(resumed.progress == reader.progress)
        var found: [UInt8]?
        for number in 200..<300 where found == nil {
            if case .payload(let payload) = try resumed.read(sender.content(number)) { found = payload }
        }
        #expect(found == payload)
        reader.reset()
        #expect(reader.progress == nil && reader.contents.isEmpty)
    }

    @Test("the end of the input says what is missing")
    func unfinished() throws {
        let reader = TransferReader()
        #expect(throws: TransferError.unableToDecode(distinct: 0, needed: 1)) { try reader.finish() }
        let sender = try sender(Self.payload(3000), symbolSize: 296)
        _ = try reader.read(sender.content(3))
        #expect(throws: TransferError.unableToDecode(distinct: 1, needed: sender.sourceCount)) { try reader.finish() }
    }
}
