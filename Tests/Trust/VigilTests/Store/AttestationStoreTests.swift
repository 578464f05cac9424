import Foundation
import HardwareKeys
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import Vigil

@Suite("The store of peers")
struct AttestationStoreTests {
    private let folder: TemporaryFolder
    private let directory: StateDirectory
    private let key = TestKey()
    private let peer = TestKey().pinned
    private let other = TestKey().pinned

    init() throws {
        folder = try TemporaryFolder()
        directory = try StateDirectory(path: folder.path("state"))
        try store().create()
    }

    private var file: URL { folder.url.appending(path: "state/attestation.json") }

    private func store(
        key: TestKey? = nil, owner: Role = .app, product: String = "p", counters: (any GenerationCounters)? = nil
    ) -> AttestationStore {
        AttestationStore(
            in: directory, key: key ?? self.key, owner: owner, product: product, counters: counters,
            now: { Date(timeIntervalSince1970: 1_767_225_600) })
    }

    private func error(_ body: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) { try body() } catch { return error }
        return nil
    }

    private func isCorrupted(_ store: AttestationStore) -> Bool {
        if case .storageCorrupted = error({ () throws(StoreError) in _ = try store.content() }) { true } else { false }
    }

    @Test("nobody is pinned at first")
    func empty() throws {
        #expect(try store().content().pin(of: .validator, label: "default") == .none)
        #expect(!store().isAttestationConfigured)
        #expect(try store().validatorPublicKey() == nil)
        #expect(try store().content().generation == 1)
    }

    @Test("what was verified once is verified again as soon as a byte of the file is another")
    func verifiedAgain() throws {
        let store = store()
        try store.storeValidatorPublicKey(peer, kind: .software)
        let good = try Data(contentsOf: file)
        for _ in 0..<2 { #expect(try store.validatorPublicKey() == peer) }
        for place in stride(from: 0, to: good.count, by: 7) {
            var bad = good
            bad[place] ^= 1
            try bad.write(to: file)
            chmod(file.path, 0o600)
            if let found = try? store.content() {
                // A change of what JSON does not mean anything by.
                #expect(found.pin(of: .validator, label: "default") == .active(peer, .software), "byte \(place)")
            }
        }
        try good.write(to: file)
        chmod(file.path, 0o600)
        #expect(try store.validatorPublicKey() == peer)
        try FileManager.default.removeItem(at: file)
        #expect(isCorrupted(store))
    }

    @Test("one that is missing is corrupted, never empty, and one that is there is not made anew")
    func missing() throws {
        try store().storeValidatorPublicKey(peer, kind: .tpm2)
        let before = try Data(contentsOf: file)
        #expect(error { () throws(StoreError) in try store().create() } != nil)
        #expect(try Data(contentsOf: file) == before)
        try FileManager.default.removeItem(at: file)
        #expect(isCorrupted(store()))
        #expect(error { () throws(StoreError) in try store().raise(epoch: 1) } != nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a pin is there for whoever opens the store next")
    func pinned() throws {
        try store().storeValidatorPublicKey(peer, kind: .tpm2)
        #expect(try store().validatorPublicKey() == peer)
        #expect(try store().appPublicKey() == nil)
        #expect(store().isAttestationConfigured)
        let content = try store().content()
        #expect(content.generation == 2)
        #expect(content.peers[0].pinnedAt.rfc3339 == "2026-01-01T00:00:00Z")
        #expect(content.pin(of: .validator, label: "default") == .active(peer, .tpm2))
    }

    @Test("a peer of the same role makes no configured store")
    func sameRole() throws {
        try store().storeAppPublicKey(peer, kind: .software)
        #expect(!store().isAttestationConfigured)
    }

    @Test("an active pin is never overwritten, and the same key again changes nothing")
    func neverOverwritten() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        let before = try Data(contentsOf: file)
        #expect(try store().pin(peer, kind: .software, role: .validator) == .alreadyPinned)
        #expect(
            error { () throws(StoreError) in try store().storeValidatorPublicKey(other, kind: .software) }
                == .anotherKeyPinned(peer.id))
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("labels keep several validators apart")
    func labels() throws {
        try store().pin(peer, kind: .software, role: .validator, label: "one")
        try store().pin(other, kind: .software, role: .validator, label: "two")
        #expect(try store().pins(label: "one").pin(of: .validator) == .active(peer, .software))
        #expect(try store().pins(label: "two").pin(of: .validator) == .active(other, .software))
        #expect(try store().pins().pin(of: .validator) == .none)
    }

    @Test("a revoked key says so, is not pinned again, and makes room for another")
    func revoked() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        try store().revoke(peer.id)
        #expect(try store().pins().pin(of: .validator) == .revoked)
        #expect(!store().isAttestationConfigured)
        #expect(
            error { () throws(StoreError) in try store().storeValidatorPublicKey(peer, kind: .software) }
                == .revoked(peer.id))
        try store().storeValidatorPublicKey(other, kind: .software)
        #expect(try store().validatorPublicKey() == other)
        // Nor does it come back by a rotation.
        #expect(
            error { () throws(StoreError) in
                try store().replace(other.id, by: peer, kind: .software, counter: 1, role: .validator)
            } == .revoked(peer.id))
        #expect(try store().validatorPublicKey() == other)
        #expect(
            error { () throws(StoreError) in try store().revoke(key.pinned.id) } == .unknownKey(key.pinned.id))
    }

    @Test("a key that is pinned under several labels is revoked, and unpinned, under all of them")
    func severalLabels() throws {
        for label in ["a", "b"] { try store().pin(peer, kind: .software, role: .validator, label: label) }
        func pins() throws -> [Pin] { try ["a", "b"].map { try store().content().pin(of: .validator, label: $0) } }
        #expect(try pins() == [.active(peer, .software), .active(peer, .software)])
        try store().revoke(peer.id)
        #expect(try pins() == [.revoked, .revoked])
        try store().unpin(peer.id)
        #expect(try pins() == [.none, .none])
    }

    @Test("an unpinned key is forgotten")
    func unpinned() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        try store().unpin(peer.id)
        #expect(try store().pins().pin(of: .validator) == .none)
        #expect(error { () throws(StoreError) in try store().unpin(peer.id) } == .unknownKey(peer.id))
    }

    @Test("a rotation replaces the pin, and an old one is refused")
    func rotated() throws {
        let third = TestKey().pinned
        try store().storeValidatorPublicKey(peer, kind: .software)
        try store().replace(peer.id, by: other, kind: .tpm2, counter: 5, role: .validator)
        #expect(try store().pins().pin(of: .validator) == .active(other, .tpm2))
        let refusals: [StoreError?] = [
            error { () throws(StoreError) in
                try store().replace(other.id, by: third, kind: .tpm2, counter: 5, role: .validator)
            },
            error { () throws(StoreError) in
                try store().replace(peer.id, by: third, kind: .tpm2, counter: 6, role: .validator)
            },
            error { () throws(StoreError) in
                try store().replace(other.id, by: third, kind: .software, counter: 6, role: .validator)
            },
            error { () throws(StoreError) in
                try store().replace(other.id, by: third, kind: .tpm2, counter: 6, role: .app)
            },
        ]
        #expect(
            refusals == [
                .staleRotation(counter: 5, last: 5), .unknownKey(peer.id),
                .downgrade(pinned: .tpm2, found: .software), .unknownKey(other.id),
            ])
        #expect(try store().content().rotationCounter == 5)
    }

    @Test("a rotation of one peer keeps no other from its own, and none goes far ahead")
    func rotationCounters() throws {
        let third = TestKey().pinned
        try store().pin(peer, kind: .software, role: .validator, label: "one")
        try store().pin(other, kind: .software, role: .validator, label: "two")
        for counter in [UInt64.max, UInt64(Int64.max), 1025, 0] {
            let refusal = error { () throws(StoreError) in
                try store().replace(
                    peer.id, by: third, kind: .software, counter: counter, role: .validator, label: "one")
            }
            #expect(refusal == .staleRotation(counter: counter, last: 0))
        }
        try store().replace(peer.id, by: third, kind: .software, counter: 1024, role: .validator, label: "one")
        try store().replace(
            other.id, by: TestKey().pinned, kind: .software, counter: 1, role: .validator, label: "two")
        #expect(try store().content().peers.map(\.rotationCounter) == [1024, 1])
        try store().replace(
            third.id, by: TestKey().pinned, kind: .software, counter: 2048, role: .validator, label: "one")
    }

    @Test("the epoch only rises, also when everything is cleared")
    func epoch() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        try store().raise(epoch: 7)
        try store().raise(epoch: 7)
        #expect(
            error { () throws(StoreError) in try store().raise(epoch: 6) } == .epochRollback(found: 6, stored: 7))
        try store().clear()
        #expect(try store().content().peers.isEmpty)
        #expect(try store().content().epoch == 7)
    }

    @Test("a store that was edited, cut off, emptied or made by another key is corrupted, never empty")
    func corrupted() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        let good = try Data(contentsOf: file)
        func isCorrupted(with content: Data) throws -> Bool {
            try content.write(to: file)
            let found = self.isCorrupted(store())
            let refused = error { () throws(StoreError) in try store().storeAppPublicKey(other, kind: .software) }
            // Nothing is written over it.
            return try found && refused != nil && Data(contentsOf: file) == content
        }
        for count in stride(from: 0, to: good.count - 1, by: 7) { #expect(try isCorrupted(with: good.prefix(count))) }
        var envelope = try Envelope(parsing: Array(good))
        #expect(try isCorrupted(with: Data(Envelope(type: envelope.type, payload: envelope.unverified).json)))
        envelope = Envelope(
            type: envelope.type, payload: envelope.unverified.replacing("active", with: "revoked"),
            signatures: envelope.signatures)
        #expect(try isCorrupted(with: Data(envelope.json)))
        let foreign = try Envelope(type: envelope.type, payload: Envelope(parsing: Array(good)).unverified)
            .signed(by: TestKey())
        #expect(try isCorrupted(with: Data(foreign.json)))
        let evidence = try Envelope(type: Evidence.payloadType, payload: Envelope(parsing: Array(good)).unverified)
            .signed(by: key)
        #expect(try isCorrupted(with: Data(evidence.json)))
        try good.write(to: file)
        #expect(throws: Never.self) { try store().content() }
    }

    @Test("a store of another role, product or key is corrupted")
    func foreign() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        #expect(isCorrupted(store(owner: .validator)))
        #expect(isCorrupted(store(product: "q")))
        #expect(isCorrupted(store(key: TestKey())))
    }

    @Test(
        "while the own key changes, the store opens with the old one and the new one, and afterwards with the new one")
    func successor() throws {
        let next = TestKey()
        try store().storeValidatorPublicKey(peer, kind: .software)
        try store().prepare(successor: next)
        #expect(try store().validatorPublicKey() == peer)
        #expect(try store(key: next).validatorPublicKey() == peer)
        try store(key: next).raise(epoch: 1)
        #expect(try store(key: next).validatorPublicKey() == peer)
        #expect(isCorrupted(store()))
    }

    @Test("what a handshake is told are the reasons of the protocol")
    func refusals() throws {
        let pins = store().pins()
        #expect(try pins.pin(peer, kind: .software, role: .validator) == .pinned)
        func reason(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? Refusal).map { "\($0.reason)" } }
            return nil
        }
        #expect(reason { _ = try pins.pin(other, kind: .software, role: .validator) } == "publicKeyMismatch")
        try pins.replace(peer.id, by: other, kind: .software, counter: 1, role: .validator)
        #expect(
            reason { try pins.replace(other.id, by: peer, kind: .software, counter: 1, role: .validator) }
                == "nonceMismatch")
        try Data("x".utf8).write(to: file)
        #expect(reason { _ = try pins.pin(of: .validator) } == "internal")
    }

    @Test("a process that was killed while it wrote leaves the old content, and no obstacle")
    func killed() throws {
        try store().storeValidatorPublicKey(peer, kind: .software)
        let whole = try Data(contentsOf: file)
        for count in [0, 1, whole.count / 2, whole.count] {
            // What is there between the two steps of a writing.
            let half = folder.url.appending(path: "state/.attestation.json.new")
            try whole.prefix(count).write(to: half)
            #expect(try store().validatorPublicKey() == peer)
            try store().raise(epoch: UInt32(count) + 1)
            #expect(try store().content().epoch == UInt32(count) + 1)
            #expect(!FileManager.default.fileExists(atPath: half.path))
        }
    }

    @Test("writers at the same time lose nothing of each other")
    func concurrent() async throws {
        let store = store()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = try? store.pin(TestKey().pinned, kind: .software, role: .validator, label: "\(number)")
                }
            }
        }
        let content = try store.content()
        #expect(Set(content.peers.map(\.label)).count == 12)
        #expect(content.generation == 13)
    }

    @Test("there is room for 64 peers")
    func full() throws {
        for number in 0..<64 { try store().pin(TestKey().pinned, kind: .software, role: .app, label: "\(number)") }
        #expect(error { () throws(StoreError) in try store().storeAppPublicKey(peer, kind: .software) } == .full)
    }
}

