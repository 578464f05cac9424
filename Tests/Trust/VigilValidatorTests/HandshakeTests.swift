import CodeMeasurement
import Foundation
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("A handshake of app and validator")
struct HandshakeTests {
    private func validate(_ pair: Pair, within time: Duration = .seconds(600)) -> VigilReport {
        let outcome = pair.client().validate(within: time)
        outcome.conversation?.close()
        return outcome.report
    }

    @Test("two untouched programs trust each other, and the grant is given")
    func valid() throws {
        let pair = try Pair(grant: Array("share".utf8))
        let report = validate(pair)
        #expect(report.result == .valid && report.reason == .ok, "\(report.findings)")
        #expect(report.measuredApp == [.selfReported, .files, .mapShape, .codePages])
        #expect(report.measuredValidator == [.files, .mapShape, .codePages])
        #expect(report.grant?.withUnsafeBytes { Array($0) } == Array("share".utf8))
        #expect(report.timeToLive == .seconds(90))
        #expect(report.validator?.user == 1001)
    }

    @Test(
        "what the validator finds is the reason, and no grant is given",
        arguments: [
            Reason.traced, .foreignCode, .codeModified, .behaviour, .peerIdentity, .unmeasurable,
        ])
    func findings(reason: Reason) throws {
        let pair = try Pair(grant: [1])
        pair.atApp.change { $0.refusal = Refusal(reason, "seen") }
        let report = validate(pair)
        #expect(report.result == .tampered && report.reason == reason)
        #expect(report.grant == nil)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.finding.text } == "seen")
    }

    @Test("a level that is wanted and cannot be taken makes it unmeasurable")
    func missingLevel() throws {
        let pair = try Pair()
        pair.atApp.change { $0.measured = [.files, .mapShape] }
        #expect(validate(pair).reason == .unmeasurable)
    }

    @Test("files that are not the manifest's, and a report that is not, are refused")
    func hashes() throws {
        let files = try Pair()
        files.atApp.change { $0.hash = .zero }
        #expect(validate(files).reason == .hashMismatch)
        let reported = try Pair()
        reported.reportedHash.withLock { $0 = .hash(of: [1]) }
        #expect(validate(reported).reason == .hashMismatch)
    }

    @Test("in profile 1 each side reports its text, and its files are measured as ever")
    func profileOne() throws {
        let pair = try Pair(givesEvidence: true, profile: .text1) { $0.fileInterval = .zero }
        let client = pair.client()
        let outcome = client.validate(within: .seconds(600))
        #expect(outcome.report.result == .valid, "\(outcome.report.findings)")
        let conversation = try #require(outcome.conversation)
        #expect(client.revalidate(conversation, within: .seconds(600)).result == .valid)
        let deadline = SuspendingClock().now.advanced(by: .seconds(600))
        _ = try client.evidence(nonce: .random(), audience: .zero, in: conversation, until: deadline)
        conversation.close()
        // The digest that is reported is not that of the files.
        pair.atApp.change { $0.hash = pair.appHash }
        #expect(validate(pair).reason == .hashMismatch)
        pair.atApp.change { $0.hash = pair.appFiles }
        pair.reportedHash.withLock { $0 = pair.appFiles }
        #expect(validate(pair).reason == .hashMismatch)
    }

    @Test("a validator that is not the manifest's hears nothing of the app")
    func tamperedValidator() throws {
        let pair = try Pair()
        pair.atValidator.change { $0.refusal = Refusal(.codeModified, "patched") }
        let report = validate(pair)
        #expect(report.result == .tampered && report.reason == .codeModified)
        #expect(pair.atApp.looks == 0)
        let other = try Pair()
        other.atValidator.change { $0.hash = .zero }
        #expect(validate(other).reason == .hashMismatch)
        let blind = try Pair()
        blind.atValidator.change { $0.measured = [.files] }
        #expect(validate(blind).reason == .unmeasurable)
    }

    @Test("nobody who is not pinned is trusted, on either side")
    func pins() throws {
        let app = try Pair()
        app.validatorPins.set(.app, .none)
        #expect(validate(app).reason == .notProvisioned)
        app.validatorPins.set(.app, .revoked)
        #expect(validate(app).reason == .revoked)
        app.validatorPins.set(.app, .active(TestKey().pinned, .software))
        #expect(validate(app).reason == .publicKeyMismatch)
        let validator = try Pair()
        validator.appPins.set(.validator, .none)
        #expect(validate(validator).reason == .notProvisioned)
        validator.appPins.set(.validator, .active(TestKey().pinned, .software))
        #expect(validate(validator).reason == .publicKeyMismatch)
    }

