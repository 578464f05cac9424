import CodeMeasurement
import Foundation
import HardwareKeys
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

/// A key in hardware that hangs until the test lets it go.
private struct HangingKey: SigningKey {
    let key: TestKey
    let gate: DispatchSemaphore

    var kind: KeyKind { key.kind }
    var publicKey: [UInt8] { key.publicKey }

    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        gate.wait()
        return try key.sign(digest: digest)
    }
}

/// What strangers are told, as they hear it.
private final class Reasons: Sendable {
    private let list = Mutex<[Reason?]>([])

    var all: [Reason?] { list.withLock { $0 } }

    func add(_ reason: Reason?) { list.withLock { $0.append(reason) } }
}

@Suite("Limits of time", .timeLimit(.minutes(30)))
struct TimeLimitTests {
    private let gate = DispatchSemaphore(value: 0)
    private static let short = Duration.milliseconds(20)

    /// Whether both sides have ended what they began, now that nothing hangs.
    private func ends(_ pair: Pair) -> Bool {
        pair.engine.withLock { $0 }?.finish(within: .seconds(600)) ?? false
    }

    @Test("a validator that cannot be looked at in time is late, whatever it says")
    func hangingLook() throws {
        let pair = try Pair(grant: [1])
        pair.atValidator.change { $0.gate = gate }
        let outcome = pair.client().validate(within: Self.short)
        #expect(outcome.report.result == .timeout && outcome.report.reason == .expired)
        #expect(outcome.report.grant == nil && outcome.conversation == nil)
        gate.signal()
        #expect(ends(pair))
    }