/// Counts in memory; can fail, as hardware does.
final class MemoryCounters: GenerationCounters {
    private let state = Mutex((value: UInt64(40), fails: false, losesAnswers: false, defined: 0))

    /// How many counters there are.
    var defined: Int { state.withLock { $0.defined } }

    func define() throws(HardwareKeyError) -> StoreCounter {
        let start = state.withLock { state in
            state.defined += 1
            return state.value
        }
        return StoreCounter(index: 0x0180_0000, start: start, authorisation: .random())
    }

    func undefine(_ counter: StoreCounter) throws(HardwareKeyError) { state.withLock { $0.defined -= 1 } }

    func attributed(_ counter: StoreCounter) throws(HardwareKeyError) -> StoreCounter { counter }

    func value(of counter: StoreCounter) throws(HardwareKeyError) -> UInt64 { state.withLock { $0.value } }

    func increment(_ counter: StoreCounter) throws(HardwareKeyError) {
        let failed = state.withLock { state in
            if !state.fails { state.value += 1 }
            return state.fails || state.losesAnswers
        }
        if failed { throw .unavailable(.failureMode) }
    }

    func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

    /// Counts, and says from now on that it could not.
    func loseAnswers() { state.withLock { $0.losesAnswers = true } }
}

@Suite("The store of peers with a counter in hardware")
struct GuardedStoreTests {
    private let folder: TemporaryFolder
    private let directory: StateDirectory
    private let key = TestKey()
    private let counters = MemoryCounters()

