import CodeMeasurement
import Foundation
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("Several validators")
struct QuorumTests {
    private func report(_ result: VigilResult, _ process: Int32, key: UInt8? = nil) -> VigilReport {
        var report = VigilReport(result, result == .valid ? .ok : .codeModified)
        report.validatorKeyID = .hash(of: [key ?? UInt8(process)])
        report.validator = .init(process: process, user: UInt32(process), group: 0)
        return report
    }

    private func policy(_ count: Int, required: Int, veto: Bool = true, distinctUser: Bool = false) throws
        -> QuorumPolicy
    {
        let pair = try Pair()
        return try QuorumPolicy(
            (0..<count).map { QuorumMember("v\($0)", keyID: .hash(of: [UInt8($0)]), client: pair.client()) },
            required: required,
            vetoOnTamper: veto, distinctUser: distinctUser)
    }

    @Test("the rules of the combination")
    func combination() throws {
        let all = try policy(3, required: 2)
        let (good, good2, slow) = (report(.valid, 1), report(.valid, 2), report(.timeout, 3))
        let (bad, broken) = (report(.tampered, 4), report(.error, 5))
        #expect(all.combined([good, good2, slow]).result == .valid)
        #expect(all.combined([good, slow, broken]).result == .timeout)
        #expect(all.combined([good, broken]).result == .error)
        #expect(all.combined([good, good2, bad]).result == .tampered)
        #expect(try policy(3, required: 2, veto: false).combined([good, good2, bad]).result == .valid)
        #expect(try policy(3, required: 2, veto: false).combined([good, bad, slow]).result == .timeout)
    }

    @Test("one process behind two names is not two validators")
    func distinct() throws {
        for required in 1...2 {
            let both = [report(.valid, 1, key: 1), report(.valid, 1, key: 2)]
            #expect(try policy(2, required: required).combined(both).result == .error)
        }
        #expect(throws: VigilError.self) { try policy(2, required: 3) }
        #expect(throws: VigilError.self) { try policy(0, required: 1) }
        #expect(throws: VigilError.self) { try policy(2, required: 0) }
        let pair = try Pair()
        let one = QuorumMember("v", keyID: .zero, client: pair.client())
        #expect(throws: VigilError.self) {
            try QuorumPolicy([one, QuorumMember("v", keyID: .hash(of: [1]), client: pair.client())], required: 1)
        }
        #expect(throws: VigilError.self) {
            try QuorumPolicy([one, QuorumMember("w", keyID: .zero, client: pair.client())], required: 1)
        }
    }

    @Test("a verdict of several counts as long as the shortest of them, and has taken as long as the slowest")
    func times() throws {
        let times: [(left: Duration, taken: Duration)] = [
            (.seconds(60), .seconds(1)), (.seconds(20), .seconds(3)), (.seconds(90), .seconds(2)),
        ]
        let reports = times.enumerated().map { number, time in
            var report = report(.valid, Int32(number + 1))
            (report.timeToLive, report.latency) = (time.left, time.taken)
            return report
        }
        let combined = try policy(3, required: 2).combined(reports)
        #expect(combined.result == .valid && combined.timeToLive == .seconds(20) && combined.latency == .seconds(3))
    }

    @Test("two with one key count once")
    func oneKey() throws {
        let same = [report(.valid, 1, key: 7), report(.valid, 2, key: 7)]
        #expect(try policy(2, required: 2).combined(same).result != .valid)
        #expect(try policy(2, required: 1).combined(same).result == .valid)
        var unknown = report(.valid, 2)
        unknown.validatorKeyID = nil
        #expect(try policy(2, required: 2).combined([report(.valid, 1), unknown]).result != .valid)
    }

    @Test("a member that answers with another member's key is none")
    func foreignKey() throws {
        let pair = try Pair()
        let policy = try QuorumPolicy(
            [
                QuorumMember("own", keyID: pair.validatorKey.pinned.id, client: pair.client()),
                QuorumMember("other", keyID: TestKey().pinned.id, client: try Pair().client()),
            ], required: 1)
        let verdict = policy.validate(within: .seconds(600))
        let (report, each) = (verdict.report, verdict.each)
        #expect(each["own"]?.result == .valid)
        #expect(each["other"]?.result == .tampered && each["other"]?.reason == .publicKeyMismatch)
        #expect(report.result == .tampered)
    }

    @Test("all are asked at once")
    func asked() throws {
        let pairs = try (0..<3).map { _ in try Pair() }
        let policy = try QuorumPolicy(
            pairs.enumerated().map { QuorumMember("v\($0)", keyID: $1.validatorKey.pinned.id, client: $1.client()) },
            required: 1)
        let each = policy.validate(within: .seconds(600)).each
        #expect(each.count == 3 && each.values.allSatisfy { $0.result == .valid })
    }

    @Test("validators list each other: whoever asks is in the role of the app, with the key that it validates with")
    func peers() throws {
        let (first, second) = (try Pair(), try Pair())
        // Each is pinned at the other as an app, and its code is what the other one expects of its peer.
        first.validatorPins.set(.app, .active(second.validatorKey.pinned, .software))
        second.validatorPins.set(.app, .active(first.validatorKey.pinned, .software))
        for (asking, asked) in [(first, second), (second, first)] {
            let client = asked.client(key: asking.validatorKey)
            let outcome = client.validate(within: .seconds(600))
            #expect(outcome.report.result == .valid, "\(outcome.report.findings)")
            let conversation = try #require(outcome.conversation)
            #expect(client.revalidate(conversation, within: .seconds(600)).result == .valid)
            conversation.close()
            // An app's own key is no peer's.
            #expect(asked.client().validate(within: .seconds(600)).report.reason == .publicKeyMismatch)
        }
    }

    @Test("of whom nobody knows the user, nobody knows that it is another")
    func unknownUser() throws {
        let policy = try policy(2, required: 2, distinctUser: true)
        #expect(policy.combined([report(.valid, 1), report(.valid, 2)]).result == .valid)
        var unknown = report(.valid, 2)
        unknown.validator = nil
        #expect(policy.combined([report(.valid, 1), unknown]).result == .error)
    }
}
