import CodeMeasurement
import Foundation
import SecretMemory
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("An app and a validator that speak version 1")
struct VersionOneConversationTests {
    private static let time = Duration.seconds(600)

    private func pair(
        isProvisioned: Bool = true, token: [UInt8]? = nil, _ change: (inout ValidatorPolicy) -> Void = { _ in }
    ) throws -> Pair {
        try Pair(isProvisioned: isProvisioned, token: token, speaksVersionOne: true) {
            $0.allowsVersionOne = true
            change(&$0)
        }
    }

    /// What the validator answers to a text, on a connection of its own.
    private func ask(_ pair: Pair, _ text: String, until time: Duration = time) throws -> [UInt8] {
        let channel = try pair.endpoint.connect(until: .now.advanced(by: time))
        defer { channel.close() }
        try channel.send(Array(text.utf8), until: .now.advanced(by: time))
        return try channel.receive(until: .now.advanced(by: time)).message
    }

    @Test("two untouched programs trust each other, and the report says by which version")
    func valid() throws {
        let pair = try pair()
        let client = pair.versionOneClient()
        for _ in 0..<2 {
            let report = client.validate(within: Self.time).report
            #expect(report.result == .valid && report.protocolVersion == 1, "\(report.findings)")
            #expect(report.measuredValidator == [.files, .mapShape, .codePages])
            #expect(report.grant == nil)
        }
        // Version 2 goes on beside it.
        let outcome = pair.client().validate(within: Self.time)
        #expect(outcome.report.result == .valid && outcome.report.protocolVersion == 2)
        outcome.conversation?.close()
    }

