import CodeMeasurement
import Foundation
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

/// A value that several threads use.
final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }
    func set(_ value: Value) { mutex.withLock { $0 = value } }
}

@Suite("A session")
struct SessionTests {
    private func open(_ pair: Pair) throws -> (ValidationClient, ValidationClient.OpenConversation) {
        let client = pair.client()
        let outcome = client.validate(within: .seconds(600))
        return (client, try #require(outcome.conversation))
    }

    @Test("fresh verdicts need no signature, and look again at both sides")
    func revalidation() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        let (app, validator) = (pair.atApp.looks, pair.atValidator.looks)
        for _ in 0..<3 {
            let report = client.revalidate(conversation, within: .seconds(600))
            #expect(report.result == .valid, "\(report.findings)")
            #expect(report.measuredApp == [.files, .mapShape, .codePages])
        }
        #expect(pair.atApp.looks == app + 3 && pair.atValidator.looks == validator + 3)
        conversation.close()
    }

    @Test("threads that share a session get each a verdict of its own")
    func threads() throws {
        let pair = try Pair {
            $0.scanInterval = .seconds(600)
            $0.limits.revalidationsPerSecond = 1_000_000
        }
        let (client, conversation) = try open(pair)
        let session = VigilSession(client, conversation)
        let failures = Mutex<[VigilReport]>([])
        let all = DispatchGroup()
        for _ in 0..<4 {
            all.enter()
            Thread {
                let own = (0..<500).map { _ in session.revalidate(within: .seconds(600)) }
                failures.withLock { $0 += own.filter { $0.result != .valid } }
                all.leave()
            }.start()
        }
        all.wait()
        #expect(failures.withLock { $0.map(\.findings) }.isEmpty)
        #expect(session.revalidate(within: .seconds(600)).result == .valid)
        session.close()
        #expect(pair.ended().isEmpty)
    }

    @Test("what a scan finds reaches whoever watches before the next question, and the answers whoever asks meanwhile")
    func watching() throws {
        let pair = try Pair { $0.limits.revalidationsPerSecond = 1_000_000 }
        let (client, conversation) = try open(pair)
        let session = VigilSession(client, conversation)
        var policy = MonitorPolicy()
        // The test would end by its limit before another question came.
        (policy.interval, policy.timeout) = (.seconds(360_000), .seconds(600))
        let found = Mutexed<VigilReport?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread { [policy] in
            found.set(session.watch(policy, timeToLive: .seconds(720_000), until: .now.advanced(by: .seconds(720_000))))
            ended.signal()
        }.start()
        for _ in 0..<500 { #expect(session.revalidate(within: .seconds(600)).result == .valid) }
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        ended.wait()
        #expect(found.value?.result == .tampered && found.value?.reason == .codeModified)
        session.close()
    }

    @Test("whoever watches a session that is closed hears that it is over")
    func watchingClosed() throws {
        let (client, conversation) = try open(try Pair { $0.scanInterval = .seconds(600) })
        let session = VigilSession(client, conversation)
        let found = Mutexed<VigilReport?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            let end = SuspendingClock.Instant.now.advanced(by: .seconds(3_600))
            found.set(session.watch(MonitorPolicy(), timeToLive: .seconds(3_600), until: end))
            ended.signal()
        }.start()
        session.close()
        ended.wait()
        #expect(found.value?.result.isTrusted == false)
    }

