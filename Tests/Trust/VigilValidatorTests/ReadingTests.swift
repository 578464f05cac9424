import CodeMeasurement
import Foundation
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("Reading messages")
struct ReadingTests {
    private static let time = Duration.seconds(600)

    /// A pair of which each side's reads are counted.
    private func counted(_ pair: Pair) -> (app: Reads, validator: Reads) {
        let (app, validator) = (Reads(), Reads())
        pair.wire.withLock { $0 = { CountingChannel($0, app) } }
        pair.validatorWire.withLock { $0 = { CountingChannel($0, validator) } }
        return (app, validator)
    }

    @Test("each message of a handshake and its session is read once, by the side that receives it")
    func session() throws {
        let pair = try Pair(grant: [1], givesEvidence: true) {
            $0.wantsConfirmation = true
            $0.scanInterval = .seconds(600)
        }
        let (app, validator) = counted(pair)
        let client = pair.client()
        let outcome = client.validate(within: Self.time)
        #expect(outcome.report.result == .valid, "\(outcome.report.findings)")
        let conversation = try #require(outcome.conversation)
        #expect(client.revalidate(conversation, within: Self.time).result == .valid)
        let deadline = SuspendingClock().now.advanced(by: Self.time)
        _ = try client.evidence(nonce: .random(), audience: .zero, in: conversation, until: deadline)
        conversation.close()
        _ = pair.ended()
        #expect(app.all == [.challenge: 1, .response: 1, .revalidated: 1, .evidenceResponse: 1])
        #expect(validator.all == [.request: 1, .confirmation: 1, .revalidate: 1, .evidenceRequest: 1])
    }

    @Test("so is each message by which a key is pinned or replaced, and each that ends a conversation")
    func others() throws {
        let pair = try Pair(isProvisioned: false)
        let (app, validator) = counted(pair)
        pair.window.open(for: Self.time)
        _ = try pair.client().provision(token: nil, within: Self.time)
        try pair.client().rotate(to: TestKey(), counter: 1, within: Self.time)
        // The old key is refused, and its negative verdict read once as well.
        #expect(pair.client().validate(within: Self.time).report.reason == .publicKeyMismatch)
        _ = pair.ended()
        #expect(app.all == [.challenge: 3, .provisionResponse: 1, .rotationResponse: 1, .response: 1])
        #expect(validator.all == [.provisionRequest: 1, .rotationRequest: 1, .request: 1])
    }

    @Test("what is signed are the bytes that came")
    func exactBytes() throws {
        let key = TestKey()
        let challenge = Sent(
            made: Challenge(
                nonce: .random(), validatorKeyID: .random(), profile: .text2, capabilities: [], epoch: 1,
                deadline: .seconds(1), handles: []))
        let request = try Request(
            to: challenge.message, nonce: .random(), hash: .random(), at: Date(), epoch: 1, keyKind: .software,
            handles: [], publicKey: key.pinned, ephemeral: nil
        ).signed(by: key, answering: challenge)
        let received = try Sent<Request>(Received(request.bytes))
        #expect(received == request)
        #expect(received.unsigned + request.message.signature == request.bytes)
        #expect(received.isSigned(by: key.pinned, answering: challenge))
        var changed = request.bytes
        changed[40] ^= 1
        #expect(try !Sent<Request>(Received(changed)).isSigned(by: key.pinned, answering: challenge))
    }
}
