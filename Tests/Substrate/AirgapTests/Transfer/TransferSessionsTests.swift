import Airgap
import TestSupport
import Testing

@Suite("Several transfers at a time")
struct TransferSessionsTests {
    private func sender(_ count: Int, seed: UInt64) throws -> (payload: [UInt8], sender: TransferSender) {
        let payload = TransferSenderTests.payload(count, seed: seed)
        return (payload, try TransferSender(payload, framing: .fountain, symbolSize: 200))
    }

    @Test("two films that are shown in turn give both payloads, each once")
    func interleaved() throws {
        let films = try [sender(8000, seed: 1), sender(9000, seed: 2)]
        var sessions = TransferSessions()
        var payloads: [[UInt8]] = []
        for number in 0..<200 {
            for film in films {
                if case .payload(let payload) = try sessions.read(film.sender.content(number)) {
                    payloads.append(payload)
                }
            }
        }
        #expect(payloads == films.map(\.payload))
        #expect(sessions.progress == nil && sessions.openCount == 0)
    }

    @Test("numbered pieces and moving codes do not disturb each other, and a whole code does not take their place")
    func kinds() throws {
        let film = try sender(3000, seed: 5)
        let pieces = try LegacyFrames.frames(of: film.payload, pieceSize: 700)
        var sessions = TransferSessions()
        var found = 0
        for number in 0...film.sender.sourceCount {
            if case .payload = try sessions.read(film.sender.content(number)) { found += 1 }
            if number < pieces.count, case .payload = try sessions.read(pieces[number]) { found += 1 }
            if sessions.openCount > 0 {
                #expect(throws: TransferError.dynamicInterruptedByStatic) { try sessions.read([0x53, 1, 2]) }
            }
        }
        #expect(found == 2)
        #expect(try sessions.read([0x53, 1, 2]) == .payload([0x53, 1, 2]))
        #expect(try sessions.read([0x53, 1, 2]) == .repeated)
    }