    @Test("a question whose turn does not come in time is not asked, and the session goes on")
    func turn() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        let gate = DispatchSemaphore(value: 0)
        let first = Mutexed<VigilReport?>(nil)
        let all = DispatchGroup()
        let before = pair.atValidator.looks
        pair.atValidator.change { $0.gate = gate }
        all.enter()
        Thread {
            first.set(client.revalidate(conversation, within: .seconds(600)))
            all.leave()
        }.start()
        while pair.atValidator.looks == before { Thread.sleep(forTimeInterval: 0.001) }
        pair.atValidator.change { $0.gate = nil }
        #expect(client.revalidate(conversation, within: .milliseconds(20)).result == .timeout)
        gate.signal()
        all.wait()
        #expect(first.value?.result == .valid)
        #expect(client.revalidate(conversation, within: .seconds(600)).result == .valid)
        conversation.close()
    }

    @Test("what is found at a fresh verdict ends the session")
    func foundOnRequest() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        let report = client.revalidate(conversation, within: .seconds(600))
        #expect(report.result == .tampered && report.reason == .codeModified)
        #expect(pair.ended() == [.codeModified])
        pair.atApp.change { $0.refusal = nil }
        #expect(client.revalidate(conversation, within: .seconds(600)).result == .tampered)
    }

    @Test("the validator that has been changed meanwhile is found too")
    func foundInValidator() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atValidator.change { $0.refusal = Refusal(.codeModified, "patched") }
        #expect(client.revalidate(conversation, within: .seconds(600)).reason == .codeModified)
    }

    @Test("a validator that cannot be looked at any more is not trusted")
    func lostLevel() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atValidator.change { $0.measured = [.files, .mapShape] }
        #expect(client.revalidate(conversation, within: .seconds(600)).reason == .unmeasurable)
    }

    @Test("what was closed has no keys left")
    func closed() throws {
        let (client, conversation) = try open(try Pair())
        conversation.close()
        #expect(throws: Refusal.self) { try conversation.withSession { $0 } }
        #expect(client.revalidate(conversation, within: .seconds(600)).reason == .expired)
    }

    @Test("what a scan finds is said unasked, signed")
    func alert() throws {
        let pair = try Pair()
        let (client, conversation) = try open(pair)
        pair.atApp.change { $0.refusal = Refusal(.foreignCode, "injected") }
        let received = try conversation.channel.receive(until: .now.advanced(by: .seconds(600)))
        let report = client.takeUnsolicited(received, in: conversation)
        #expect(report.result == .tampered && report.reason == .foreignCode)
        #expect(pair.ended() == [.foreignCode])
        // Not twice, and not another's.
        #expect(client.takeUnsolicited(received, in: conversation).reason == .nonceMismatch)
        var changed = received
        changed.message[16] ^= 1
        #expect(client.takeUnsolicited(changed, in: conversation).reason == .signatureInvalid)
    }

    @Test("an alert is told though the next question cannot be sent")
    func alertBehindFailedSend() throws {
        let pair = try Pair()
        let (client, conversation) = try open(pair)
        pair.atApp.change { $0.refusal = Refusal(.foreignCode, "injected") }
        // The validator has said so, and has closed.
        #expect(pair.ended() == [.foreignCode])
        let deadline = SuspendingClock().now.advanced(by: .seconds(600))
        #expect(throws: ChannelError.closed) { try conversation.channel.send([1], until: deadline) }
        // And is gone, so that it cannot be looked at either.
        pair.atValidator.change { $0.refusal = Refusal(.peerIdentity, "gone") }
        let report = client.revalidate(conversation, within: .seconds(600))
        #expect(report.result == .tampered && report.reason == .foreignCode)
        #expect(report.findings.map(\.text) == ["the validator takes its word back"])
        // There is nothing more to hear.
        #expect(client.revalidate(conversation, within: .seconds(600)).reason == .malformed)
    }

    @Test("a validator whose word is good and that is not what it was is not trusted, whichever is known first")
    func lookBesideAnswer() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atValidator.change { $0.refusal = Refusal(.foreignCode, "injected") }
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        // The word of the validator about this app goes before.
        #expect(client.revalidate(conversation, within: .seconds(600)).reason == .codeModified)
        #expect(pair.atValidator.looks == 2)
    }

    @Test("no bit of a message within a session can be changed, and none counts twice")
    func wire() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let length = try #require(Revalidated.length)
        for byte in stride(from: 0, to: length, by: 3) {
            let (client, conversation) = try open(pair)
            let request = try conversation.withSession { $0.revalidate() }
            let deadline = SuspendingClock().now.advanced(by: .seconds(600))
            try conversation.channel.send(request.bytes, until: deadline)
            var answer = try conversation.channel.receive(until: deadline)
            let session = try conversation.withSession { $0 }
            #expect(try session.accept(answer, answering: request).isValid)
            answer.message[byte] ^= 1
            #expect(throws: Refusal.self, "byte \(byte)") { try session.accept(answer, answering: request) }
            // The same request once more.
            try conversation.channel.send(request.bytes, until: deadline)
            #expect(
                client.takeUnsolicited(try conversation.channel.receive(until: deadline), in: conversation).result
                    == .tampered)
        }
    }

    @Test("a monitor tells the first report and every change, and stops")
    func monitor() throws {
        let pair = try Pair()
        var policy = MonitorPolicy()
        policy.interval = .milliseconds(30)
        (policy.timeout, policy.sessionTime) = (.seconds(600), .seconds(3_600))
        let reports = Mutexed<[VigilReport]>([])
        let arrived = DispatchSemaphore(value: 0)
        let monitor = Monitor(pair.client(), policy: policy, distrust: DistrustResponse(DistrustPolicy())) { report in
            reports.set(reports.value + [report])
            arrived.signal()
        }
        #expect(monitor.start())
        arrived.wait()
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        arrived.wait()
        pair.atApp.change { $0.refusal = nil }
        arrived.wait()
        monitor.stop()
        let found = reports.value
        #expect(found.map(\.result).prefix(3) == [.valid, .tampered, .valid])
        #expect(found[1].reason == .codeModified)
    }

    @Test("silence in a session is a timeout, and no question comes later than twice the interval")
    func silence() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        pair.meddle(incoming: { $0[3] == MessageType.revalidated.rawValue ? [] : [$0] })
        var policy = MonitorPolicy()
        policy.interval = .milliseconds(10)
        policy.timeout = .milliseconds(500)
        let reports = Mutexed<[VigilReport]>([])
        let arrived = DispatchSemaphore(value: 0)
        let monitor = Monitor(pair.client(), policy: policy, distrust: DistrustResponse(DistrustPolicy())) { report in
            reports.set(reports.value + [report])
            arrived.signal()
        }
        #expect(monitor.start())
        for _ in 0..<2 { arrived.wait() }
        monitor.stop()
        #expect(reports.value.contains { $0.result == .timeout && $0.reason == .expired })
        policy.interval = .seconds(30)
        #expect([0, 0.5, 1].map { (policy.delay($0).inSeconds * 1000).rounded() } == [24_000, 30_000, 36_000])
        policy.jitterPercent = 1000
        #expect(policy.delay(0) == .zero && policy.delay(1) == .seconds(60))
    }

    @Test("the next question comes before the last verdict ends")
    func timeToLive() {
        var policy = MonitorPolicy()
        policy.jitterPercent = 0
        #expect(policy.delay(0.5, within: .seconds(90)) == .seconds(30))
        #expect(policy.delay(0.5, within: .seconds(20)) == .seconds(15))
        #expect(policy.delay(0.5, within: .seconds(6)) == .seconds(3))
        // Nobody is asked without a pause.
        #expect(policy.delay(0.5, within: .zero) > .zero)
    }

    @Test(
        "a validator that ends each session at once, and a session too short for a question, are not asked without a pause",
        arguments: [true, false])
    func noHotLoop(closes: Bool) throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let connections = Mutexed(0)
        pair.wire.withLock {
            $0 = { channel in
                connections.set(connections.value + 1)
                return Meddler(
                    channel,
                    incoming: { message in
                        if closes, message[3] == MessageType.response.rawValue { channel.close() }
                        return [message]
                    })
            }
        }
        var policy = MonitorPolicy()
        (policy.interval, policy.timeout) = (.seconds(600), .seconds(600))
        if !closes { policy.sessionTime = .seconds(1) }
        let arrived = DispatchSemaphore(value: 0)
        let monitor = Monitor(pair.client(), policy: policy, distrust: DistrustResponse(DistrustPolicy())) { _ in
            arrived.signal()
        }
        #expect(monitor.start())
        for _ in 0..<(closes ? 2 : 1) { arrived.wait() }
        // Whoever does not pause has asked many times by then.
        Thread.sleep(forTimeInterval: 0.3)
        monitor.stop()
        #expect(connections.value == 1)
    }
}