    @Test("a key that was in hardware is not taken from software")
    func downgrade() throws {
        let pair = try Pair()
        pair.validatorPins.set(.app, .active(pair.appKey.pinned, .tpm2))
        #expect(validate(pair).reason == .publicKeyMismatch)
    }

    @Test("an older manifest is refused, a newer one of the app is not")
    func epochs() throws {
        #expect(validate(try Pair(appEpoch: 6)).reason == .epochRollback)
        // The validator's is older then, which the app refuses.
        #expect(validate(try Pair(appEpoch: 8)).reason == .epochRollback)
    }

    // MARK: Time

    @Test("silence is a timeout, and so is nobody there")
    func silence() throws {
        let pair = try Pair()
        pair.meddle(incoming: { _ in [] })
        let report = validate(pair, within: .milliseconds(50))
        #expect(report.result == .timeout && report.reason == .expired)
        struct Nobody: ValidatorEndpoint {
            func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel { throw .closed }
        }
        let client = ValidationClient(
            pair.client().identity, Nobody(), pins: pair.appPins, inspector: pair.atValidator)
        #expect(client.validate(within: .seconds(600)).report.result == .timeout)
    }

    @Test("a validator that ends in the middle is tampering")
    func ends() throws {
        let pair = try Pair()
        pair.wire.withLock { wire in
            wire = { channel in
                Meddler(
                    channel,
                    outgoing: { _ in
                        channel.close()
                        return []
                    })
            }
        }
        let report = validate(pair)
        #expect(report.result == .tampered && report.reason == .malformed)
    }

    // MARK: The wire

    /// What the app makes of a validator whose verdict is changed on the way.
    private func changing(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) throws -> VigilReport {
        let pair = try Pair()
        pair.meddle(incoming: { message in
            message[3] == MessageType.response.rawValue ? [change(message)] : [message]
        })
        return validate(pair)
    }

    @Test("no bit of a verdict can be changed on the way")
    func bitFlips() throws {
        for byte in stride(from: 0, to: 352, by: 7) {
            let report = try changing { message in
                var changed = message
                changed[byte] ^= 1
                return changed
            }
            #expect(report.result == .tampered, "byte \(byte)")
        }
        for length in [0, 7, 8, 100, 351] {
            #expect(try changing { Array($0.prefix(length)) }.reason == .malformed)
        }
        #expect(try changing { $0 + [0] }.reason == .malformed)
    }

    @Test("a verdict of another conversation is refused, also a positive one of the same two")
    func replay() throws {
        let recorded = Mutex<[UInt8]>([])
        let pair = try Pair()
        pair.meddle(incoming: { message in
            if message[3] == MessageType.response.rawValue { recorded.withLock { $0 = message } }
            return [message]
        })
        #expect(validate(pair).result == .valid)
        pair.meddle(incoming: { message in
            message[3] == MessageType.response.rawValue ? [recorded.withLock { $0 }] : [message]
        })
        #expect(validate(pair).reason == .nonceMismatch)
    }

    @Test("a request that was recorded is refused by the validator")
    func replayedRequest() throws {
        let recorded = Mutex<[UInt8]>([])
        let pair = try Pair()
        pair.meddle(outgoing: { message in
            recorded.withLock { if $0.isEmpty { $0 = message } }
            return [message]
        })
        #expect(validate(pair).result == .valid)
        pair.meddle(outgoing: { _ in [recorded.withLock { $0 }] })
        #expect(validate(pair).result == .tampered)
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .nonceMismatch)
    }

    @Test("what the app says comes back to it as no verdict")
    func reflection() throws {
        let sent = Mutex<[UInt8]>([])
        let pair = try Pair()
        pair.meddle(
            incoming: { message in
                message[3] == MessageType.response.rawValue ? [sent.withLock { $0 }] : [message]
            },
            outgoing: { message in
                sent.withLock { $0 = message }
                return [message]
            })
        #expect(validate(pair).reason == .malformed)
    }

    @Test("too many at once are told to come again, and get their turn")
    func busy() throws {
        let pair = try Pair { $0.limits.handshakesPerSecond = 2 }
        for _ in 0..<5 { #expect(validate(pair).result == .valid) }
    }

    @Test("the validator hears whether the app trusts it")
    func confirmation() throws {
        let pair = try Pair { $0.wantsConfirmation = true }
        #expect(validate(pair).result == .valid)
        pair.appPins.set(.validator, .active(TestKey().pinned, .software))
        #expect(validate(pair).result == .tampered)
        while pair.verdicts.withLock({ $0.last?.occasion }) != .confirmation { Thread.sleep(forTimeInterval: 0.01) }
        #expect(pair.verdicts.withLock { $0.last?.refusal?.reason } == .publicKeyMismatch)
    }
}
