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
