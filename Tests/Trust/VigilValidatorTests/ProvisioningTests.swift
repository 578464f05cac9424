import CodeMeasurement
import Foundation
import SecretMemory
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("Pinning each other")
struct ProvisioningTests {
    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

    /// The reason of a refusal; `ok` where it was pinned.
    private func provision(_ pair: Pair, key: TestKey? = nil, token: SecretBytes? = nil) -> Reason {
        do throws(Refusal) {
            // The validator decides, and not already the app.
            _ = try pair.client(key: key, requiresToken: false).provision(token: token, within: .seconds(600))
            return .ok
        } catch {
            return error.reason
        }
    }

    @Test("both are pinned in an open window, and it closes with that")
    func pinned() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .ok)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
        #expect(try pair.appPins.pin(of: .validator) == .active(pair.validatorKey.pinned, .software))
        #expect(!pair.window.isOpen)
        #expect(pair.client().validate(within: .seconds(600)).report.result == .valid)
    }

    @Test("nobody is pinned while the window is closed")
    func closed() throws {
        let pair = try Pair(isProvisioned: false)
        #expect(provision(pair) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(try pair.appPins.pin(of: .validator) == .none)
    }

    @Test("who died before the answer came asks again; another key is refused also in an open window")
    func again() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .ok)
        #expect(provision(pair) == .ok)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair, key: TestKey()) == .publicKeyMismatch)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
    }

    @Test("with a token only who has it is pinned, on both sides")
    func tokens() throws {
        let token = [UInt8](repeating: 7, count: 32)
        let pair = try Pair(isProvisioned: false, token: token)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .notProvisioned)
        #expect(provision(pair, token: try secret([UInt8](repeating: 8, count: 32))) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(provision(pair, token: try secret(token)) == .ok)
        // A validator without the token is no validator of this installer.
        let other = try Pair(isProvisioned: false)
        other.window.open(for: .seconds(600))
        #expect(provision(other, token: try secret(token)) == .notProvisioned)
        #expect(try other.appPins.pin(of: .validator) == .none)
    }

    @Test("the token of a window counts also for who has asked before it was opened")
    func tokenOfLaterWindow() throws {
        let token = try secret([UInt8](repeating: 7, count: 32))
        for shown in [nil, try secret([UInt8](repeating: 8, count: 32)), token] {
            let pair = try Pair(isProvisioned: false)
            pair.atApp.change {
                $0.meanwhile = { [window = pair.window, installersToken = pair.token] in
                    installersToken.set(token)
                    window.open(for: .seconds(600))
                }
            }
            #expect(provision(pair, token: shown) == (shown === token ? .ok : .notProvisioned))
            let isPinned = try pair.validatorPins.pin(of: .app) != .none
            #expect(isPinned == (shown === token))
        }
    }

    @Test("who does not have the token guesses no code of it, in thousands of tries")
    func forgedCodes() throws {
        let token = try secret([UInt8](repeating: 7, count: 32))
        let other = try secret([UInt8](repeating: 8, count: 32))
        let key = TestKey()
        func forged(_ code: Bytes32) -> [Bytes32] {
            // The code itself with one bit changed, and codes that leave every bit of a sum as it is, or set it.
            let turned = (0..<256).map { bit in
                var bytes = code.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                return bytes
            }
            return (turned + [[UInt8](repeating: 0xff, count: 32), code.bytes.reversed()]).compactMap { Bytes32($0) }
        }
        for _ in 0..<2_000 {
            let challenge = Challenge(
                nonce: .random(), validatorKeyID: .random(), profile: .text2, capabilities: [], epoch: 1,
                deadline: .seconds(1), handles: [])
            func request(_ token: SecretBytes?) -> ProvisionRequest {
                ProvisionRequest(
                    to: challenge, nonce: .random(), token: token, hash: .random(), epoch: 1, keyKind: .software,
                    publicKey: key.pinned)
            }
            func response(_ token: SecretBytes?) -> ProvisionResponse {
                ProvisionResponse(
                    to: request(nil), status: .pinned, reason: .ok, keyKind: .software, epoch: 1,
                    validatorHash: .random(), token: token, publicKey: key.pinned)
            }
            for wrong in [nil, other] {
                #expect(!request(wrong).carries(token))
                #expect(!response(wrong).carries(token))
            }
        }
        let challenge = Challenge(
            nonce: .random(), validatorKeyID: .random(), profile: .text2, capabilities: [], epoch: 1,
            deadline: .seconds(1), handles: [])
        var request = ProvisionRequest(
            to: challenge, nonce: .random(), token: token, hash: .random(), epoch: 1, keyKind: .software,
            publicKey: key.pinned)
        #expect(request.carries(token))
        for code in forged(request.tokenCode) {
            request.tokenCode = code
            #expect(!request.carries(token))
        }
        var response = ProvisionResponse(
            to: request, status: .pinned, reason: .ok, keyKind: .software, epoch: 1, validatorHash: .random(),
            token: token, publicKey: key.pinned)
        #expect(response.carries(token))
        for code in forged(response.tokenCode) {
            response.tokenCode = code
            #expect(!response.carries(token))
        }
    }

    @Test("an app that wants a token pins no validator without one, however genuine")
    func noTokenAtApp() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(throws: Refusal.self) {
            try pair.client(requiresToken: true).provision(token: nil, within: .seconds(600))
        }
        #expect(try pair.appPins.pin(of: .validator) == .none && pair.validatorPins.pin(of: .app) == .none)
        #expect(provision(pair) == .ok)
    }

    @Test("a policy that wants a token and has none pins nobody")
    func noToken() throws {
        let pair = try Pair(isProvisioned: false) { $0.requiresToken = true }
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .notProvisioned)
    }

    @Test("what is measured decides also here", arguments: [Reason.foreignCode, .codeModified, .traced])
    func measured(reason: Reason) throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        pair.atApp.change { $0.refusal = Refusal(reason, "seen") }
        #expect(provision(pair) == reason)
        pair.atApp.change { $0.refusal = nil }
        pair.atValidator.change { $0.refusal = Refusal(reason, "seen") }
        #expect(provision(pair) == reason)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(pair.window.isOpen)
    }

    @Test("a second client that races for the window loses to the first")
    func race() throws {
        let pair = try Pair(isProvisioned: false) {
            $0.limits.connectionsOfUser = 20
            $0.limits.halfOpenOfUser = 20
            $0.limits.handshakesPerSecond = 100
        }
        pair.window.open(for: .seconds(600))
        let keys = (0..<8).map { _ in TestKey() }
        let results = keys.map { _ in Mutexed<Reason?>(nil) }
        let done = DispatchSemaphore(value: 0)
        for (key, result) in zip(keys, results) {
            Thread {
                result.set(self.provision(pair, key: key))
                done.signal()
            }.start()
        }
        for _ in keys { done.wait() }
        let reasons = results.compactMap(\.value)
        #expect(reasons.count { $0 == .ok } == 1)
        #expect(reasons.allSatisfy { [.ok, .publicKeyMismatch, .notProvisioned].contains($0) }, "\(reasons)")
    }

    @Test("a new key takes the place of the old one if both have signed, once")
    func rotation() throws {
        let pair = try Pair()
        let new = TestKey()
        try pair.client().rotate(to: new, counter: 1, within: .seconds(600))
        #expect(try pair.validatorPins.pin(of: .app) == .active(new.pinned, .software))
        #expect(pair.client().validate(within: .seconds(600)).report.reason == .publicKeyMismatch)
        #expect(pair.client(key: new).validate(within: .seconds(600)).report.result == .valid)
        #expect(throws: Refusal.self) {
            try pair.client(key: new).rotate(to: TestKey(), counter: 1, within: .seconds(600))
        }
        #expect(throws: Refusal.self) {
            try pair.client().rotate(to: TestKey(), counter: 2, within: .seconds(600))
        }
    }

    // MARK: What the app makes of an answer

    /// A validator that answers each first message of an app as the test says.
    private struct PlayedValidator: ValidatorEndpoint {
        let challenge: Sent<Challenge>
        let answer: @Sendable (Received) throws -> [UInt8]

        init(announcing key: Bytes32, answer: @escaping @Sendable (Received, Sent<Challenge>) throws -> [UInt8]) {
            let challenge = Sent(
                made: Challenge(
                    nonce: .random(), validatorKeyID: key, profile: .text2, capabilities: [], epoch: 7,
                    deadline: .seconds(600), handles: []))
            self.challenge = challenge
            self.answer = { try answer($0, challenge) }
        }

        func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            let (app, validator) = MemoryChannel.pair(
                first: PeerCredentials(process: 100, user: 1000, group: 1000),
                second: PeerCredentials(process: 200, user: 1001, group: 1001))
            Thread {
                do {
                    try validator.send(challenge.bytes, attachments: [], until: deadline)
                    let request = try validator.receive(until: deadline)
                    try validator.send(answer(request), attachments: [], until: deadline)
                } catch { validator.close() }
            }.start()
            return app
        }
    }

    /// The app of a pair, with another validator behind its endpoint.
    private func client(_ pair: Pair, _ validator: PlayedValidator) -> ValidationClient {
        ValidationClient(
            pair.client().identity, validator, pins: pair.appPins, inspector: pair.atValidator, requiresToken: false)
    }

    /// What differs from what a validator of the manifest says.
    enum Difference: CaseIterable {
        case none, announcedKey, olderEpoch, newerEpoch, hash, request

        var reason: Reason {
            switch self {
            case .none: .ok
            case .announcedKey: .publicKeyMismatch
            case .olderEpoch, .newerEpoch: .epochRollback
            case .hash: .hashMismatch
            case .request: .nonceMismatch
            }
        }
    }

    @Test(
        "an app pins no validator that is not the one it said it is, or not the manifest's",
        arguments: Difference.allCases)
    func playedValidator(difference: Difference) throws {
        let pair = try Pair(isProvisioned: false)
        let key = pair.validatorKey
        let hash = difference == .hash ? Bytes32.random() : pair.validatorHash
        let announced = difference == .announcedKey ? Bytes32.random() : key.pinned.id
        let validator = PlayedValidator(announcing: announced) { received, challenge in
            let request = try Sent<ProvisionRequest>(received)
            var answered = request.message
            if difference == .request { answered.nonce = .random() }
            let epoch: UInt32 =
                switch difference {
                case .olderEpoch: 6
                case .newerEpoch: 8
                default: 7
                }
            return try ProvisionResponse(
                to: answered, status: .pinned, reason: .ok, keyKind: .software, epoch: epoch, validatorHash: hash,
                token: nil, publicKey: key.pinned
            ).signed(by: key, answering: request, challenge: challenge).bytes
        }
        var reason = Reason.ok
        do throws(Refusal) {
            _ = try client(pair, validator).provision(token: nil, within: .seconds(600))
        } catch { reason = error.reason }
        #expect(reason == difference.reason)
        #expect(
            try pair.appPins.pin(of: .validator) == (difference == .none ? .active(key.pinned, .software) : .none))
    }

    @Test("a rotation is done when the pinned validator has signed so, and nobody else", arguments: [true, false])
    func rotationAnswer(isPinned: Bool) throws {
        let pair = try Pair()
        let key = isPinned ? pair.validatorKey : TestKey()
        let validator = PlayedValidator(announcing: key.pinned.id) { received, challenge in
            let request = try Sent<RotationRequest>(received)
            return try RotationResponse(from: .validator, to: request.message, status: .pinned, reason: .ok)
                .signed(by: key, answering: request, challenge: challenge).bytes
        }
        var reason = Reason.ok
        do throws(Refusal) {
            try client(pair, validator).rotate(to: TestKey(), counter: 1, within: .seconds(600))
        } catch { reason = error.reason }
        #expect(reason == (isPinned ? .ok : .signatureInvalid))
    }
}
