import CodeMeasurement
import Foundation
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

/// A validator behind calls of one message and one answer, as XPC and provider messages are.
private struct CallEndpoint: ValidatorEndpoint {
    let responder: ExchangeResponder

    init(_ pair: Pair) {
        responder = ExchangeResponder(peer: .init(process: 100, user: 1000, group: 1000)) { channel in
            pair.engine.withLock { $0 }?.serve(channel)
        }
    }

    func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
        ExchangeChannel(peer: .init(process: 200, user: 1001, group: 1001)) { [responder] message, reply in
            responder.exchange(message, reply: reply)
        }
    }
}

@Suite("A conversation over calls")
struct ExchangeTests {
    private static let time = Duration.seconds(600)
    private var deadline: Deadline { .now.advanced(by: Self.time) }

    private func client(_ pair: Pair, versionOne: VersionOneMode? = nil) -> ValidationClient {
        ValidationClient(
            pair.client().identity, CallEndpoint(pair), pins: pair.appPins, inspector: pair.atValidator,
            requiredLevels: [.files], versionOne: versionOne)
    }

    @Test("handshake, fresh verdicts and an alert that nobody asked for are as on a socket")
    func conversation() throws {
        let pair = try Pair(grant: [5]) { $0.scanInterval = .milliseconds(20) }
        let client = client(pair)
        let outcome = client.validate(within: Self.time)
        #expect(outcome.report.result == .valid, "\(outcome.report.findings)")
        let conversation = try #require(outcome.conversation)
        for _ in 0..<3 { #expect(client.revalidate(conversation, within: Self.time).result == .valid) }
        #expect(throws: ChannelError.timedOut) { try conversation.channel.receive(until: .now) }
        pair.atApp.change { $0.refusal = Refusal(.foreignCode, "injected") }
        let alert = try conversation.channel.receive(until: deadline)
        #expect(client.takeUnsolicited(alert, in: conversation).reason == .foreignCode)
        #expect(throws: ChannelError.closed) { try conversation.channel.receive(until: deadline) }
        #expect(throws: ChannelError.closed) { try conversation.channel.send([1], until: deadline) }
    }

    @Test("several conversations go beside each other, as of a monitor and of a question between its own")
    func several() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let client = client(pair)
        let first = try #require(client.validate(within: Self.time).conversation)
        let second = try #require(client.validate(within: Self.time).conversation)
        #expect(client.revalidate(first, within: Self.time).result == .valid)
        #expect(client.revalidate(second, within: Self.time).result == .valid)
        first.close()
        #expect(client.revalidate(second, within: Self.time).result == .valid)
    }

    @Test("what the app closes gives its place back")
    func places() throws {
        let pair = try Pair {
            $0.scanInterval = .seconds(600)
            $0.limits.connectionsOfUser = 2
            $0.limits.handshakesPerSecond = 100
        }
        let client = client(pair)
        for _ in 0..<6 {
            let outcome = client.validate(within: Self.time)
            #expect(outcome.report.result == .valid, "\(outcome.report.findings)")
            outcome.conversation?.close()
        }
    }

    @Test("an app of version 1 knows of no beginning, and is answered")
    func versionOne() throws {
        let pair = try Pair(speaksVersionOne: true) { $0.allowsVersionOne = true }
        let responder = CallEndpoint(pair).responder
        let answer = Mutexed<[UInt8]?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        responder.exchange(Array(#"{"action":"ping"}"#.utf8)) {
            answer.set($0)
            arrived.signal()
        }
        arrived.wait()
        #expect(answer.value == Array(#"{"alive":true}"#.utf8))
        #expect(pair.versionOneClient().validate(within: Self.time).report.result == .valid)
    }

    @Test("too many calls or conversations, or a call without a number, have no answer")
    func limits() throws {
        let release = DispatchSemaphore(value: 0)
        let responder = ExchangeResponder(peer: nil) { _ in release.wait() }
        let answers = Mutexed<[[UInt8]?]>([])
        responder.exchange([0, 0, 7]) { answers.set(answers.value + [$0]) }
        #expect(answers.value == [nil])
        for _ in 0..<40 { responder.exchange([0, 0, 0, 1, 9]) { answers.set(answers.value + [$0]) } }
        #expect(answers.value.count == 1 + 40 - 16)
        for number in 2..<50 { responder.exchange([0, 0, 0, UInt8(number)]) { answers.set(answers.value + [$0]) } }
        #expect(answers.value.count == 1 + 40 - 16 + 48 - 7)
        responder.close()
        #expect(answers.value.count == 1 + 40 + 48 && answers.value.allSatisfy { $0 == nil })
        for _ in 0..<8 { release.signal() }
    }

    @Test("questions of version 1 are conversations of which an app has only so many as well")
    func versionOneLimits() {
        let release = DispatchSemaphore(value: 0)
        let responder = ExchangeResponder(peer: nil) { channel in
            release.wait()
            channel.close()
        }
        let answers = Mutexed<[[UInt8]?]>([])
        for _ in 0..<40 { responder.exchange(Array("{}".utf8)) { answers.set(answers.value + [$0]) } }
        #expect(answers.value == Array(repeating: nil, count: 40 - 32))
        for _ in 0..<32 { release.signal() }
    }
}
