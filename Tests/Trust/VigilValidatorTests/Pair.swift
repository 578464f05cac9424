import CodeMeasurement
import Cryptography
import Foundation
import HardwareKeys
import SecretMemory
import Synchronization

@testable import Vigil
@testable import VigilValidator

/// A key of this process, for tests.
struct TestKey: SigningKey {
    private let key: P256PrivateKey
    var kind = KeyKind.software

    init() {
        do { key = try P256PrivateKey.random() } catch { fatalError("no memory for a key: \(error)") }
    }

    var publicKey: [UInt8] { key.publicKey.x963 }
    var pinned: PublicKey { PublicKey(x963: publicKey)! }

    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        guard let signature = key.sign(digest: digest) else { throw .unavailable(.none) }
        return signature.raw
    }
}

/// Pins in memory.
final class TestPins: PinStore {
    private let pins: Mutex<[Role: Pin]>
    private let counter = Mutex<UInt64>(0)

    init(_ pins: [Role: Pin] = [:]) {
        self.pins = Mutex(pins)
    }

    func pin(of role: Role) throws(Refusal) -> Pin { pins.withLock { $0[role] ?? .none } }

    func set(_ role: Role, _ pin: Pin) { pins.withLock { $0[role] = pin } }

    func pin(_ key: PublicKey, kind: KeyKind, role: Role) throws(Refusal) -> ProvisionStatus {
        try pins.withLock { (pins) throws(Refusal) in
            if case .active(let pinned, _) = pins[role] ?? .none {
                guard pinned == key else { throw Refusal(.publicKeyMismatch, "another key is pinned") }
                return .alreadyPinned
            }
            pins[role] = .active(key, kind)
            return .pinned
        }
    }

    func replace(_ old: Bytes32, by key: PublicKey, kind: KeyKind, counter: UInt64, role: Role) throws(Refusal) {
        try self.counter.withLock { (last) throws(Refusal) in
            guard counter > last else { throw Refusal(.nonceMismatch, "an old rotation") }
            last = counter
        }
        set(role, .active(key, kind))
    }
}

/// A process at the other end of which the test decides what is seen.
final class TestInspector: PeerInspector, InspectedPeer {
    private let state = Mutex(State())

    struct State: Sendable {
        var measured: Levels = [.files, .mapShape, .codePages]
        var hash: Bytes32?
        var refusal: Refusal?
        var looks = 0
        var attachments = 0
        /// Each look waits for it.
        var gate: DispatchSemaphore?
        /// Whoever finds out which process is at the other end waits for it.
        var entrance: DispatchSemaphore?
        /// Why whoever is at the other end may not connect.
        var stranger: Refusal?
        /// What happens while it looks.
        var meanwhile: @Sendable () -> Void = {}
    }

    init(_ hash: Bytes32?) {
        state.withLock { $0.hash = hash }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var looks: Int { state.withLock(\.looks) }

    let identity: ProcessIdentity? = nil

    func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer {
        state.withLock(\.entrance)?.wait()
        if let stranger = state.withLock(\.stranger) { throw stranger }
        return self
    }

    func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
        state.withLock { $0.attachments += attachments.count }
    }

    func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
        let now = state.withLock { state in
            state.looks += 1
            return state
        }
        now.gate?.wait()
        now.meanwhile()
        if let refusal = now.refusal { throw refusal }
        return Inspection(measured: now.measured, hash: levels.contains(.files) ? now.hash : nil)
    }
}

/// An app and its validator, each on a thread, with a wire between them.
final class Pair: Sendable {
    let appKey = TestKey()
    let validatorKey = TestKey()
    let appHash = Bytes32.hash(of: Array("app".utf8))
    let validatorHash = Bytes32.hash(of: Array("validator".utf8))
    let appPins: TestPins
    let validatorPins: TestPins
    /// Looks at the app.
    let atApp: TestInspector
    /// Looks at the validator.
    let atValidator: TestInspector
    let window = TimedWindow()
    /// The installer's token, at the validator.
    let token: Mutexed<SecretBytes?>
    let verdicts = Mutex<[Verdict]>([])
    let findings = Mutex<[Reason]>([])
    let reportedHash: Mutex<Bytes32>
    let engine: Mutex<VigilValidatorEngine?> = Mutex(nil)
    let wire: Mutex<(@Sendable (MemoryChannel) -> any MessageChannel)?> = Mutex(nil)
    /// The same at the validator's end.
    let validatorWire: Mutex<(@Sendable (MemoryChannel) -> any MessageChannel)?> = Mutex(nil)

