import Foundation
import Logging
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys
@testable import Vigil

@Suite("A key and its store")
struct OwnStateTests {
    private let folder: TemporaryFolder
    private let directory: StateDirectory
    private let peer = TestKey().pinned

    init() throws {
        folder = try TemporaryFolder()
        directory = try StateDirectory(path: folder.path("state"))
    }

    private var store: URL { folder.url.appending(path: "state/attestation.json") }

    private func open(making makes: Bool = true, tpm: TPMAddress? = nil) throws(StoreError) -> OwnState? {
        try open(in: directory, making: makes, tpm: tpm)
    }

    private func open(
        in directory: StateDirectory, making makes: Bool = true, tpm: TPMAddress? = nil
    ) throws(StoreError) -> OwnState? {
        try OwnState.open(
            "com.vigil.app", of: .app, product: "p", in: directory, keys: keys(tpm), tpm: tpm, making: makes)
    }

    private func keys(_ tpm: TPMAddress?) -> HardwareSigningKeys {
        HardwareSigningKeys(
            in: directory, hardware: HardwareSigningKeys.standardHardware(tpm: tpm),
            policy: KeyPolicy(requireHardware: false), logger: Logger(label: "tests"))
    }

    private func isCorrupted(in other: StateDirectory? = nil, tpm: TPMAddress? = nil) -> Bool {
        do throws(StoreError) { _ = try open(in: other ?? directory, tpm: tpm) } catch {
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

    @Test("a key that an earlier version left without a store is told with the step that helps, which does")
    func leftKey() throws {
        let before = try #require(try open()).key.publicKey
        try FileManager.default.removeItem(at: store)
        var text = ""
        do throws(StoreError) { _ = try open() } catch { text = error.description }
        #expect(text.contains("never provisioned") && text.contains("\(directory.path)/com.vigil.app.*"), "\(text)")
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where name.hasPrefix("com.vigil.app.") {
            try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
        }
        let state = try #require(try open())
        #expect(try state.isNew && state.key.publicKey != before && state.store.content().generation == 1)
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

    /// Files in the order in which the first start writes them.
    private static let written = ["com.vigil.app.kind", "com.vigil.app.vgsk", "attestation.json"]

    @Test(
        "killed anywhere in the first start, the next one makes both; taken away later, neither is made again",
        arguments: 0...3)
    func killed(count: Int) throws {
        let whole = try #require(try open())
        let killed = try StateDirectory(path: folder.path("killed"))
        let first = try StateDirectory(path: killed.path + "/.first")
        try first.write("making", SecretBytes(copying: Array("com.vigil.app\n".utf8)))
        for (place, name) in Self.written.enumerated() where place <= count {
            // What the next step had begun to write.
            let copy = place < count ? name : ".\(name).new"
            try FileManager.default.copyItem(atPath: "\(directory.path)/\(name)", toPath: "\(killed.path)/\(copy)")
        }
        // Who only looks makes nothing, and takes nothing away.
        let before = try FileManager.default.contentsOfDirectory(atPath: killed.path)
        let isWhole = count == Self.written.count
        let found = try open(in: killed, making: false)
        #expect((found != nil) == isWhole)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: killed.path)) == Set(before))

        let state = try #require(try open(in: killed))
        #expect(state.isNew && (state.key.publicKey == whole.key.publicKey) == isWhole)
        #expect(try state.store.content().generation == 1)
        try state.store.storeValidatorPublicKey(peer, kind: .software)
        let again = try #require(try open(in: killed))
        #expect(try !again.isNew && again.store.validatorPublicKey() == peer)
        try FileManager.default.removeItem(atPath: "\(killed.path)/attestation.json")
        #expect(isCorrupted(in: killed) && isCorrupted(in: killed))
    }

    @Test(
        "a first start that the TPM refuses in the middle can be repeated",
        .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    func refusedInTheMiddle() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        // A key can be made by the storage key that the owner has made persistent, and no counter.
        try simulator.run(
            "tpm2_createprimary", "-C", "o", "-G", "ecc256:null:aes128cfb", "-g", "sha256", "-a",
            "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt", "-c", "primary.ctx")
        try simulator.run("tpm2_evictcontrol", "-C", "o", "-c", "primary.ctx", "0x81000001")
        try simulator.run("tpm2_changeauth", "-c", "owner", "secret")
        for _ in 0..<2 {
            do throws(StoreError) { _ = try open(tpm: tpm) } catch {
                guard case .accessFailed(let reason) = error, reason.contains("owner") else { throw error }
                continue
            }
            Issue.record("a counter was made without the owner")
        }
        #expect(FileManager.default.fileExists(atPath: "\(directory.path)/com.vigil.app.vgtk"))
        #expect(try open(making: false, tpm: tpm) == nil)

        try simulator.run("tpm2_changeauth", "-c", "owner", "-p", "secret")
        let state = try #require(try open(tpm: tpm))
        #expect(state.isNew && state.key.kind == .tpm2)
        let counter = try #require(try state.store.content().counter)
        #expect(try TPM(at: tpm).definedIndices() == [counter.index])
        #expect(try open(tpm: tpm)?.isNew == false)
        try FileManager.default.removeItem(at: store)
        #expect(isCorrupted(tpm: tpm))
    }

    @Test(
        "the counter that a first start made which was killed goes when the next one makes its own",
        .enabled(if: SoftwareTPM.isInstalled), arguments: [0x134, 0x14e] as [UInt32])
    func killedWithCounter(at step: UInt32) throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        // From NV_Increment or NV_Read on nothing goes well any more, nor is anything taken back (NV_UndefineSpace).
        let relay = try TPMRelay(
            before: simulator,
            onCommand: { sent in [step, 0x122].contains(TPMRelay.code(sent)) ? TPMRelay.answer(0x101) : nil })
        #expect(throws: StoreError.self) { try open(tpm: TPMAddress(tcti: relay.tcti)) }
        #expect(try TPM(at: tpm).definedIndices().count == 1)
        let state = try #require(try open(tpm: tpm))
        let counter = try #require(try state.store.content().counter)
        #expect(try TPM(at: tpm).definedIndices() == [counter.index])
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/.first/counter"))
        #expect(try open(tpm: tpm)?.isNew == false)
    }

    @Test(
        "somebody else's index in the place of a counter that was about to be made stays",
        .enabled(if: SoftwareTPM.isInstalled), arguments: [true, false])
    func placeIsTaken(byCounter isCounter: Bool) throws {
        let simulator = try SoftwareTPM()
        let address = try TPMAddress(tcti: simulator.tcti)
        let tpm = try TPM(at: address)
        let other = try tpm.defineCounter(auth: SecretBytes(copying: [1]))
        let pin = try tpm.definePINIndex(auth: SecretBytes(copying: [2]), limit: 3)
        let first = try StateDirectory(path: directory.path + "/.first")
        let intended = IntendedCounter(
            index: isCounter ? other.index : pin, authorisation: .random(), storageKey: try tpm.identity().storageKey)
        try intended.write(to: first)
        #expect(try IntendedCounter(in: first) == intended)
        let state = try #require(try open(tpm: address))
        let counter = try #require(try state.store.content().counter)
        #expect(try tpm.definedIndices() == [other.index, pin, counter.index].sorted())
        #expect(try tpm.readCounter(other.index) == other.value)
        #expect(try tpm.pinAttempts(pin).limit == 3)
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
    }

    @Test(
        "of a key that is gone it is told to provision again, and of no recovery code, which there is none of",
        arguments: [
            (.unavailable(.otherHardware), true), (.dead(index: 0x0180_4d00), true), (.enclaveKeyInvalidated, true),
            (.exhausted, false), (.registersChanged(TPMRegisterSelection(bitmap: 1 << 7)), false),
            (.unavailable(.failureMode), false), (.unavailable(.notReachable(address: "device:/dev/tpm0")), false),
        ] as [(HardwareKeyError, Bool)])
    func advice(error: HardwareKeyError, isGone: Bool) {
        let text = StoreError(error).description
        #expect(text.hasPrefix(error.description) && text.contains("provision again") == isGone, "\(text)")
        #expect(!text.contains("recovery"), "\(text)")
    }

    @Test(
        "a TPM that was cleared is told in these words", .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    func cleared() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        try state.store.storeValidatorPublicKey(peer, kind: .tpm2)
        try simulator.run("tpm2_clear", "-c", "platform")
        #expect(throws: StoreError(.unavailable(.otherHardware))) { try open(tpm: tpm) }
        // Who was pinned can be told all the same.
        let known = try #require(told(tpm: tpm))
        #expect(known.kind == .tpm2 && known.publicKey == PublicKey(x963: state.key.publicKey))
        #expect(known.stored?.peers.map(\.keyID) == [peer.id])
        withExtendedLifetime(simulator) {}
    }

    private func told(tpm: TPMAddress? = nil) -> ToldState? {
        ToldState(tag: "com.vigil.app", of: .app, product: "p", in: directory, keys: keys(tpm))
    }

    @Test("what no key of this side has signed is not told")
    func toldBySomebodyElse() throws {
        #expect(told()?.kind == nil)
        _ = try #require(try open())
        #expect(told()?.stored?.peers == [])
        let other = Attestation(owner: .app, product: "p")
        try Data(Envelope(type: Attestation.payloadType, payload: other.payload).signed(by: TestKey()).json)
            .write(to: store)
        let known = try #require(told())
        #expect(known.stored == nil)
    }

    private func stored(_ state: OwnState?) -> StoreError? {
        do throws(StoreError) { _ = try state?.store.content() } catch { return error }
        return nil
    }

    @Test(
        "an older store is refused whatever lies beside it, also what earlier releases counted from",
        .enabled(if: SoftwareTPM.isInstalled))
    func counterBeside() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        try state.store.storeValidatorPublicKey(peer, kind: .tpm2)
        let old = try Data(contentsOf: store)
        let generation = try state.store.content().generation
        try state.store.revoke(peer.id)
        let counter = try #require(try state.store.content().counter)
        try old.write(to: store)
        // As the review did it: the first value raised by what was counted since.
        let raised = counter.start + 1
        let beside = big(counter.index) + big(raised) + counter.authorisation.bytes
        let file = "\(directory.path)/attestation.counter"
        #expect(FileManager.default.createFile(atPath: file, contents: Data(beside)))
        chmod(file, 0o600)
        #expect(stored(try open(tpm: tpm)) != nil)
        // Nor does moving it over help: it names its counter itself.
        #expect(try open(tpm: tpm)?.store.migrate() == .isDone)
        #expect(stored(try open(tpm: tpm)) != nil)
        #expect(generation == 2)
    }

    @Test(
        "a store of an earlier release is refused until it is moved over by hand, and counts on from there",
        .enabled(if: SoftwareTPM.isInstalled))
    func migrated() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        try state.store.storeValidatorPublicKey(peer, kind: .tpm2)
        // What an earlier release has written: the counter in a file of its own.
        var content = try state.store.content()
        let counter = try #require(content.counter)
        content.counter = nil
        let earlier = Data(
            try Envelope(type: Attestation.payloadType, payload: content.payload).signed(by: state.key).json)
        func putBack(start: UInt64) throws {
            try earlier.write(to: store)
            let file = "\(directory.path)/attestation.counter"
            #expect(
                FileManager.default.createFile(
                    atPath: file, contents: Data(big(counter.index) + big(start) + counter.authorisation.bytes)))
            chmod(file, 0o600)
        }
        try putBack(start: counter.start)
        guard case .storageCorrupted(_, let reason)? = stored(try open(tpm: tpm)) else {
            Issue.record("it was accepted")
            return
        }
        #expect(reason.contains("migrate"))
        #expect(throws: StoreError.self) { try open(tpm: tpm)?.store.revoke(peer.id) }
        // A counter that is not that of the store.
        try putBack(start: counter.start + 5)
        #expect(throws: StoreError.self) { try open(tpm: tpm)?.store.migrate() }
        try putBack(start: counter.start)
        #expect(try open(tpm: tpm)?.store.migrate() == .done)
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/attestation.counter"))
        #expect(try open(tpm: tpm)?.store.validatorPublicKey() == peer)
        try #require(try open(tpm: tpm)).store.revoke(peer.id)
        // The earlier one is an older one now.
        try putBack(start: counter.start)
        #expect(stored(try open(tpm: tpm)) != nil)
    }

    @Test(
        "another kind of index in the counter's place is no counter, whatever it holds",
        .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    func anotherIndex() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        let old = try Data(contentsOf: store)
        let counter = try #require(try state.store.content().counter)
        let value = counter.start + 1
        try state.store.raise(epoch: 7)
        try old.write(to: store)
        // Whoever owns the TPM defines an ordinary index of eight bytes, which anybody reads by the same policy as the
        // counter.
        let policy = simulator.folder.appending(path: "policy")
        try Data(TPMIndex.counter(counter.index).authPolicy).write(to: policy)
        let bytes = simulator.folder.appending(path: "value")
        try Data(big(value)).write(to: bytes)
        let handle = "0x" + String(counter.index, radix: 16)
        try simulator.run("tpm2_nvundefine", handle)
        try simulator.run(
            "tpm2_nvdefine",
            handle, "-s", "8", "-a", "ownerwrite|policyread|ownerread|no_da", "-L", policy.path)
        try simulator.run("tpm2_nvwrite", handle, "-C", "o", "-i", bytes.path)
        guard case .accessFailed? = stored(try open(tpm: tpm)) else {
            Issue.record("an ordinary index was taken for the counter")
            return
        }
    }

    @Test(
        "what the counter holds is taken from the TPM that the store names, and from no other",
        .enabled(if: SoftwareTPM.isInstalled))
    func otherTPM() throws {
        let simulator = try SoftwareTPM()
        let state = try #require(try open(tpm: TPMAddress(tcti: simulator.tcti)))
        let counter = try #require(try state.store.content().counter)
        #expect(try counter.storageKey == TPM(at: TPMAddress(tcti: simulator.tcti)).identity().storageKey)
        let old = try Data(contentsOf: store)
        try state.store.raise(epoch: 7)
        try old.write(to: store)
        // The same Name at the same handle, with the value that the older store needs.
        let another = try SoftwareTPM()
        let other = try TPM(at: TPMAddress(tcti: another.tcti))
        let authorisation = try SecretBytes(copying: [1])
        #expect(try other.defineCounter(auth: authorisation) == (counter.index, counter.start))
        try other.incrementCounter(counter.index, auth: authorisation)
        let deceived = AttestationStore(
            in: directory, key: state.key, owner: .app, product: "p", counters: TPMGenerationCounters(other))
        guard case .accessFailed? = error(of: deceived) else {
            Issue.record("another TPM's counter was believed")
            return
        }
        withExtendedLifetime(another) {}
    }

    @Test(
        "a store that does not say which TPM counts says so from its next writing on",
        .enabled(if: SoftwareTPM.isInstalled))
    func unattributed() throws {
        let simulator = try SoftwareTPM()
        let tpm = try TPMAddress(tcti: simulator.tcti)
        let state = try #require(try open(tpm: tpm))
        var content = try state.store.content()
        let storageKey = try #require(content.counter?.storageKey)
        content.counter?.storageKey = nil
        content.generation += 1
        let payload = content.payload
        #expect(try Attestation(payload: payload).counter?.storageKey == nil)
        let envelope = try Envelope(type: Attestation.payloadType, payload: payload).signed(by: state.key)
        try Data(envelope.json).write(to: store)
        let again = try #require(try open(tpm: tpm))
        #expect(try again.store.content().counter?.storageKey == nil)
        try again.store.raise(epoch: 7)
        #expect(try again.store.content().counter?.storageKey == storageKey)
        #expect(try open(tpm: tpm)?.store.content().epoch == 7)
    }

    @Test("a store that a TPM guards is not read without one")
    func withoutTPM() throws {
        let key = TestKey()
        let guarded = AttestationStore(
            in: directory, key: key, owner: .app, product: "p", counters: MemoryCounters())
        try guarded.create()
        let bare = AttestationStore(in: directory, key: key, owner: .app, product: "p")
        guard case .accessFailed? = error(of: bare) else {
            Issue.record("it was read without the TPM")
            return
        }
    }

    private func error(of store: AttestationStore) -> StoreError? {
        do throws(StoreError) { _ = try store.content() } catch { return error }
        return nil
    }

    private func big<I: FixedWidthInteger>(_ number: I) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
