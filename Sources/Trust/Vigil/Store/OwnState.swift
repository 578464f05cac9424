import HardwareKeys

/// A side's key and the store that it signs.
///
/// The two are made together, so that a key without a store has lost it: pins, revocations and the epoch that were in
/// it are never forgotten in silence.
///
/// Source: `vigil` sections 5.4 and 6.2.
package struct OwnState: Sendable {
    package let key: any SigningKey
    package let store: AttestationStore
    /// Whether both were made now.
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
        let place = Place(tag: tag, owner: owner, product: product, directory: directory, keys: keys, tpm: tpm)
        let result: Result<OwnState?, StoreError>
        do throws(HardwareKeyError) {
            // A folder of its own to lock: that of the directory is taken by the steps in between.
            result = try StateDirectory(path: directory.path + "/.first").exclusively {
                Result { () throws(StoreError) in
                    if let state = try place.load() { return state }
                    return makes ? try place.make() : nil
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
    let tag: String
    let owner: Role
    let product: String
    let directory: StateDirectory
    let keys: HardwareSigningKeys
    let tpm: TPMAddress?

    /// - Returns: nil where there is no key.
    func load() throws(StoreError) -> OwnState? {
        let key: any SigningKey
        let hasStore: Bool
        do throws(HardwareKeyError) {
            hasStore = try directory.read(AttestationStore.fileName) != nil
            key = try keys.load(tag: tag)
        } catch {
            guard case .keyNotFound = error else { throw StoreError(error) }
            return nil
        }
        guard hasStore else {
            throw AttestationStore.corrupted(in: directory, "it is missing, and the key that signs it is there")
        }
        let counters = try counters(for: key)
        return OwnState(
            key: key,
            store: AttestationStore(in: directory, key: key, owner: owner, product: product, counters: counters),
            isNew: false)
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
        do throws(HardwareKeyError) { key = try keys.generate(tag: tag) } catch { throw StoreError(error) }
        let counters = try counters(for: key)
        let store = AttestationStore(in: directory, key: key, owner: owner, product: product, counters: counters)
        try store.create()
        return OwnState(key: key, store: store, isNew: true)
    }

    /// What makes an older file of the store fail; nil for a key that lies in no TPM, where nothing counts.
    private func counters(for key: any SigningKey) throws(StoreError) -> (any GenerationCounters)? {
        guard key.kind == .tpm2 else { return nil }
        guard let tpm else { throw .accessFailed("The own key is in a TPM, and no TPM is named.") }
        do throws(HardwareKeyError) { return TPMGenerationCounters(try TPM(at: tpm)) } catch { throw StoreError(error) }
    }
}