    init(
        isProvisioned: Bool = true, grant: [UInt8]? = nil, token: [UInt8]? = nil, appEpoch: UInt32 = 7,
        speaksVersionOne: Bool = false, givesEvidence: Bool = false, profile: HashProfile = .text2,
        _ change: (inout ValidatorPolicy) -> Void = { _ in }
    ) throws {
        self.appEpoch = appEpoch
        appPins = TestPins(isProvisioned ? [.validator: .active(validatorKey.pinned, .software)] : [:])
        validatorPins = TestPins(isProvisioned ? [.app: .active(appKey.pinned, .software)] : [:])
        self.profile = profile
        // In profile 1 a side reports another digest than that of its files.
        appFiles = profile == .text1 ? .hash(of: Array("app files".utf8)) : appHash
        validatorFiles = profile == .text1 ? .hash(of: Array("validator files".utf8)) : validatorHash
        atApp = TestInspector(appFiles)
        atValidator = TestInspector(validatorFiles)
        reportedHash = Mutex(appHash)
        var policy = ValidatorPolicy()
        policy.scanInterval = .milliseconds(20)
        // Nobody waits for it; on a busy machine a side may come to its next step late.
        policy.stateTime = .seconds(60)
        policy.requiresToken = token != nil
        policy.profile = profile
        change(&policy)
        requiresToken = policy.requiresToken
        let secret = try grant.map { try SecretBytes(copying: $0) }
        let installersToken = Mutexed(try token.map { try SecretBytes(copying: $0) })
        self.token = installersToken
        var identity = ValidatorIdentity(
            key: validatorKey, hash: validatorHash, appHash: appHash, appFiles: appFiles, epoch: 7, grant: secret,
            token: { () throws(Refusal) in installersToken.value })
        if speaksVersionOne { identity.versionOneHashes = .init(app: appHash, validator: validatorHash) }
        let engine = VigilValidatorEngine(
            identity, policy, pins: validatorPins, inspector: atApp, window: window,
            evidence: givesEvidence ? evidence : nil,
            onVerdict: { [weak self] verdict in self?.verdicts.withLock { $0.append(verdict) } },
            onFinding: { [weak self] refusal, _ in self?.findings.withLock { $0.append(refusal.reason) } })
        self.engine.withLock { $0 = engine }
    }

    private let profile: HashProfile
    let appFiles, validatorFiles: Bytes32
    private let appEpoch: UInt32
    private let requiresToken: Bool

    /// Writes what a validator of the product `pair` says.
    private var evidence: EvidenceSource {
        { [validatorKey, appFiles, validatorFiles] (request, facts) throws(Refusal) in
            let evidence = Evidence(
                product: "pair", epoch: 7, audience: request.audience, verifierNonce: request.verifierNonce,
                issuedAt: Date(), appKeyID: facts.app.id, validatorKeyID: validatorKey.pinned.id,
                appText2: appFiles, validatorText2: validatorFiles, measured: facts.measured,
                transcript: facts.transcript, appKeyKind: facts.appKind, validatorKeyKind: .software)
            do throws(HardwareKeyError) { return try evidence.signed(by: validatorKey) } catch {
                throw Refusal(.internal, "\(error)")
            }
        }
    }

    /// What ended sessions, once all conversations are over.
    func ended() -> [Reason] {
        engine.withLock { $0 }?.finish(within: .seconds(600))
        return findings.withLock { $0 }
    }

