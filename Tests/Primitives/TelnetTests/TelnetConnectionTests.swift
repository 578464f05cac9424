import Foundation
import GateKnownAnswers
import KnownAnswers
import Telnet
import TestSupport
import Testing

@Suite("TelnetConnection")
struct TelnetConnectionTests {
    private func told(_ telnet: inout TelnetConnection, _ bytes: [UInt8]) -> [TelnetEvent] {
        var events: [TelnetEvent] = []
        telnet.receive(bytes) { events.append($0) }
        return events
    }

    @Test("the transcripts are answered as they say, whole and byte by byte")
    func transcripts() throws {
        let folder = packageRoot.appending(path: "Tests/Primitives/TelnetTests/Fixtures")
        var report = Report()
        report.check(AnswerFile(folder: folder, path: "transcripts.json"), with: [TelnetAnswers.self])
        #expect((report.passed, report.failed, report.skipped) == (27, 0, 0))
    }

    @Test("an answer or an event that is changed fails its transcript")
    func wrongTranscripts() throws {
        let url = packageRoot.appending(path: "Tests/Primitives/TelnetTests/Fixtures/transcripts.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        for (old, new) in [("fffd01", "fffd02"), ("\"prompt\": true", "\"echo_suppressed\": true")] {
            try #require(text.contains(old))
            let content = try JSON(parsing: Array(text.replacing(old, with: new).utf8))
            var report = Report()
            try TelnetAnswers.check(
                content, file: AnswerFile(folder: url.deletingLastPathComponent(), path: "changed"), report: &report)
            #expect(report.failed > 0)
        }
    }

    @Test("a subnegotiation of an option that is not active counts for nothing")
    func inactive() {
        for option in [24, 31, 39, 42, 69, 70, 200, 201] as [UInt8] {
            var telnet = TelnetConnection()
            #expect(told(&telnet, [255, 250, option, 1, 59, 85, 255, 240, 65]) == [.data([65])])
            #expect(telnet.takeOutput() == [])
        }
    }

    @Test("MSDP is told as it came, and MSSP is only accepted")
    func msdp() {
        var telnet = TelnetConnection()
        #expect(told(&telnet, [255, 251, 69, 255, 251, 70]) == [])
        #expect(telnet.takeOutput() == [255, 253, 69, 255, 253, 70])
        #expect(told(&telnet, [255, 250, 69, 1, 0x41, 2, 255, 255, 255, 240]) == [.msdp([1, 0x41, 2, 255])])
        #expect(told(&telnet, [255, 250, 70, 1, 0x41, 255, 240]) == [])
    }

    @Test("ATCP messages are told like those of GMCP, without a greeting")
    func atcp() {
        var telnet = TelnetConnection()
        _ = told(&telnet, [255, 251, 200])
        #expect(telnet.takeOutput() == [255, 253, 200])
        let message = Array("Room.Brief A room".utf8)
        #expect(
            told(&telnet, [255, 250, 200] + message + [255, 240])
                == [.message(package: "Room.Brief", data: "A room")])
    }

    @Test("a subnegotiation may be as long as the limit; a longer one is discarded, and told once")
    func longSubnegotiations() {
        var telnet = TelnetConnection(TelnetSettings(maximumSubnegotiationBytes: 4))
        _ = told(&telnet, [255, 251, 69])
        let exact: [UInt8] = [255, 250, 69, 1, 2, 255, 255, 3, 255, 240]
        let long: [UInt8] = [255, 250, 69, 1, 2, 255, 255, 3, 4, 255, 255, 255, 251, 1, 5, 255, 240]
        #expect(told(&telnet, exact) == [.msdp([1, 2, 255, 3])])
        #expect(told(&telnet, long + [65]) == [.discarded(.msdp), .data([65])])
        #expect(told(&telnet, long + exact) == [.msdp([1, 2, 255, 3])])
        // What stood in it was no command.
        #expect(telnet.takeOutput() == [255, 253, 69])
    }

    @Test("an empty subnegotiation is left at its end")
    func emptySubnegotiation() {
        var telnet = TelnetConnection()
        #expect(told(&telnet, [255, 250, 255, 240, 65, 255, 250, 255, 255, 1, 255, 240, 66]) == [.data([65, 66])])
    }

    @Test("the size is told again when it changes, and only if the server asked")
    func resize() {
        var telnet = TelnetConnection()
        telnet.resize(WindowSize(columns: 100, rows: 30))
        #expect(telnet.takeOutput() == [])
        _ = told(&telnet, [255, 253, 31])
        #expect(telnet.takeOutput() == [255, 251, 31, 255, 250, 31, 0, 100, 0, 30, 255, 240])
        telnet.resize(WindowSize(columns: 100, rows: 30))
        #expect(telnet.takeOutput() == [])
        telnet.resize(WindowSize(columns: 0xffff, rows: 1))
        #expect(telnet.takeOutput() == [255, 250, 31, 255, 255, 255, 255, 0, 1, 255, 240])
    }

    @Test("the client's address is told only on demand, and only if it may be")
    func address() {
        let name = Array("IPADDRESS".utf8)
        let full: [UInt8] = [255, 250, 39, 0, 0] + name + [1] + Array("192.0.2.1".utf8) + [255, 240]
        let none: [UInt8] = [255, 250, 39, 0, 255, 240]
        for (asked, answer) in [([], full), ([0] + name, full), ([0] + Array("USER".utf8), none), ([0], full)] {
            var telnet = TelnetConnection(TelnetSettings(clientAddress: "192.0.2.1"))
            _ = told(&telnet, [255, 253, 39])
            _ = telnet.takeOutput()
            _ = told(&telnet, [255, 250, 39, 1] + asked + [255, 240])
            #expect(telnet.takeOutput() == answer)
        }
    }

    @Test("UTF-8 is accepted as it is spelt, behind a table's version too")
    func charset() {
        func answer(_ request: [UInt8]) -> [UInt8] {
            var telnet = TelnetConnection()
            _ = told(&telnet, [255, 253, 42])
            _ = telnet.takeOutput()
            _ = told(&telnet, [255, 250, 42, 1] + request + [255, 240])
            return telnet.takeOutput()
        }
        let accepted: [UInt8] = [255, 250, 42, 2] + Array("utf-8".utf8) + [255, 240]
        #expect(answer(Array(" latin1 utf-8".utf8)) == accepted)
        #expect(answer(Array("[TTABLE ]".utf8) + [1] + Array(";utf-8;x".utf8)) == accepted)
        #expect(answer([]) == [255, 250, 42, 3, 255, 240])
        #expect(answer(Array(";UTF-80".utf8)) == [255, 250, 42, 3, 255, 240])
    }

    @Test("what is sent has 0xff doubled; GMCP goes out only if it was agreed on")
    func sending() {
        var telnet = TelnetConnection(TelnetSettings(version: "2\"\u{1}"))
        telnet.send([1, 255, 2])
        #expect(telnet.takeOutput() == [1, 255, 255, 2])
        let isSent = telnet.send(package: "A", data: "1")
        #expect(!isSent && telnet.output.isEmpty)
        _ = told(&telnet, [255, 251, 201])
        let hello = Array("Core.Hello {\"client\":\"gate\",\"version\":\"2\\\"\\u0001\"}".utf8)
        #expect(telnet.takeOutput() == [255, 253, 201, 255, 250, 201] + hello + [255, 240])
        telnet.send(package: "A", data: "1")
        telnet.send(package: "B", data: "")
        #expect(telnet.takeOutput() == [255, 250, 201, 65, 32, 49, 255, 240, 255, 250, 201, 66, 255, 240])
    }

    @Test("random bytes never trap, and say the same byte by byte")
    func random() {
        var random = SplitMix64(state: 4)
        let likely: [UInt8] = [255, 255, 255, 250, 240, 251, 252, 253, 254, 249, 1, 24, 31, 39, 42, 69, 201, 65, 32]
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
                likely.randomElement(using: &random) ?? random.byte()
            }
            let settings = TelnetSettings(maximumSubnegotiationBytes: 6)
            var (whole, slow) = (TelnetConnection(settings), TelnetConnection(settings))
            var (events, parts): ([TelnetEvent], [TelnetEvent]) = (told(&whole, bytes), [])
            for byte in bytes {
                for event in told(&slow, [byte]) {
                    if case .data(let more) = event, case .data(let bytes)? = parts.last {
                        parts[parts.count - 1] = .data(bytes + more)
                    } else {
                        parts.append(event)
                    }
                }
            }
            events.removeAll { $0 == .data([]) }
            #expect(parts == events && slow.output == whole.output)
        }
    }
}