    @Test("known answers: a ping, a refusal, and what is no question")
    func knownAnswers() throws {
        // No challenge comes before a slow test has said its word.
        let pair = try pair { $0.firstWordTime = Self.time }
        #expect(try ask(pair, #"{"action":"ping"}"#) == Array(#"{"alive":true}"#.utf8))
        #expect(try ask(pair, #"{"action":"erase"}"#) == Array(#"{"valid":false}"#.utf8))
        #expect(try ask(pair, #"{"#) == Array(#"{"valid":false}"#.utf8))
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .malformed)
    }

    @Test("a validator that does not allow it, or has no hashes for it, does not answer in it")
    func forbidden() throws {
        for (allowed, hashes) in [(false, true), (true, false)] {
            let pair = try Pair(speaksVersionOne: hashes) { $0.allowsVersionOne = allowed }
            let channel = try pair.endpoint.connect(until: .now.advanced(by: Self.time))
            try channel.send(Array(#"{"action":"ping"}"#.utf8), until: .now.advanced(by: Self.time))
            var types: [MessageType] = []
            while let message = try? channel.receive(until: .now.advanced(by: Self.time)).message {
                types.append(try MessageHeader(of: message).type)
            }
            #expect(types == [.challenge, .failure])
            #expect(pair.versionOneClient().validate(within: Self.time).report.result == .tampered)
        }
    }

    @Test(
        "what the validator finds is a negative verdict, signed",
        arguments: [Reason.traced, .foreignCode, .codeModified, .peerIdentity])
    func findings(reason: Reason) throws {
        let pair = try pair()
        pair.atApp.change { $0.refusal = Refusal(reason, "seen") }
        let report = pair.versionOneClient().validate(within: Self.time).report
        #expect(report.result == .tampered && report.findings.map(\.text) == ["the validator says so, and not why"])
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == reason)
    }

    @Test("levels above the reported one are wanted also here, and the files have to be the manifest's")
    func levels() throws {
        let pair = try pair()
        pair.atApp.change { $0.measured = [.files, .mapShape] }
        #expect(pair.versionOneClient().validate(within: Self.time).report.result == .tampered)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .unmeasurable)
        pair.atApp.change {
            $0.measured = [.files, .mapShape, .codePages]
            $0.hash = .zero
        }
        #expect(pair.versionOneClient().validate(within: Self.time).report.result == .tampered)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .hashMismatch)
    }

    @Test("keys that are not pinned, and a wrong hash, are refused on either side")
    func refusals() throws {
        let pair = try pair()
        let client = pair.versionOneClient()
        pair.validatorPins.set(.app, .none)
        #expect(client.validate(within: Self.time).report.result == .tampered)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .notProvisioned)
        pair.validatorPins.set(.app, .active(pair.appKey.pinned, .software))
        pair.appPins.set(.validator, .none)
        #expect(client.validate(within: Self.time).report.reason == .notProvisioned)
        pair.appPins.set(.validator, .active(TestKey().pinned, .software))
        #expect(client.validate(within: Self.time).report.reason == .publicKeyMismatch)
        pair.appPins.set(.validator, .active(pair.validatorKey.pinned, .software))
        pair.atValidator.change { $0.refusal = Refusal(.codeModified, "patched") }
        #expect(client.validate(within: Self.time).report.reason == .codeModified)
        pair.atValidator.change { $0.refusal = nil }
        pair.reportedHash.withLock { $0 = .zero }
        #expect(client.validate(within: Self.time).report.result == .tampered)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .hashMismatch)
    }

    @Test("a recorded verdict is refused, and with nonces of the validator's own as long as it is remembered")
    func replay() throws {
        let pair = try pair()
        let recorded = Mutex<[UInt8]>([])
        pair.meddle(incoming: { message in
            recorded.withLock { if $0.isEmpty { $0 = message } }
            return [recorded.withLock { $0 }]
        })
        let strict = pair.versionOneClient()
        #expect(strict.validate(within: Self.time).report.result == .valid)
        #expect(strict.validate(within: Self.time).report.reason == .nonceMismatch)
        let lenient = pair.versionOneClient(.allowIndependent)
        #expect(lenient.validate(within: Self.time).report.result == .valid)
        #expect(lenient.validate(within: Self.time).report.reason == .nonceMismatch)
        // What a fresh process cannot know.
        #expect(pair.versionOneClient(.allowIndependent).validate(within: Self.time).report.result == .valid)
    }

    @Test("a challenge that comes first is no answer")
    func crossed() throws {
        let pair = try pair { $0.firstWordTime = .zero }
        #expect(pair.versionOneClient().validate(within: Self.time).report.result == .valid)
    }

    // MARK: Keys

    private func exchange(_ pair: Pair, key: TestKey? = nil) -> Reason {
        do throws(Refusal) {
            _ = try pair.versionOneClient(key: key).exchangeKeys(within: Self.time)
            return .ok
        } catch {
            return error.reason
        }
    }

    @Test("keys are exchanged in an open window alone, and never overwritten")
    func keys() throws {
        let pair = try pair(isProvisioned: false)
        #expect(exchange(pair) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        pair.window.open(for: Self.time)
        #expect(exchange(pair) == .ok)
        #expect(!pair.window.isOpen)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
        #expect(try pair.appPins.pin(of: .validator) == .active(pair.validatorKey.pinned, .software))
        #expect(pair.versionOneClient().validate(within: Self.time).report.result == .valid)
        #expect(exchange(pair) == .ok)
        pair.window.open(for: Self.time)
        #expect(exchange(pair, key: TestKey()) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .publicKeyMismatch)
    }

    @Test("where a token is wanted nobody is pinned, for version 1 has no room for one")
    func token() throws {
        let pair = try pair(isProvisioned: false, token: [UInt8](repeating: 7, count: 32))
        pair.window.open(for: Self.time)
        #expect(exchange(pair) == .notProvisioned)
        // Also where the policy alone would let it pass.
        let lenient = try self.pair(isProvisioned: false, token: [UInt8](repeating: 7, count: 32)) {
            $0.requiresToken = false
        }
        lenient.window.open(for: Self.time)
        #expect(exchange(lenient) == .notProvisioned)
        #expect(try lenient.validatorPins.pin(of: .app) == .none)
        // And where the window is opened with one while the app is looked at.
        let late = try self.pair(isProvisioned: false)
        let token = try SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        late.atApp.change {
            $0.meanwhile = { [window = late.window, installersToken = late.token] in
                installersToken.set(token)
                window.open(for: Self.time)
            }
        }
        #expect(exchange(late) == .notProvisioned)
        #expect(try late.validatorPins.pin(of: .app) == .none)
    }

    @Test("nobody is pinned who was not measured, on either side")
    func measured() throws {
        let pair = try pair(isProvisioned: false) { $0.requiredLevels = [.selfReported, .mapShape] }
        pair.window.open(for: Self.time)
        #expect(exchange(pair) == .notProvisioned)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .unmeasurable)
        let other = try self.pair(isProvisioned: false)
        other.window.open(for: Self.time)
        other.atValidator.change { $0.refusal = Refusal(.foreignCode, "injected") }
        #expect(exchange(other) == .foreignCode)
        #expect(try other.appPins.pin(of: .validator) == .none)
        #expect(throws: Refusal.self) { try pair.client().exchangeKeys(within: Self.time) }
    }
}
