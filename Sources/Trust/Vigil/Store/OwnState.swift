import HardwareKeys
import SecretMemory

/// A side's key and the store that it signs.
///
/// The two are made together, so that a key without a store has lost it: pins, revocations and the epoch that were in
/// it are never forgotten in silence.
///
/// Source: `vigil` sections 5.4 and 6.2.
package struct OwnState: Sendable {
    package let key: any SigningKey
    package let store: AttestationStore
    /// Whether both were made now, or by a start that did not end.
    package let isNew: Bool

    /// Takes key and store into use. A store of a key in a TPM is guarded by a counter of that TPM.
    ///
    /// - Parameters:
    ///   - tag: of the key.
    ///   - tpm: where the TPM is; nil for none.
    ///   - makes: whether they are made where there is neither.
    /// - Returns: nil where there is no key and none is made.
    /// - Throws: ``StoreError``: `storageCorrupted` where one of the two is missing, `accessFailed`.
    static func open(
        _ tag: String, of owner: Role, product: String, in directory: StateDirectory, keys: HardwareSigningKeys,
        tpm: TPMAddress?, making makes: Bool
    ) throws(StoreError) -> OwnState? {
        let result: Result<OwnState?, StoreError>
        do throws(HardwareKeyError) {
            // A folder of its own to lock: that of the directory is taken by the steps in between.
            let first = try StateDirectory(path: directory.path + "/.first")
            let place = Place(
                tag: tag, owner: owner, product: product, directory: directory, first: first, keys: keys, tpm: tpm)
            result = try first.exclusively {
                Result { () throws(StoreError) in
                    let loaded = try place.load()
                    guard makes else { return loaded }
                    let state = if let loaded { loaded } else { try place.make() }
                    try place.finish()
                    return state
                }
            }
        } catch {
            throw StoreError(error)
        }
        return try result.get()
    }
}

/// Where a side's key and store are.
private struct Place {
    /// The file in ``first`` that is there from before the key is made until the store is there, too.
    private static let mark = "making"

    let tag: String
    let owner: Role
    let product: String
    let directory: StateDirectory
    let first: StateDirectory
    let keys: HardwareSigningKeys
    let tpm: TPMAddress?

    /// - Returns: nil where there is no key, or one that was made for a store which never came about.
    func load() throws(StoreError) -> OwnState? {
        let key: any SigningKey
        let hasStore: Bool
        let isUnfinished: Bool
        do throws(HardwareKeyError) {
            hasStore = try directory.read(AttestationStore.fileName) != nil
            isUnfinished = try isMarked()
            guard hasStore || !isUnfinished else { return nil }
            key = try keys.load(tag: tag)
        } catch {
            guard case .keyNotFound = error else { throw StoreError(error) }
            return nil
        }
        guard hasStore else {
            // Nothing tells these two apart, and who took a store away would be rewarded with a new one.
            throw AttestationStore.corrupted(
                in: directory,
                "it is missing, and the key that signs it is there. If this side was never provisioned, a first start of an "
                    + "earlier version was killed and left it so: remove the files \(directory.path)/\(tag).* and start it "
                    + "again. If it was, somebody took the file away")
        }
        let counters = try counters(for: key)
        return OwnState(
            key: key,
            store: AttestationStore(in: directory, key: key, owner: owner, product: product, counters: counters),
            isNew: isUnfinished)
    }

    func make() throws(StoreError) -> OwnState {
        let key: any SigningKey
        let hasStore: Bool
        do throws(HardwareKeyError) { hasStore = try directory.read(AttestationStore.fileName) != nil } catch {
            throw StoreError(error)
        }
        guard !hasStore else {
            throw AttestationStore.corrupted(in: directory, "it is there, and the key that has signed it is missing")
        }
        do throws(HardwareKeyError) { key = try makeKey() } catch { throw StoreError(error) }
        let counters = try counters(for: key)
        let store = AttestationStore(in: directory, key: key, owner: owner, product: product, counters: counters)
        try store.create()
        return OwnState(key: key, store: store, isNew: true)
    }

    /// Makes the key, also in place of one that a start left which failed or was killed before there was a store:
    /// nobody has pinned that one, for pins come behind the first start.
    private func makeKey() throws(HardwareKeyError) -> any SigningKey {
        if try isMarked() {
            do throws(HardwareKeyError) { try keys.remove(tag: tag) } catch {
                guard case .keyNotFound = error else { throw error }
            }
        }
        let content = try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(copying: Array("\(tag)\n".utf8))
        }
        try first.write(Self.mark, content)
        return try keys.generate(tag: tag)
    }

    private func isMarked() throws(HardwareKeyError) -> Bool { try first.read(Self.mark) != nil }

    /// From now on a key without a store is one whose store was taken away.
    func finish() throws(StoreError) {
        do throws(HardwareKeyError) {
            if try isMarked() { try first.remove(Self.mark) }
            // It is the store's by now.
            try IntendedCounter.forget(in: first)
        } catch {
            throw StoreError(error)
        }
    }

    /// What makes an older file of the store fail; nil for a key that lies in no TPM, where nothing counts.
    private func counters(for key: any SigningKey) throws(StoreError) -> (any GenerationCounters)? {
        guard key.kind == .tpm2 else { return nil }
        guard let tpm else { throw .accessFailed("The own key is in a TPM, and no TPM is named.") }
        do throws(HardwareKeyError) { return TPMGenerationCounters(try TPM(at: tpm), notingIn: first) } catch {
            throw StoreError(error)
        }
    }
}