    @Test("work leaves nothing behind with the thread that waits for more")
    func letGo() throws {
        final class Held: Sendable {
            let gone: DispatchSemaphore
            init(_ gone: DispatchSemaphore) { self.gone = gone }
            deinit { gone.signal() }
        }
        let limit = TimeLimit(hanging: 1)
        for number in 0..<3 {
            let held = Held(gate)
            let found = try limit.run(until: .now.advanced(by: .seconds(600))) { withExtendedLifetime(held) { number } }
            #expect(found == number)
        }
        for _ in 0..<3 { gate.wait() }
        // And nobody waits for what is only begun.
        limit.begin { [gate] in gate.wait() }
        #expect(throws: TimeLimit.NotBegun.tooMuchHangs) {
            try limit.run(until: .now.advanced(by: .seconds(600))) { 1 }
        }
        gate.signal()
    }

    @Test("a digest, or a signature, that comes late makes a timeout")
    func hangingWork() throws {
        for hashes in [true, false] {
            let pair = try Pair(grant: [1])
            var identity = pair.client().identity
            let usual = identity.measure
            if hashes {
                identity.measure = { [gate] () throws(Refusal) in
                    gate.wait()
                    return try usual()
                }
            } else {
                identity.key = HangingKey(key: pair.appKey, gate: gate)
            }
            let client = ValidationClient(
                identity, pair.endpoint, pins: pair.appPins, inspector: pair.atValidator, requiredLevels: [.files])
            #expect(client.validate(within: Self.short).report.result == .timeout)
            gate.signal()
            #expect(ends(pair))
        }
    }

    @Test("what came in time and was found too late is discarded with its grant")
    func late() throws {
        let outcome = try Pair(grant: [1]).client().validate(within: .seconds(600))
        let grant = try #require(outcome.report.grant)
        let limit = TimeLimit(hanging: 1)
        let found = try limit.run(until: .now, late: { $0.discard() }, { outcome })
        #expect(found == nil)
        while !grant.isRevoked { Thread.sleep(forTimeInterval: 0.001) }
        #expect(throws: Refusal.self) { try #require(outcome.conversation).withSession { $0 } }
    }

    @Test("apps that cannot be looked at leave their places to others")
    func places() throws {
        let pair = try Pair {
            $0.stateTime = .milliseconds(100)
            $0.limits.connectionsOfUser = 2
            $0.limits.handshakesPerSecond = 100
        }
        pair.atApp.change { $0.gate = gate }
        for _ in 0..<4 { #expect(pair.client().validate(within: .seconds(600)).report.result == .tampered) }
        pair.atApp.change { $0.gate = nil }
        var result = VigilResult.tampered
        // A slow machine may need more than one attempt in so short a time.
        while result != .valid { result = pair.client().validate(within: .seconds(600)).report.result }
        for _ in 0..<4 { gate.signal() }
    }

    @Test("connections of the same user that hang without a verdict end no session, and nothing is found")
    func strangers() throws {
        let count = AppInspections.limit + 1
        let pair = try Pair {
            $0.stateTime = .seconds(20)
            $0.timeToLive = .seconds(3_600)
            $0.limits.pendingOfUser = count
            $0.limits.connections = 2 * count
        }
        let client = pair.client()
        let conversation = try #require(client.validate(within: .seconds(600)).conversation)
        pair.atApp.change { $0.entrance = gate }
        let engine = try #require(pair.engine.withLock { $0 })
        let user = PeerCredentials(process: 101, user: 1000, group: 1000)
        // What each is told: of so many, not every one is in the log.
        let connect = { @Sendable () -> Reason? in
            let (stranger, validator) = MemoryChannel.pair(
                first: user, second: PeerCredentials(process: 200, user: 1001, group: 1001))
            defer { stranger.close() }
            engine.serve(validator)
            let answer = try? stranger.receive(until: SuspendingClock().now.advanced(by: .seconds(60)))
            return answer.flatMap { try? Sent<Failure>($0) }?.message.reason
        }
        let reasons = Reasons()
        let all = DispatchGroup()
        for _ in 0..<count {
            all.enter()
            Thread {
                let reason = connect()
                reasons.add(reason)
                all.leave()
            }.start()
        }
        all.wait()
        #expect(reasons.all == Array(repeating: .unmeasurable, count: count))
        // As much hangs as may. That is nothing to accuse the next one of, who was not looked at.
        #expect(connect() == .busy)
        let before = pair.atApp.looks
        let end = SuspendingClock().now.advanced(by: .seconds(60))
        while pair.atApp.looks < before + 3, SuspendingClock().now < end { Thread.sleep(forTimeInterval: 0.01) }
        #expect(pair.atApp.looks >= before + 3)
        let report = client.revalidate(conversation, within: .seconds(600))
        #expect(report.result == .valid, "\(report.findings)")
        for _ in 0..<count { gate.signal() }
        conversation.close()
        #expect(pair.ended().isEmpty)
    }

    @Test("a fresh verdict is late where the validator cannot be looked at, and the session is over")
    func hangingSession() throws {
        let pair = try Pair { $0.scanInterval = .seconds(600) }
        let client = pair.client()
        let conversation = try #require(client.validate(within: .seconds(600)).conversation)
        pair.atValidator.change { $0.gate = gate }
        #expect(client.revalidate(conversation, within: Self.short).result == .timeout)
        gate.signal()
        pair.atValidator.change { $0.gate = nil }
        #expect(client.revalidate(conversation, within: .seconds(600)).result == .tampered)
    }

    @Test("a validator is not pinned by an app that has given up")
    func hangingProvisioning() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        pair.atValidator.change { $0.gate = gate }
        #expect(throws: Refusal.self) { try pair.client().provision(token: nil, within: Self.short) }
        gate.signal()
        #expect(ends(pair))
        #expect(try pair.appPins.pin(of: .validator) == .none)
    }

    @Test("the time runs from the call on, also where another call hangs")
    func actor() async throws {
        let pair = try Pair()
        pair.atValidator.change { $0.gate = gate }
        let vigil = Vigil { () throws(VigilError) in pair.client() }
        try await vigil.initialize()
        async let first = vigil.validate(timeout: Self.short)
        async let second = vigil.validate(timeout: Self.short)
        let results: [VigilResult] = await [first, second]
        #expect(results == [.timeout, .timeout])
        for _ in 0..<2 { gate.signal() }
    }

    @Test("of what hangs there is only so much, and what goes on makes room again")
    func bounded() throws {
        let limit = TimeLimit(hanging: 1)
        let hanging: Bool? = try limit.run(until: .now) { [gate] in
            gate.wait()
            return true
        }
        #expect(hanging == nil)
        #expect(throws: TimeLimit.NotBegun.tooMuchHangs) {
            try limit.run(until: .now.advanced(by: .seconds(600))) { true }
        }
        gate.signal()
        var next: Bool?
        while next == nil { next = try? limit.run(until: .now.advanced(by: .seconds(600))) { true } }
    }
}