    @Test(
        "a film is read on behind frames that were made up, and nothing unconfirmed is made of it", arguments: [0, 7])
    func madeUp(place: Int) throws {
        let film = try sender(3000, seed: 6)
        var sessions = TransferSessions()
        var forged = film.sender.content(0)
        forged[forged.count - 1] ^= 1
        var outcome: TransferReader.Outcome?
        // The film runs twice; the frame that was made up comes first, or among the others.
        for number in 0..<2 * film.sender.usualCount where outcome == nil {
            if number == place { _ = try? sessions.read(forged) }
            do throws(TransferError) {
                let read = try sessions.read(film.sender.content(number % film.sender.usualCount))
                if case .payload = read { outcome = read }
            } catch { #expect(error == .mixedTransfers) }
        }
        #expect(outcome == .payload(film.payload))
        #expect(sessions.openCount == 0)
    }

    @Test("frames of two payloads of one size give none unconfirmed once they have contradicted each other")
    func contradicted() throws {
        let films = try [sender(3000, seed: 7), sender(3000, seed: 8)]
        var sessions = TransferSessions()
        _ = try sessions.read(films[0].sender.content(0))
        #expect(throws: TransferError.mixedTransfers) { try sessions.read(films[1].sender.content(0)) }
        for number in 1..<films[0].sender.sourceCount {
            _ = try sessions.read(films[number % 2].sender.content(number))
        }
        var ended = sessions
        #expect(throws: TransferError.mixedTransfers) { try ended.finish() }
        #expect(throws: TransferError.mixedTransfers) {
            try sessions.read(films[0].sender.content(films[0].sender.sourceCount))
        }
        // What was collected is forgotten, that it was in dispute is not.
        #expect(sessions.openContents.isEmpty)
        for number in 0..<films[0].sender.sourceCount { _ = try sessions.read(films[0].sender.content(number)) }
        ended = sessions
        #expect(throws: TransferError.mixedTransfers) { try ended.finish() }
        #expect(
            try sessions.read(films[0].sender.content(films[0].sender.sourceCount)) == .payload(films[0].payload))
    }

    @Test("numbered pieces that have contradicted each other give a payload only when each came twice as it is")
    func contradictedPieces() throws {
        let payloads = [UInt64(1), 2].map { TransferSenderTests.payload(2000, seed: $0) }
        let pieces = try payloads.map { try LegacyFrames.frames(of: $0) }
        var sessions = TransferSessions()
        _ = try sessions.read(pieces[0][0])
        #expect(throws: TransferError.sameNumber(index: 0)) { try sessions.read(pieces[1][0]) }
        // Of nothing but these a mixture of both could be made.
        #expect(try sessions.read(pieces[1][1]) == .new)
        #expect(try sessions.read(pieces[0][0]) == .new)
        var ended = sessions
        #expect(throws: TransferError.mixedTransfers) { try ended.finish() }
        #expect(throws: TransferError.sameNumber(index: 1)) { try sessions.read(pieces[0][1]) }
        // The film goes on with one of them alone.
        for piece in pieces[0] { #expect(try sessions.read(piece) == .new) }
        #expect(try sessions.read(pieces[0][0]) == .repeated)
        #expect(try sessions.read(pieces[0][1]) == .payload(payloads[0]))
        #expect(sessions.isConfirmed && sessions.openCount == 0)
    }

    @Test("what vouches for a payload is one code, a code more than it takes, or each numbered piece once more")
    func vouching() throws {
        var sessions = TransferSessions()
        _ = try sessions.read([0x53, 1, 2])
        #expect(sessions.isConfirmed)
        let payload = TransferSenderTests.payload(2000, seed: 3)
        let pieces = try LegacyFrames.frames(of: payload)
        _ = try sessions.read(pieces[0])
        #expect(try sessions.read(pieces[1]) == .payload(payload))
        #expect(!sessions.isConfirmed)
        // Both were seen again before the third one came.
        let three = try LegacyFrames.frames(of: payload, pieceSize: 700)
        for index in [0, 1, 0, 1, 2] { _ = try sessions.read(three[index]) }
        #expect(!sessions.isConfirmed)
        let film = try sender(3000, seed: 4)
        for number in 0...film.sender.sourceCount { _ = try sessions.read(film.sender.content(number)) }
        #expect(sessions.isConfirmed)
        #expect(try sessions.read(LegacyFrames.frames(of: [1, 2, 3])[0]) == .payload([1, 2, 3]))
        #expect(sessions.isConfirmed)
    }

    @Test("a payload that nothing has confirmed is given out once, and its transfer is over")
    func unconfirmed() throws {
        let film = try sender(3000, seed: 9)
        var sessions = TransferSessions()
        for number in 0..<film.sender.sourceCount { _ = try sessions.read(film.sender.content(number)) }
        #expect(try sessions.finish() == [film.payload])
        #expect(sessions.openCount == 0 && sessions.openContents.isEmpty)
        #expect(try sessions.finish().isEmpty)
    }

    @Test("there are only so many at a time, and one that cannot begin is none")
    func bounds() throws {
        var sessions = TransferSessions(limit: 10_000)
        for count in 1...TransferSessions.sessionLimit {
            _ = try sessions.read(try sender(4000 + count, seed: 1).sender.content(0))
        }
        #expect(throws: TransferError.tooManyTransfers) {
            try sessions.read(try sender(5000, seed: 1).sender.content(0))
        }
        #expect(sessions.openCount == TransferSessions.sessionLimit)
        var other = TransferSessions(limit: 100)
        #expect(throws: TransferError.self) { try other.read(try sender(5000, seed: 1).sender.content(0)) }
        #expect(other.openCount == 0)
        #expect(throws: TransferError.unableToDecode(distinct: 0, needed: 1)) { try other.finish() }
    }
}
