import HardwareKeys
import SecretMemory

/// The counter that guards a store. It is a part of what the store's key signs: nothing beside the store says where to
/// count from.
///
/// Source: `vigil` section 6.2.
package struct StoreCounter: Hashable, Sendable {
    /// The handle of the counter.
    package let index: UInt32
    /// The counter's value when the store was not yet written: hardware goes on where a deleted counter has ended.
    package let start: UInt64
    /// What counting takes. It opens nothing: an attacker who has it can count, so that the store fails.
    let authorisation: Bytes32
    /// The Name of the storage key of the TPM that has the counter: nobody else is believed what it holds. Nil in a
    /// store of before, until it is written.
    var storageKey: [UInt8]?
}

/// Counts the writings of stores where no copy of a file reaches, so that an older file is found out.
package protocol GenerationCounters: Sendable {
    /// Makes a counter for a new store.
    func define() throws(HardwareKeyError) -> StoreCounter

    /// A counter with the TPM that has it, if that was not said yet.
    func attributed(_ counter: StoreCounter) throws(HardwareKeyError) -> StoreCounter

    /// How far a counter is.
    ///
    /// - Throws: ``HardwareKeyError/dead(index:)`` where there is no such counter any more, or something else in its
    ///   place.
    func value(of counter: StoreCounter) throws(HardwareKeyError) -> UInt64

    /// Counts one more.
    func increment(_ counter: StoreCounter) throws(HardwareKeyError)

    /// Removes a counter whose store was never written.
    func undefine(_ counter: StoreCounter) throws(HardwareKeyError)
}

/// The counters of a TPM.
package struct TPMGenerationCounters: GenerationCounters {
    private let tpm: TPM
    private let first: StateDirectory?

    /// - Parameter first: where a counter is written down before it is made (``IntendedCounter``); nil where none is.
    package init(_ tpm: TPM, notingIn first: StateDirectory? = nil) {
        self.tpm = tpm
        self.first = first
    }

    package func define() throws(HardwareKeyError) -> StoreCounter {
        try removeUnfinished()
        let authorisation = Bytes32.random()
        let storageKey = try tpm.identity().storageKey
        let (index, start) = try tpm.pinned(to: storageKey).defineCounter(
            auth: Self.secret(authorisation),
            intending: { (index) throws(HardwareKeyError) in
                guard let first else { return }
                let intended = IntendedCounter(index: index, authorisation: authorisation, storageKey: storageKey)
                try intended.write(to: first)
            })
        return StoreCounter(index: index, start: start, authorisation: authorisation, storageKey: storageKey)
    }

    /// Takes away what a start made that was killed before there was a store. What counts with its authorisation is
    /// that counter; anything else in its place is somebody's.
    private func removeUnfinished() throws(HardwareKeyError) {
        guard let first, let intended = try IntendedCounter(in: first) else { return }
        let tpm = tpm.pinned(to: intended.storageKey)
        do throws(HardwareKeyError) {
            try tpm.incrementCounter(intended.index, auth: Self.secret(intended.authorisation))
            try tpm.undefine(intended.index)
        } catch {
            switch error {
            case .dead, .wrongCredential, .unavailable(.otherHardware): break
            // Something of another kind.
            case .unexpectedResponse(_, let code) where TPMResponse.refuses(code): break
            default: throw error
            }
        }
        try IntendedCounter.forget(in: first)
    }

    package func attributed(_ counter: StoreCounter) throws(HardwareKeyError) -> StoreCounter {
        guard counter.storageKey == nil else { return counter }
        var attributed = counter
        attributed.storageKey = try tpm.identity().storageKey
        return attributed
    }

    package func value(of counter: StoreCounter) throws(HardwareKeyError) -> UInt64 {
        try tpm(of: counter).readCounter(counter.index)
    }

    private func tpm(of counter: StoreCounter) -> TPM { counter.storageKey.map(tpm.pinned) ?? tpm }

    package func increment(_ counter: StoreCounter) throws(HardwareKeyError) {
        try tpm(of: counter).incrementCounter(counter.index, auth: Self.secret(counter.authorisation))
    }

    package func undefine(_ counter: StoreCounter) throws(HardwareKeyError) {
        try tpm(of: counter).undefine(counter.index)
    }

    private static func secret(_ authorisation: Bytes32) throws(HardwareKeyError) -> SecretBytes {
        try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes(copying: authorisation.bytes) }
    }
}
