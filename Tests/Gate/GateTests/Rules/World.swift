import AppAttest
import NIOCore
import Synchronization

@testable import Gate

/// A clock that stands until a test moves it.
final class StillClock: GateClock {
    private let wall: Atomic<Int64>
    private let steady = Atomic<UInt64>(5_000_000_000)

    init(wall: Int64 = 1_760_000_000_000) { self.wall = Atomic(wall) }

    var now: Timestamp { Timestamp(milliseconds: wall.load(ordering: .relaxed)) }
    var uptime: NIODeadline { .uptimeNanoseconds(steady.load(ordering: .relaxed)) }

    func advance(milliseconds: Int64) {
        wall.wrappingAdd(milliseconds, ordering: .relaxed)
        steady.wrappingAdd(UInt64(milliseconds) * 1_000_000, ordering: .relaxed)
    }

    /// As an operator or NTP would.
    func setWall(_ time: Timestamp) { wall.store(time.milliseconds, ordering: .relaxed) }
}

/// Bytes that look random and are the same in every run.
final class SeededRandom: RandomSource {
    private let state = Mutex<UInt64>(7)

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        }
    }
}

actor ScriptedKeyStore: KeyStore {
    private(set) var records: [KeyID: AttestedKey] = [:]
    private var failure: StoreError?
    nonisolated let isLocal: Bool

    init(isLocal: Bool = true) { self.isLocal = isLocal }

    func fail(with failure: StoreError?) { self.failure = failure }
    func put(_ key: AttestedKey) { records[key.id] = key }
    private var checkFailure: StoreError?
    /// All else is answered, as from memory.
    func failChecks(with failure: StoreError?) { checkFailure = failure }

    private func guardUse() throws(StoreError) { if let failure { throw failure } }

    func insertIfAbsent(_ key: AttestedKey) async throws(StoreError) -> KeyInsertion {
        try guardUse()
        if let stored = records[key.id] { return .exists(stored) }
        records[key.id] = key
        return .inserted
    }

    /// How often a key was looked for.
    private(set) var searches = 0

    func key(_ id: KeyID) async throws(StoreError) -> AttestedKey? {
        searches += 1
        try guardUse()
        return records[id]
    }

    func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp
    ) async throws(StoreError) -> CounterAdvance {
        try guardUse()
        guard let record = records[id] else { return .unknown }
        guard record.revocation == nil else { return .revoked }
        guard signCount > record.signCount else { return .stale(current: record.signCount) }
        records[id]?.signCount = signCount
        records[id]?.facts = facts
        records[id]?.lastAssertedAt = now
        return .advanced
    }

    func noteUse(of keys: [KeyID], now: Timestamp) async throws(StoreError) {
        try guardUse()
        for id in keys { records[id]?.lastUsedAt = now }
    }

    func revoke(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        try guardUse()
        guard let record = records[id] else { return false }
        if record.revocation == nil { records[id]?.revocation = revocation }
        return true
    }

    private(set) var banned: [AccountTag: AccountBan] = [:]

    func ban(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        guard try await revoke(id, revocation) else { return false }
        if records[id]?.deviceBan == nil { records[id]?.deviceBan = .pending }
        return true
    }

    func settleDeviceBan(_ id: KeyID) async throws(StoreError) -> Bool {
        try guardUse()
        guard records[id]?.deviceBan == .pending else { return false }
        records[id]?.deviceBan = .set
        return true
    }

    func bind(_ id: KeyID, to account: AccountTag) async throws(StoreError) -> AccountBinding {
        try guardUse()
        guard let record = records[id] else { return .unknown }
        if !record.accounts.contains(account) { records[id]?.accounts.append(account) }
        return banned[account] == nil ? .bound : .banned
    }

    func ban(_ ban: AccountBan) async throws(StoreError) -> [KeyID] {
        try guardUse()
        banned[ban.account] = banned[ban.account] ?? ban
        return records.values.filter { $0.accounts.contains(ban.account) }.map(\.id)
    }

    func liftBan(of account: AccountTag) async throws(StoreError) -> Bool { banned.removeValue(forKey: account) != nil }

    func bans(after cursor: AccountTag?, limit: Int) async throws(StoreError) -> [AccountBan] { Array(banned.values) }

    func delete(_ id: KeyID) -> Bool { records.removeValue(forKey: id) != nil }

    func keys(after cursor: KeyID?, limit: Int) async throws(StoreError) -> [AttestedKey] {
        let sorted = records.values.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
        let rest =
            cursor.map { cursor in sorted.filter { cursor.bytes.lexicographicallyPrecedes($0.id.bytes) } } ?? sorted
        return Array(rest.prefix(limit))
    }

    func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey] {
        prefix.find(in: records.keys).compactMap { records[$0] }
    }

    private(set) var counts = 0

    func count() async throws(StoreError) -> Int {
        counts += 1
        return records.count
    }

    func updateReceipt(_ id: KeyID, expecting: [UInt8]?, new: StoredReceipt) async throws(StoreError) -> Bool {
        guard records[id]?.receipt?.bytes == expecting else { return false }
        records[id]?.receipt = new
        return true
    }

    func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) async throws(StoreError) -> [AttestedKey] {
        try guardUse()
        return records.values.filter { RiskSchedule.isDue($0, now: now) }.prefix(limit).compactMap { key in
            records[key.id]?.receipt?.notBefore = end
            return records[key.id]
        }
    }

    func removeUnused(for age: Duration, now: Timestamp, limit: Int) async throws(StoreError) -> Int { 0 }
    private(set) var checks = 0

    func check() async throws(StoreError) {
        checks += 1
        if let checkFailure { throw checkFailure }
        try guardUse()
    }
    func close() async {}
}