    init() throws {
        folder = try TemporaryFolder()
        directory = try StateDirectory(path: folder.path("state"))
        try store.create()
    }

    private var file: URL { folder.url.appending(path: "state/attestation.json") }

    private var store: AttestationStore {
        AttestationStore(in: directory, key: key, owner: .app, product: "p", counters: counters)
    }

    @Test("a counter that has counted and whose answer was lost is no failure of what was written")
    func lostAnswer() throws {
        counters.loseAnswers()
        let peer = TestKey().pinned
        #expect(try store.pin(peer, kind: .software, role: .app) == .pinned)
        try store.revoke(peer.id)
        #expect(try store.content().generation == 3)
        // Where it has not counted, that is told, and the next reading completes it.
        counters.fail(true)
        #expect(throws: StoreError.self) { try store.unpin(peer.id) }
        counters.fail(false)
        #expect(try store.content().peers.isEmpty)
    }

    /// A key in hardware that does not answer.
    private struct SilentKey: SigningKey {
        let kind = KeyKind.tpm2
        let publicKey = TestKey().publicKey

        func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] { throw .unavailable(.failureMode) }
    }

    @Test("one that cannot be written leaves no counter, and one that was written keeps it")
    func counterOfNone() throws {
        try FileManager.default.removeItem(at: file)
        #expect(counters.defined == 1)
        let silent = AttestationStore(in: directory, key: SilentKey(), owner: .app, product: "p", counters: counters)
        for _ in 0..<2 { #expect(throws: StoreError.self) { try silent.create() } }
        #expect(counters.defined == 1 && !FileManager.default.fileExists(atPath: file.path))
        // The file is one ahead, as after a crash.
        counters.fail(true)
        #expect(throws: StoreError.self) { try store.create() }
        counters.fail(false)
        #expect(try counters.defined == 2 && store.content().generation == 1)
    }

    @Test("an older file, or none, is corrupted")
    func rolledBack() throws {
        try store.raise(epoch: 1)
        let old = try Data(contentsOf: file)
        try store.raise(epoch: 2)
        #expect(try store.content().epoch == 2)
        try old.write(to: file)
        #expect(throws: StoreError.self) { try store.content() }
        try FileManager.default.removeItem(at: file)
        #expect(throws: StoreError.self) { try store.content() }
    }

    @Test("after a crash between writing and counting the new content counts, and the old one no more")
    func crashed() throws {
        try store.raise(epoch: 1)
        let old = try Data(contentsOf: file)
        counters.fail(true)
        #expect(throws: StoreError.self) { try store.raise(epoch: 2) }
        counters.fail(false)
        #expect(try store.content().epoch == 2)
        try old.write(to: file)
        #expect(throws: StoreError.self) { try store.content() }
    }
}
