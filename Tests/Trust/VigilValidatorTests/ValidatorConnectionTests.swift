import CodeMeasurement
import Foundation
import HardwareKeys
import TestSupport
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("The validator as a state machine, in its own time")
struct ValidatorConnectionTests {
    private let key = TestKey()
    private let appKey = TestKey()
    private let inspector = TestInspector(Bytes32.hash(of: [1]))
    private let start = SuspendingClock().now
    private let pins = TestPins()

    init() { pins.set(.app, .active(appKey.pinned, .software)) }

    private func connection(
        lookTime: Duration = .seconds(600), identity: ValidatorIdentity? = nil, window: TimedWindow = TimedWindow(),
        _ change: (inout ValidatorPolicy) -> Void = { _ in }
    ) -> ValidatorConnection {
        var policy = ValidatorPolicy()
        policy.jitterPercent = 0
        change(&policy)
        return ValidatorConnection(
            ValidatorServices(
                identity: identity
                    ?? ValidatorIdentity(key: key, hash: .hash(of: [2]), appHash: .hash(of: [1]), epoch: 1),
                policy: policy, pins: pins, window: window,
                evidence: nil, calendar: { Date(timeIntervalSince1970: 1) }, chance: { 0.5 },
                rates: SessionRates(policy.limits), inspections: AppInspections(time: lookTime)),
            inspector, identity: nil, user: 1000)
    }

    private func messages(_ actions: [ValidatorConnection.Action]) -> [MessageType] {
        actions.compactMap {
            switch $0 {
            case .send(let message), .sendWithHandles(let message): try? MessageHeader(of: message).type
            case .record, .close, .find: nil
            }
        }
    }

