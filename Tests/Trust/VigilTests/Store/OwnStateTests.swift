import Foundation
import HardwareKeys
import Logging
import TestSupport
import Testing

@testable import Vigil

@Suite("A key and its store")
struct OwnStateTests {
    private let folder: Scratch
    private let directory: StateDirectory
    private let peer = TestKey().pinned

    init() throws {
        folder = try Scratch()
        directory = try StateDirectory(path: folder.path("state"))
    }

    private var store: URL { folder.url.appending(path: "state/attestation.json") }

    private func open(making makes: Bool = true, tpm: TPMAddress? = nil) throws(StoreError) -> OwnState? {
        try OwnState.open(
            "com.vigil.app", of: .app, product: "p", in: directory,
            keys: HardwareSigningKeys(
                in: directory, hardware: HardwareSigningKeys.standardHardware(tpm: tpm),
                policy: KeyPolicy(requireHardware: false), logger: Logger(label: "tests")),
            tpm: tpm, making: makes)
    }

    private func isCorrupted() -> Bool {
        do throws(StoreError) { _ = try open() } catch {
            if case .storageCorrupted = error { return true }
        }
        return false
    }

    @Test("are made once, together")
    func made() throws {
        #expect(try open(making: false) == nil)
        let first = try #require(try open())
        #expect(first.isNew)
        #expect(try first.store.content().generation == 1)
        let second = try #require(try open())
        #expect(!second.isNew && second.key.publicKey == first.key.publicKey)
        #expect(try open(making: false)?.key.publicKey == first.key.publicKey)
    }

    @Test("a key whose store was taken away is not given an empty one")
    func lostStore() throws {
        let state = try #require(try open())
        try state.store.storeValidatorPublicKey(peer, kind: .software)
        try state.store.raise(epoch: 7)
        try FileManager.default.removeItem(at: store)
        #expect(isCorrupted())
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("a store whose key was taken away is not given another one")
    func lostKey() throws {
        _ = try #require(try open())
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where name.hasPrefix("com.vigil.app") {
            try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
        }
        #expect(isCorrupted())
        #expect(isCorrupted())
    }

    @Test("several that start at once agree on one key")
    func together() async throws {
        let keys = await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<4 { group.addTask { (try? open())?.key.publicKey } }
            return await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
        }
        #expect(keys.count == 1 && !keys.contains(nil))
    }

    @Test("in a TPM are guarded by its counter: an older store is refused", .enabled(if: SoftwareTPM.isInstalled))
    func counted() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        #expect(state.key.kind == .tpm2)
        try state.store.storeValidatorPublicKey(peer, kind: .tpm2)
        let old = try Data(contentsOf: store)
        try state.store.revoke(peer.id)
        #expect(try open(tpm: tpm)?.store.pins().pin(of: .validator) == .revoked)
        try old.write(to: store)
        let restored = try #require(try open(tpm: tpm))
        #expect(throws: StoreError.self) { try restored.store.content() }
        // Nor without the counter.
        try FileManager.default.removeItem(atPath: "\(directory.path)/attestation.counter")
        #expect(throws: StoreError.self) { try open(tpm: tpm) }
    }
}
