import AppAttest
import Foundation
import Synchronization
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("The log")
struct LogTests {
    @Test(
        "text from outside loses what moves a terminal or ends a line",
        arguments: [
            ("plain ü 漢", "plain ü 漢"), ("a\r\nb", "ab"), ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;http://e\u{1b}\\link", "link"), ("\u{9b}1mx", "x"), ("\u{9d}title\u{9c}x", "x"),
            ("a\u{0}\u{8}\u{7f}b", "ab"),
            ("\u{85}a\u{2028}b\u{202e}c\u{2066}", "abc"), ("\u{1b}(Bx", "x"), ("\u{1b}[31", ""), ("\u{1b}", ""),
            ("\u{1b}Px\u{1b}\\y", "y"),
            ("\u{1b}[3\u{1b}[1mx", "x"), ("\u{1b}c", ""),
        ])
    func sanitiser(_ text: String, _ expected: String) {
        #expect(SafeText(text).description == expected)
    }

    @Test("at most 256 bytes stay, cut between characters")
    func cut() {
        #expect(SafeText(String(repeating: "é", count: 200)).description == String(repeating: "é", count: 128))
        #expect(SafeText("a" + String(repeating: "é", count: 200)).description.utf8.count == 255)
    }

    @Test("random text keeps no control character, and cleaning again changes nothing")
    func randomText() {
        var random = SplitMix64(state: 6)
        for _ in 0..<3_000 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<40).map { _ in Unicode.Scalar(UInt8.random(in: 0...0xa5, using: &random)) }))
            let safe = SafeText(text)
            #expect(safe.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) })
            #expect(SafeText(safe.description) == safe)
        }
    }

    @Test("times are written as RFC 3339 has them, as Foundation writes them")
    func times() {
        var random = SplitMix64(state: 11)
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        #expect(Timestamp(milliseconds: 0).text == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: 1_771_286_400_123).text == "2026-02-17T00:00:00.123Z")
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -2_000_000_000...40_000_000_000, using: &random)
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(Timestamp(milliseconds: seconds * 1_000).text == text.replacing("Z", with: ".000Z"))
        }
    }

    @Test("of many like lines one in ten seconds is written, with the number of the others")
    func sampling() {
        var sampler = EventSampler()
        var event = GateEvent(.refused)
        event.code = .notFound
        event.peer = IPAddress(v4: 1)
        let second: UInt64 = 1_000_000_000
        #expect(sampler.pass(event, at: 0) != nil)
        for step in UInt64(1)..<10 { #expect(sampler.pass(event, at: step * second) == nil) }
        let other = event.with { $0.peer = IPAddress(v4: 2) }
        #expect(sampler.pass(other, at: 5 * second) != nil)
        #expect(sampler.pass(event, at: 10 * second)?.suppressed == 9)
        #expect(sampler.pass(event, at: 20 * second)?.suppressed == nil)
        for _ in 0..<3 { #expect(sampler.pass(GateEvent(.admitted), at: 0) != nil) }
        #expect(sampler.pass(GateEvent(.storeFailed, .error), at: 0) != nil)
        #expect(sampler.pass(GateEvent(.storeFailed, .error), at: 1) == nil)
    }

    @Test("lines are JSON, or text, from the level on")
    func lines() throws {
        let lines = Mutex<[String]>([])
        let log = EventLog(level: .info, format: .json, clock: StillClock(wall: 0)) { line in
            lines.withLock { $0.append(line) }
        }
        log.record(GateEvent(.draining, .debug))
        var event = GateEvent(.refused, .warning)
        event.key = KeyName(.zero)
        event.detail = SafeText("a \"quoted\"\nline")
        event.duration = .microseconds(1_500)
        log.record(event)
        let line = try #require(lines.withLock { $0 }.first)
        #expect(lines.withLock { $0.count } == 1)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["ts"] as? String == "1970-01-01T00:00:00.000Z" && object["event"] as? String == "refused")
        #expect(object["key"] as? String == "sha:66687aadf862" && object["duration_us"] as? Int == 1_500)
        #expect(object["detail"] as? String == "a \"quoted\"line" && object["level"] as? String == "warning")
        #expect(event.textLine(at: 0).hasPrefix("1970-01-01T00:00:00.000Z level=warning event=refused"))
    }

    @Test(
        "no secret of a whole run is in a line of the log, an error's body or the metrics",
        arguments: ["code", "generic"])
    func canary(_ detail: String) async throws {
        let site = try Site([
            "ERROR_DETAIL": detail, "CHALLENGE_RATE": "off", "REGISTER_RATE": "off", "FAILED_AUTH_RATE": "off",
        ])
        let device = FormDevice(1)
        var secrets = ["canary-cookie", "canary-token", Base64.encode(device.keyID.bytes)]
        var answers: [Site.Reply] = []
        let extra: [(String, String)] = [("Cookie", "s=canary-cookie"), ("Authorization", "Bearer canary-token")]
        func attempt(_ signer: FormDevice, counter: UInt32, nonce: String) async {
            let headers = Site.assertion(device, nonce, counter: counter, by: signer)
            secrets += headers.map(\.1)
            answers.append(await site.send("GET", "/", Site.handshake + headers + extra))
        }
        for _ in 0..<3 {
            let nonce = try await site.nonce()
            secrets += [nonce, Base64.encode(device.attestation(over: Site.hash(nonce)))]
            answers.append(try await site.register(device, nonce: nonce))
            answers.append(try await site.register(device, nonce: nonce))
            answers.append(try await site.register(device, over: nonce))
        }
        for counter in UInt32(1)...3 {
            await attempt(device, counter: counter, nonce: try await site.nonce())
            await attempt(FormDevice(2), counter: counter + 1, nonce: try await site.nonce())
            await attempt(device, counter: counter, nonce: try await site.nonce())
        }
        answers.append(await site.send("GET", "/canary-cookie", extra))
        answers.append(await site.send("POST", "/attest/register", extra, body: Array("canary-token".utf8)))
        await site.keys.fail(with: .unavailable("down"))
        await attempt(device, counter: 9, nonce: try await site.nonce())
        #expect(Set(answers.map(\.status)).isSuperset(of: [101, 200, 401, 403, 404, 415, 503]))
        let lines = site.events.events.flatMap { [$0.jsonLine(at: 0), $0.textLine(at: 0)] }
        let all = (lines + answers.map(\.text) + [site.gate.metrics.exposition()]).joined(separator: "\n")
        #expect(lines.count > 30)
        for secret in secrets { #expect(!all.contains(secret)) }
        #expect(all.contains(KeyName(device.keyID).description))
    }
}