    /// A session as the app has it, that begins at ``start``.
    private func session(_ connection: inout ValidatorConnection) throws -> ClientSession {
        guard case .sendWithHandles(let challenge) = connection.begin(at: start).first else {
            throw Refusal(.internal, "no challenge")
        }
        let ephemeral = try EphemeralKey()
        let asked = try Sent<Challenge>(Received(challenge))
        let request = try request(answering: asked, ephemeral)
        let actions = connection.receive(Received(request.bytes), at: start)
        let answers = actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
        let verdict = try ResponseCheck(
            challenge: asked, request: request, pin: .active(key.pinned, .software), expectedHash: .hash(of: [2]),
            epoch: 1
        ).accept(try Sent(Received(try #require(answers.first))))
        guard case .valid(let valid) = verdict else { throw Refusal(.internal, "\(verdict)") }
        let begun = try ClientSession.begin(ephemeral, verdict: valid, challenge: asked, request: request)
        return try #require(begun?.session)
    }

    private func request(
        _ challenge: [ValidatorConnection.Action], _ ephemeral: EphemeralKey? = nil
    ) throws -> Received {
        guard case .sendWithHandles(let message) = challenge.first else {
            throw Refusal(.internal, "no challenge")
        }
        return Received(try request(answering: try Sent(Received(message)), ephemeral ?? EphemeralKey()).bytes)
    }

    private func request(answering challenge: Sent<Challenge>, _ ephemeral: EphemeralKey) throws -> Sent<Request> {
        let request = Request(
            to: challenge.message, nonce: .random(), hash: .hash(of: [1]), at: Date(timeIntervalSince1970: 0),
            epoch: 1, keyKind: .software, handles: [], publicKey: appKey.pinned, ephemeral: ephemeral.publicKey)
        return try request.signed(by: appKey, answering: challenge)
    }

    @Test("a challenge that nobody answers ends after its time, and not before")
    func challengeTime() {
        var connection = connection()
        #expect(messages(connection.begin(at: start)) == [.challenge])
        #expect(connection.nextDeadline == start.advanced(by: .seconds(5)))
        #expect(connection.advance(to: start.advanced(by: .milliseconds(4999))).isEmpty)
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(5)))) == [.failure])
        #expect(connection.isClosed)
    }

    @Test("a second request to one challenge is refused")
    func once() throws {
        var connection = connection()
        let request = try request(connection.begin(at: start))
        #expect(messages(connection.receive(request, at: start)) == [.response])
        #expect(messages(connection.receive(request, at: start)) == [.alert])
        #expect(connection.isClosed)
    }

    @Test("silence ends a session when its verdict has lost its time, and the session has an end of its own")
    func times() throws {
        var quiet = connection { $0.scanInterval = .seconds(10_000) }
        _ = quiet.receive(try request(quiet.begin(at: start)), at: start)
        #expect(quiet.nextDeadline == start.advanced(by: .seconds(90)))
        #expect(messages(quiet.advance(to: start.advanced(by: .seconds(90)))) == [.alert])
        #expect(quiet.isClosed)
        var long = connection {
            $0.scanInterval = .seconds(10_000)
            $0.timeToLive = .seconds(10_000)
        }
        _ = long.receive(try request(long.begin(at: start)), at: start)
        #expect(long.nextDeadline == start.advanced(by: .seconds(600)))
        #expect(messages(long.advance(to: start.advanced(by: .seconds(600)))) == [.alert])
    }

    @Test("each question in a session makes its verdict last anew, and none makes the session longer")
    func renewal() throws {
        var connection = connection { $0.scanInterval = .seconds(10_000) }
        var session = try session(&connection)
        for asked in stride(from: 80, through: 560, by: 80) {
            let now = start.advanced(by: .seconds(asked))
            let request = session.revalidate()
            #expect(messages(connection.receive(Received(request.bytes), at: now)) == [.revalidated])
            #expect(connection.nextDeadline == start.advanced(by: .seconds(min(asked + 90, 600))))
        }
        #expect(connection.advance(to: start.advanced(by: .milliseconds(599_999))).isEmpty)
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(600)))) == [.alert])
    }

    @Test("it looks at the app every second, and says what it finds")
    func scans() throws {
        var connection = connection()
        _ = connection.receive(try request(connection.begin(at: start)), at: start)
        let looks = inspector.looks
        #expect(connection.nextDeadline == start.advanced(by: .seconds(1)))
        #expect(connection.advance(to: start.advanced(by: .seconds(1))).isEmpty)
        #expect(inspector.looks == looks + 1)
        inspector.change { $0.refusal = Refusal(.traced, "gdb") }
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(2)))) == [.alert])
        #expect(connection.isClosed)
    }

    @Test("what was found is told when the app has heard of it and the connection is closed")
    func findingLast() throws {
        var connection = connection()
        var session = try session(&connection)
        inspector.change { $0.refusal = Refusal(.codeModified, "patched") }
        let answered = connection.receive(Received(session.revalidate().bytes), at: start)
        guard case .send = answered.dropLast(2).last, case .close = answered.dropLast().last,
            case .find(let refusal) = answered.last
        else {
            Issue.record("\(answered)")
            return
        }
        #expect(refusal.reason == .codeModified)
    }

    @Test("who talks without a pause is looked at nevertheless, and ends in time")
    func flood() throws {
        var connection = connection()
        _ = connection.receive(try request(connection.begin(at: start)), at: start)
        let looks = inspector.looks
        let ping = Received(Ping.request)
        #expect(messages(connection.receive(ping, at: start.advanced(by: .milliseconds(999)))) == [.pong])
        #expect(inspector.looks == looks)
        #expect(messages(connection.receive(ping, at: start.advanced(by: .seconds(1)))) == [.pong])
        #expect(inspector.looks == looks + 1)
        inspector.change { $0.refusal = Refusal(.traced, "gdb") }
        #expect(messages(connection.receive(ping, at: start.advanced(by: .seconds(2)))) == [.alert])
        #expect(connection.isClosed)
        // Nor does it keep a challenge open.
        var waiting = self.connection()
        _ = waiting.begin(at: start)
        #expect(messages(waiting.receive(ping, at: start.advanced(by: .seconds(5)))) == [.failure])
    }

    @Test("a level that a scan cannot take any more ends the session")
    func lostLevel() throws {
        var connection = connection()
        _ = connection.receive(try request(connection.begin(at: start)), at: start)
        inspector.change { $0.measured = [.files, .mapShape] }
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(1)))) == [.alert])
    }

    @Test("a session of many scans has the files read again, and they have to be the same")
    func filesAgain() throws {
        var connection = connection { $0.fileInterval = .seconds(10) }
        _ = connection.receive(try request(connection.begin(at: start)), at: start)
        inspector.change { $0.hash = .zero }
        #expect(connection.advance(to: start.advanced(by: .seconds(9))).isEmpty)
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(10)))) == [.alert])
    }

    @Test("who asks more often than scans come has the files read again nevertheless")
    func filesOfWhoAsks() throws {
        var connection = connection { $0.fileInterval = .seconds(10) }
        var session = try session(&connection)
        inspector.change { $0.hash = .zero }
        for tenth in 1..<100 {
            let now = start.advanced(by: .milliseconds(100 * tenth))
            let asked = Received(session.revalidate().bytes)
            #expect(messages(connection.receive(asked, at: now)) == [.revalidated] && !connection.isClosed)
        }
        let late = connection.receive(Received(session.revalidate().bytes), at: start.advanced(by: .seconds(10)))
        #expect(messages(late) == [.alert] && connection.isClosed)
    }

    @Test("who asks puts no look off that comes unasked, between its questions")
    func scansOfWhoAsks() throws {
        var connection = connection()
        var session = try session(&connection)
        let looks = inspector.looks
        for tenth in 1...29 {
            let asked = Received(session.revalidate().bytes)
            let now = start.advanced(by: .milliseconds(100 * tenth))
            #expect(messages(connection.receive(asked, at: now)) == [.revalidated])
        }
        #expect(inspector.looks == looks + 29 + 2)
        #expect(connection.nextDeadline == start.advanced(by: .seconds(3)))
        // What is there only while nobody is asked.
        inspector.change { $0.refusal = Refusal(.codeModified, "patched") }
        #expect(messages(connection.advance(to: start.advanced(by: .seconds(3)))) == [.alert])
    }

    @Test(
        "a key that was revoked, unpinned or replaced ends its session, at a scan and at a question",
        arguments: [true, false])
    func revoked(asks: Bool) throws {
        for pin: Pin in [.revoked, .none, .active(TestKey().pinned, .software)] {
            pins.set(.app, .active(appKey.pinned, .software))
            var connection = connection()
            var session = try session(&connection)
            pins.set(.app, pin)
            let later = start.advanced(by: .seconds(asks ? 0 : 1))
            let actions =
                asks
                ? connection.receive(Received(session.revalidate().bytes), at: later) : connection.advance(to: later)
            #expect(connection.isClosed)
            let reasons = actions.compactMap {
                if case .record(let verdict) = $0 { verdict.refusal?.reason } else { nil }
            }
            #expect(reasons == [.revoked])
        }
    }

    @Test("an app that cannot be looked at in time is refused, and its connection ends, at a request and in a session")
    func hangingLook() throws {
        let gate = DispatchSemaphore(value: 0)
        inspector.change { $0.gate = gate }
        var asking = connection(lookTime: .milliseconds(20))
        let actions = asking.receive(try request(asking.begin(at: start)), at: start)
        #expect(messages(actions) == [.response] && asking.isClosed)
        inspector.change { $0.gate = nil }
        var scanned = connection(lookTime: .milliseconds(20))
        let first = scanned.receive(try request(scanned.begin(at: start)), at: start)
        // A slow machine may be late without a gate, and then it ends here.
        try #require(messages(first) == [.response])
        inspector.change { $0.gate = gate }
        let end = scanned.isClosed ? [] : scanned.advance(to: start.advanced(by: .seconds(1)))
        #expect(scanned.isClosed && [[], [.alert]].contains(messages(end)))
        for _ in 0..<2 { gate.signal() }
    }

    @Test("who asks or pings more often than is allowed is told so, and not looked at")
    func rates() throws {
        var asking = connection { $0.limits.revalidationsPerSecond = 2 }
        var session = try session(&asking)
        let looks = inspector.looks
        for _ in 0..<2 {
            #expect(messages(asking.receive(Received(session.revalidate().bytes), at: start)) == [.revalidated])
        }
        #expect(messages(asking.receive(Received(session.revalidate().bytes), at: start)) == [.alert])
        #expect(asking.isClosed && inspector.looks == looks + 2)
        var pinging = connection { $0.limits.pingsPerSecond = 2 }
        _ = pinging.begin(at: start)
        let ping = Received(Ping.request)
        for _ in 0..<2 { #expect(messages(pinging.receive(ping, at: start)) == [.pong]) }
        let later = start.advanced(by: .milliseconds(500))
        #expect(messages(pinging.receive(ping, at: later)) == [.pong])
        #expect(messages(pinging.receive(ping, at: later)) == [.failure])
        #expect(pinging.isClosed)
    }

    @Test("who has no session takes no ping from those of the same user who have one")
    func strangersPings() throws {
        var own = connection { $0.limits.pingsPerSecond = 2 }
        _ = try session(&own)
        var stranger = ValidatorConnection(own.services, inspector, identity: nil, user: 1000)
        _ = stranger.begin(at: start)
        let ping = Received(Ping.request)
        for _ in 0..<2 { #expect(messages(stranger.receive(ping, at: start)) == [.pong]) }
        #expect(messages(stranger.receive(ping, at: start)) == [.failure])
        #expect(messages(own.receive(ping, at: start)) == [.pong])
        #expect(!own.isClosed)
    }

    // MARK: Keys

    private func challenge(_ connection: inout ValidatorConnection) throws -> Sent<Challenge> {
        guard case .sendWithHandles(let message) = connection.begin(at: start).first else {
            throw Refusal(.internal, "no challenge")
        }
        return try Sent(Received(message))
    }

    /// What a connection says to a message.
    private func answer<Message: WireMessage>(
        _ connection: inout ValidatorConnection, to message: [UInt8], as _: Message.Type = Message.self
    ) throws -> Message {
        let actions = connection.receive(Received(message), at: start)
        let sent = actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
        return try Sent<Message>(Received(try #require(sent.first))).message
    }

    @Test("a window that ends while its token is asked for pins nobody, though the token went with it")
    func endedWindow() throws {
        for isEnding in [false, true] {
            pins.set(.app, .none)
            let window = TimedWindow()
            window.open(for: .seconds(600))
            let asked = Mutexed(0)
            // It is asked for when the app comes, and once more when it is pinned.
            let identity = ValidatorIdentity(
                key: key, hash: .hash(of: [2]), appHash: .hash(of: [1]), epoch: 1,
                token: { () throws(Refusal) in
                    asked.set(asked.value + 1)
                    if isEnding, asked.value == 2 { window.close() }
                    return nil
                })
            var connection = connection(identity: identity, window: window) { $0.requiresToken = false }
            let challenge = try challenge(&connection)
            let request = try ProvisionRequest(
                to: challenge.message, nonce: .random(), token: nil, hash: .hash(of: [1]), epoch: 1,
                keyKind: .software, publicKey: appKey.pinned
            ).signed(by: appKey, answering: challenge)
            let response: ProvisionResponse = try answer(&connection, to: request.bytes)
            #expect(response.status == (isEnding ? .refused : .pinned))
            #expect(response.reason == (isEnding ? .notProvisioned : .ok))
            #expect(try pins.pin(of: .app) == (isEnding ? .none : .active(appKey.pinned, .software)))
            #expect(!window.isOpen && asked.value == 2)
        }
    }

    @Test("a rotation names the key that is pinned, and gives no weaker one for it")
    func rotations() throws {
        let new = TestKey()
        let cases: [(old: Bytes32, pinned: KeyKind, reason: Reason)] = [
            (.random(), .software, .publicKeyMismatch), (appKey.pinned.id, .tpm2, .publicKeyMismatch),
            (appKey.pinned.id, .software, .ok),
        ]
        for (old, kind, reason) in cases {
            pins.set(.app, .active(appKey.pinned, kind))
            var connection = connection()
            let challenge = try challenge(&connection)
            let request = try RotationRequest(
                from: .app, to: challenge.message, nonce: .random(), oldKeyID: old, newKeyKind: .software, counter: 1,
                newPublicKey: new.pinned
            ).signed(by: appKey, and: new, answering: challenge)
            let response: RotationResponse = try answer(&connection, to: request.bytes)
            #expect(response.reason == reason && (response.status == .pinned) == (reason == .ok))
            let expected = reason == .ok ? Pin.active(new.pinned, .software) : .active(appKey.pinned, kind)
            #expect(try pins.pin(of: .app) == expected)
            #expect(connection.isClosed)
        }
    }

    @Test("a confirmation is taken once, and only where it was asked for", arguments: [true, false])
    func confirmations(isWanted: Bool) throws {
        var connection = connection { $0.wantsConfirmation = isWanted }
        let challenge = try challenge(&connection)
        let request = try request(answering: challenge, EphemeralKey())
        let actions = connection.receive(Received(request.bytes), at: start)
        let sent = actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
        let response = try Sent<Response>(Received(try #require(sent.first)))
        let confirmation = try Confirmation(of: response.message, reason: .ok)
            .signed(by: appKey, answering: response, request: request, challenge: challenge)
        if isWanted {
            #expect(connection.receive(Received(confirmation.bytes), at: start).isEmpty)
            #expect(connection.isValid)
        }
        #expect(messages(connection.receive(Received(confirmation.bytes), at: start)) == [.alert])
        #expect(connection.isClosed)
    }

    @Test("what has no place ends the conversation", arguments: MessageType.allCases)
    func wrongType(type: MessageType) {
        var connection = connection()
        _ = connection.begin(at: start)
        let message = MessageHeader(type, from: .app).bytes
        let actions = connection.receive(Received(message), at: start)
        if type == .ping {
            #expect(messages(actions) == [.pong] && !connection.isClosed)
        } else {
            #expect(messages(actions) == [.failure] && connection.isClosed)
        }
    }

    @Test("random bytes end it, whatever they are")
    func random() {
        var generator = SplitMix64(state: 27)
        for _ in 0..<2000 {
            var connection = connection()
            _ = connection.begin(at: start)
            let count = Int.random(in: 0...400, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator) {
                bytes.replaceSubrange(
                    0..<min(8, count), with: MessageHeader(.request, from: .app).bytes.prefix(min(8, count)))
            }
            _ = connection.receive(Received(bytes), at: start)
            #expect(connection.isClosed)
        }
    }
}