    /// The app, with a connection to the validator each time it connects.
    func client(
        key: TestKey? = nil, required: Levels = [.files, .mapShape, .codePages], requiresToken: Bool? = nil
    ) -> ValidationClient {
        let identity = AppIdentity(
            key: key ?? appKey,
            measure: { [weak self] () throws(Refusal) in self?.reportedHash.withLock { $0 } ?? .zero },
            validatorHash: validatorHash, validatorFiles: validatorFiles, text2: appFiles, epoch: appEpoch,
            profile: profile)
        return ValidationClient(
            identity, endpoint, pins: appPins, inspector: atValidator, requiredLevels: required,
            requiresToken: requiresToken ?? self.requiresToken)
    }

    /// The app as one that speaks version 1. Of the two kinds of hash a test needs only one.
    func versionOneClient(
        _ policy: VersionOne.NoncePolicy = .requireEcho, key: TestKey? = nil
    ) -> ValidationClient {
        let usual = client(key: key)
        let mode = VersionOneMode(
            validatorHash: validatorHash, noncePolicy: policy, measure: usual.identity.measure)
        return ValidationClient(
            usual.identity, usual.endpoint, pins: appPins, inspector: atValidator,
            requiredLevels: [.files, .mapShape, .codePages], requiresToken: false, versionOne: mode)
    }

    var endpoint: any ValidatorEndpoint { Endpoint(pair: self) }

    private struct Endpoint: ValidatorEndpoint {
        let pair: Pair

        func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            let (app, validator) = MemoryChannel.pair(
                first: PeerCredentials(process: 100, user: 1000, group: 1000),
                second: PeerCredentials(process: 200, user: 1001, group: 1001))
            let served = pair.validatorWire.withLock { $0 }?(validator) ?? validator
            Thread { [pair] in pair.engine.withLock { $0 }?.serve(served) }.start()
            let change = pair.wire.withLock { $0 }
            return change?(app) ?? app
        }
    }
}

extension Pair {
    /// Has the wire of the app's next channels change what goes over it.
    func meddle(
        incoming: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] },
        outgoing: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) {
        wire.withLock { $0 = { Meddler($0, incoming: incoming, outgoing: outgoing) } }
    }
}

/// A wire that changes what goes over it.
final class Meddler: MessageChannel {
    private let channel: any MessageChannel
    private let incoming: @Sendable ([UInt8]) -> [[UInt8]]
    private let outgoing: @Sendable ([UInt8]) -> [[UInt8]]
    private let waiting = Mutex<[Received]>([])
    var peer: PeerCredentials? { channel.peer }

    init(
        _ channel: any MessageChannel, incoming: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] },
        outgoing: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) {
        self.channel = channel
        self.incoming = incoming
        self.outgoing = outgoing
    }

    func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError) {
        for part in outgoing(message) { try channel.send(part, attachments: attachments, until: deadline) }
    }

    func receive(until deadline: Deadline) throws(ChannelError) -> Received {
        while true {
            if let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return next }
            let received = try channel.receive(until: deadline)
            let parts = incoming(received.message)
            waiting.withLock { $0 += parts.map { Received($0, sender: received.sender) } }
        }
    }

    func close() { channel.close() }
}

/// Counts how often what comes over a channel is read, by the type of the message.
final class CountingChannel: MessageChannel {
    private let channel: any MessageChannel
    private let reads: Reads
    var peer: PeerCredentials? { channel.peer }

    init(_ channel: any MessageChannel, _ reads: Reads) {
        self.channel = channel
        self.reads = reads
    }

    func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError) {
        try channel.send(message, attachments: attachments, until: deadline)
    }

    func receive(until deadline: Deadline) throws(ChannelError) -> Received {
        var received = try channel.receive(until: deadline)
        let type = try? received.header().type
        received.onReading = { [reads] in reads.add(type) }
        return received
    }

    func close() { channel.close() }
}

final class Reads: Sendable {
    private let counts = Mutex<[MessageType: Int]>([:])

    func add(_ type: MessageType?) { if let type { counts.withLock { $0[type, default: 0] += 1 } } }
    var all: [MessageType: Int] { counts.withLock { $0 } }
}
