import CodeMeasurement
import Foundation
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("Evidence from a real conversation")
struct EvidenceConversationTests {
    private let nonce = Bytes32.random()
    private static let time = Duration.seconds(600)
    private var deadline: Deadline { .now.advanced(by: Self.time) }

    private func open(_ pair: Pair) throws -> (ValidationClient, ValidationClient.OpenConversation) {
        let client = pair.client()
        return (client, try #require(client.validate(within: Self.time).conversation))
    }

    private func verifier(_ pair: Pair) -> EvidenceVerifier {
        var verifier = EvidenceVerifier(
            audience: "gate.example.org", product: "pair", appKeys: [pair.appKey.pinned],
            validatorKeys: [pair.validatorKey.pinned], knownApps: [pair.appHash],
            knownValidators: [pair.validatorHash])
        // A busy machine may take long to resume a test.
        verifier.window = Self.time
        return verifier
    }

    private func failure(_ body: () throws(EvidenceFailure) -> Void) -> EvidenceFailure? {
        do throws(EvidenceFailure) { try body() } catch { return error }
        return nil
    }

    @Test("is believed by who gave the nonce, and by nobody else")
    func believed() throws {
        let pair = try Pair(givesEvidence: true) { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        defer { conversation.close() }
        let looks = pair.atApp.looks
        let envelope = try client.evidence(
            nonce: nonce, audience: Evidence.audience("gate.example.org"), in: conversation, until: deadline)
        // The app was looked at for it.
        #expect(pair.atApp.looks == looks + 1)
        let evidence = try verifier(pair).verify(envelope.json, nonce: nonce, now: Date())
        #expect(evidence.appText2 == pair.appHash)
        #expect(evidence.measured == [.selfReported, .files, .mapShape, .codePages])
        #expect(throws: EvidenceRefusal.nonceMismatch) {
            try verifier(pair).verify(envelope.json, nonce: .random(), now: Date())
        }
        // The session goes on.
        #expect(client.revalidate(conversation, within: Self.time).result == .valid)
    }

    @Test("is given once a second, and each time is logged")
    func rate() throws {
        let pair = try Pair(givesEvidence: true) { $0.scanInterval = .seconds(600) }
        let client = pair.client()
        let conversations = try (0..<2).map { _ in try #require(client.validate(within: Self.time).conversation) }
        let audience = Evidence.audience("gate.example.org")
        _ = try client.evidence(nonce: nonce, audience: audience, in: conversations[0], until: deadline)
        var refusals: [EvidenceFailure] = []
        // The same user on another connection; the machine may be slow enough for a second to go by.
        for _ in 0..<20 where refusals.isEmpty {
            let failure = failure { () throws(EvidenceFailure) in
                _ = try client.evidence(nonce: nonce, audience: audience, in: conversations[1], until: deadline)
            }
            refusals += [failure].compactMap(\.self)
        }
        #expect(refusals == [.refused(Refusal(.busy, "the validator gives no evidence now"))])
        let logged = pair.verdicts.withLock { $0.filter { $0.occasion == .evidence } }
        #expect(logged.first?.refusal == nil && logged.last?.refusal?.reason == .busy)
    }

    @Test("an app that was changed since gets none, and loses its session")
    func changed() throws {
        let pair = try Pair(givesEvidence: true) { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        let failure = failure { () throws(EvidenceFailure) in
            _ = try client.evidence(nonce: nonce, audience: .zero, in: conversation, until: deadline)
        }
        #expect(failure == .refused(Refusal(.codeModified, "the validator takes its word back instead")))
        #expect(pair.ended() == [.codeModified])
        #expect(client.revalidate(conversation, within: Self.time).result != .valid)
    }

    @Test("files that are others by now give none, however lately they were read")
    func changedFiles() throws {
        let pair = try Pair(givesEvidence: true) { $0.scanInterval = .seconds(600) }
        let (client, conversation) = try open(pair)
        pair.atApp.change { $0.hash = .zero }
        let failure = failure { () throws(EvidenceFailure) in
            _ = try client.evidence(nonce: nonce, audience: .zero, in: conversation, until: deadline)
        }
        #expect(failure == .refused(Refusal(.hashMismatch, "the validator takes its word back instead")))
        #expect(pair.ended() == [.hashMismatch])
    }

    @Test("outside a session, or from a validator that gives none, there is none")
    func outside() throws {
        let pair = try Pair(givesEvidence: true)
        let (client, conversation) = try open(pair)
        conversation.close()
        guard
            case .refused(let refusal) = failure({ () throws(EvidenceFailure) in
                _ = try client.evidence(nonce: nonce, audience: .zero, in: conversation, until: deadline)
            })
        else {
            Issue.record("evidence without a session")
            return
        }
        #expect(refusal.reason == .expired)
        // Asked at once, without a handshake.
        let channel = try pair.endpoint.connect(until: deadline)
        _ = try channel.receive(until: deadline)
        try channel.send(
            EvidenceRequest(verifierNonce: nonce, audience: .zero).bytes + [UInt8](repeating: 0, count: 32),
            until: deadline)
        #expect(try Sent<Failure>(channel.receive(until: deadline)).message.reason == .malformed)
        let silent = try Pair()
        let (other, second) = try open(silent)
        let second0 = failure { () throws(EvidenceFailure) in
            _ = try other.evidence(nonce: nonce, audience: .zero, in: second, until: deadline)
        }
        #expect(second0 == .refused(Refusal(.profileUnsupported, "this validator gives no evidence")))
        #expect(silent.findings.withLock { $0 }.isEmpty)
    }

    @Test("no bit of the validator's word can be changed on the way", arguments: [8, 20, 100, 300])
    func wire(byte: Int) throws {
        let pair = try Pair(givesEvidence: true) { $0.scanInterval = .seconds(600) }
        pair.meddle(incoming: { message in
            var message = message
            if message[3] == MessageType.evidenceResponse.rawValue { message[byte] ^= 1 }
            return [message]
        })
        let (client, conversation) = try open(pair)
        let failure = failure { () throws(EvidenceFailure) in
            _ = try client.evidence(nonce: nonce, audience: .zero, in: conversation, until: deadline)
        }
        #expect(failure != nil)
        #expect(throws: Refusal.self) { try conversation.withSession { $0 } }
    }

    @Test("a word that is taken back while evidence is asked for is distrust, and none now is not")
    func distrust() async throws {
        for isChanged in [false, true] {
            let pair = try Pair(grant: [9], givesEvidence: true) {
                $0.scanInterval = .seconds(600)
                if !isChanged { $0.limits.evidencePerSecond = 0 }
            }
            let told = Mutexed<[VigilReport]>([])
            let vigil = Vigil(distrust: DistrustPolicy { told.set(told.value + [$0]) }) { () throws(VigilError) in
                pair.client()
            }
            try await vigil.initialize()
            let grant = try #require(await vigil.report(timeout: Self.time).grant)
            // The app is changed after the handshake: before the validator answers, it looks once more.
            pair.meddle(outgoing: { [atApp = pair.atApp] message in
                if isChanged, message[3] == MessageType.evidenceRequest.rawValue {
                    atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
                }
                return [message]
            })
            await #expect(throws: EvidenceFailure.self) {
                try await vigil.evidence(nonce: nonce, audience: "x", timeout: Self.time)
            }
            #expect(grant.isRevoked == isChanged)
            #expect(told.value.map(\.result) == (isChanged ? [.tampered] : []))
            guard isChanged else { continue }
            var reports = vigil.validationDidComplete.makeAsyncIterator()
            #expect(await reports.next()?.result == .valid)
            #expect(await reports.next()?.reason == .codeModified)
        }
    }

    @Test("the actor does all of it")
    func actor() async throws {
        let pair = try Pair(givesEvidence: true)
        let vigil = Vigil { () throws(VigilError) in pair.client() }
        await #expect(throws: EvidenceFailure.self) { try await vigil.evidence(nonce: nonce, audience: "x") }
        try await vigil.initialize()
        let envelope = try await vigil.evidence(nonce: nonce, audience: "gate.example.org", timeout: Self.time)
        #expect(throws: Never.self) { try verifier(pair).verify(envelope.json, nonce: nonce, now: Date()) }
    }
}