actor ScriptedNonceStore: NonceStore {
    private var nonces: [[UInt8]: Timestamp] = [:]
    private(set) var largest = 0
    /// The owners of all nonces that were ever put, in their order.
    private(set) var owners: [ClientKey] = []
    private var failure: StoreError?

    func fail(with failure: StoreError?) { self.failure = failure }

    func put(_ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey) async throws(StoreError) -> Bool {
        if let failure { throw failure }
        guard nonces[nonce] == nil else { return false }
        nonces[nonce] = expiresAt
        owners.append(owner)
        largest = max(largest, nonces.count)
        return true
    }

    /// How often somebody tried to use one up.
    private(set) var uses = 0

    func consume(_ nonce: [UInt8], now: Timestamp) async throws(StoreError) -> Bool {
        uses += 1
        return nonces.removeValue(forKey: nonce).map { now < $0 } == true
    }

    func markUsed(
        _ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await put(nonce, expiresAt: expiresAt, owner: owner)
    }

    func sweep(now: Timestamp) async throws(StoreError) {
        if let failure { throw failure }
        nonces = nonces.filter { now < $0.value }
    }

    func count() async throws(StoreError) -> Int { nonces.count }
    func close() async {}
}

/// A device of the tests: what it makes is judged by ``FormVerifier`` and nobody else.
struct FormDevice {
    let keyID: KeyID
    let publicKey: [UInt8]

    init(_ number: UInt8) {
        publicKey = [4] + Array(repeating: number, count: 64)
        keyID = KeyID(bytes: [number] + Array(repeating: 0x5a, count: 31)) ?? KeyID.zero
    }

    func attestation(over hash: [UInt8]) -> [UInt8] { [0xa3] + hash + publicKey }

    func assertion(over hash: [UInt8], counter: UInt32) -> [UInt8] {
        [0xa2] + hash + publicKey + (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * UInt32($0))) }
    }
}

extension KeyID {
    static let zero = KeyID(bytes: Array(repeating: 0, count: 32)) ?? FormDevice(0).keyID
}

/// Judges the forms that ``FormDevice`` makes, in the order of the specification's steps.
struct FormVerifier: AttestationVerifying, AssertionVerifying {
    static let appID = AppID("TESTTEAM01.com.example.gate")
    var failure: VerificationFailure?
    var receipt: StoredReceipt?

    func verify(
        attestation: [UInt8], keyID: KeyID, clientDataHash: [UInt8], now: Timestamp
    ) async throws(VerificationFailure) -> AttestationVerdict {
        if let failure { throw failure }
        guard attestation.count == 98, attestation[0] == 0xa3, let appID = Self.appID else {
            throw .rejected(.malformedCBOR)
        }
        guard Array(attestation[1..<33]) == clientDataHash else { throw .rejected(.nonceMismatch) }
        guard keyID == FormDevice(attestation[34]).keyID else { throw .rejected(.keyIDMismatch) }
        return AttestationVerdict(
            appID: appID, environment: .production, publicKey: Array(attestation[33...]), facts: AssertionFacts(),
            receipt: receipt)
    }

    func verify(
        assertion: [UInt8], clientDataHash: [UInt8], publicKey: [UInt8], storedSignCount: UInt32, appID: AppID
    ) throws(VerificationFailure) -> AssertionVerdict {
        if let failure { throw failure }
        guard assertion.count == 102, assertion[0] == 0xa2 else { throw .rejected(.malformedCBOR) }
        guard Array(assertion[1..<33]) == clientDataHash, Array(assertion[33..<98]) == publicKey else {
            throw .rejected(.signatureInvalid)
        }
        let counter = assertion[98...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard counter > storedSignCount else { throw .rejected(.counterNotIncreasing) }
        return AssertionVerdict(signCount: counter, facts: AssertionFacts())
    }
}
