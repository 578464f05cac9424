import BasicFoundation
import HardwareKeys
import SecretMemory

/// Keeps the keys of the other sides in a file that only this side's own key can write.
///
/// Without the use of that key what is stored cannot be changed, nor another's put in its place; an older state can be
/// put back only where no ``GenerationCounters`` guard it. Several processes may use one store. It is made together
/// with its key (``OwnState``).
///
///     let store = try installation.state().store
///     try store.storeValidatorPublicKey(validatorKey, kind: .tpm2)
///     guard store.isAttestationConfigured else { … }
///
/// Source: `vigil` section 6.2.
public struct AttestationStore: Sendable {
    static let fileName = "attestation.json"
    /// The label of the one peer, where there is one.
    package static let standardLabel = "default"

    let directory: StateDirectory
    let key: any SigningKey
    private let owner: Role
    private let product: String
    let counters: (any GenerationCounters)?
    private let now: @Sendable () -> Date
    private let verified = VerifiedFile()

    /// - Parameters:
    ///   - key: this side's own.
    ///   - owner: which side this is.
    ///   - counters: make an older file of this store fail; nil where there is no hardware for it.
    package init(
        in directory: StateDirectory, key: any SigningKey, owner: Role, product: String,
        counters: (any GenerationCounters)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.directory = directory
        self.key = key
        self.owner = owner
        self.product = product
        self.counters = counters
        self.now = now
    }

    /// Writes the store for the first time, without a pin. From then on one that is missing was taken away.
    ///
    /// - Throws: ``StoreError``: `storageCorrupted` where there is one.
    func create() throws(StoreError) {
        try exclusively { () throws(StoreError) in
            guard try stored() == nil else { throw corrupted("it is there before it was made") }
            var first = Attestation(owner: owner, product: product)
            do throws(HardwareKeyError) { first.counter = try counters?.define() } catch { throw StoreError(error) }
            do throws(StoreError) { try write(first) } catch {
                // A TPM has room for few counters, and each start that is tried again would take another one.
                let isThere = (try? stored() != nil) ?? true
                if !isThere, let counter = first.counter { try? counters?.undefine(counter) }
                throw error
            }
        }
    }

    /// What is stored.
    ///
    /// - Throws: ``StoreError``: `storageCorrupted`, `accessFailed`.
    package func content() throws(StoreError) -> Attestation {
        guard counters != nil else { return try readGuarded() }
        // Under the lock, or a writer between its two steps would look like a file that was put back.
        return try exclusively { () throws(StoreError) in try readGuarded() }
    }

    /// Pins a key. An active pin is never overwritten.
    ///
    /// - Returns: `alreadyPinned` for the key that is pinned.
    /// - Throws: ``StoreError``: `anotherKeyPinned`, `revoked`, `full`, and what ``content()`` throws.
    @discardableResult
    package func pin(
        _ key: PublicKey, kind: KeyKind, role: Role, label: String = standardLabel
    ) throws(StoreError) -> ProvisionStatus {
        try change { (stored) throws(StoreError) in
            let known = stored.peers.filter { $0.role == role && $0.label == label }
            if known.contains(where: { $0.state == .revoked && $0.key == key }) { throw .revoked(key.id) }
            if let active = known.first(where: { $0.state == .active }) {
                guard active.key == key else { throw .anotherKeyPinned(active.keyID) }
                return .alreadyPinned
            }
            guard stored.peers.count < Attestation.peerLimit else { throw .full }
            stored.peers.append(
                PinnedPeer(
                    label: label, role: role, key: key, kind: kind, pinnedAt: Timestamp(now()), state: .active))
            return .pinned
        }
    }

    /// Takes a pin back for ever: the key is not pinned again.
    ///
    /// - Throws: ``StoreError/unknownKey(_:)``, and what ``content()`` throws.
    package func revoke(_ id: Bytes32) throws(StoreError) {
        try change { (stored) throws(StoreError) in
            let places = stored.peers.indices.filter { stored.peers[$0].keyID == id }
            guard !places.isEmpty else { throw .unknownKey(id) }
            for place in places { stored.peers[place].state = .revoked }
        }
    }

    /// Forgets a key, so that another can be pinned.
    ///
    /// - Throws: ``StoreError/unknownKey(_:)``, and what ``content()`` throws.
    package func unpin(_ id: Bytes32) throws(StoreError) {
        try change { (stored) throws(StoreError) in
            guard stored.peers.contains(where: { $0.keyID == id }) else { throw .unknownKey(id) }
            stored.peers.removeAll { $0.keyID == id }
        }
    }

    /// Takes a new key in place of an active pin, in one step. The caller checks that both keys have signed for it.
    ///
    /// - Parameter counter: greater than that of the peer's last rotation, by at most 1024.
    /// - Throws: ``StoreError``: `unknownKey`, `revoked`, `staleRotation`, `downgrade`, and what ``content()`` throws.
    package func replace(
        _ old: Bytes32, by key: PublicKey, kind: KeyKind, counter: UInt64, role: Role, label: String = standardLabel
    ) throws(StoreError) {
        try change { (stored) throws(StoreError) in
            let place = stored.peers.firstIndex {
                $0.keyID == old && $0.role == role && $0.label == label && $0.state == .active
            }
            guard let place else { throw .unknownKey(old) }
            if stored.peers.contains(where: { $0.key == key && $0.state == .revoked }) { throw .revoked(key.id) }
            let last = stored.peers[place].rotationCounter
            guard counter > last, counter - last <= PinnedPeer.rotationStep else {
                throw .staleRotation(counter: counter, last: last)
            }
            let pinned = stored.peers[place].kind
            guard !kind.isWeaker(than: pinned) else { throw .downgrade(pinned: pinned, found: kind) }
            stored.peers[place].rotationCounter = counter
            stored.peers[place].key = key
            stored.peers[place].kind = kind
            stored.peers[place].pinnedAt = Timestamp(now())
        }
    }

    /// Remembers the epoch of a manifest that was verified; older ones are refused from then on.
    ///
    /// - Throws: ``StoreError/epochRollback(found:stored:)``, and what ``content()`` throws.
    package func raise(epoch: UInt32) throws(StoreError) {
        try change { (stored) throws(StoreError) in
            guard epoch >= stored.epoch else { throw .epochRollback(found: epoch, stored: stored.epoch) }
            stored.epoch = epoch
        }
    }

    /// Signs the store also with the key that this side is about to change to, so that it is readable with either until
    /// the next writing.
    package func prepare(successor: any SigningKey) throws(StoreError) {
        try exclusively { () throws(StoreError) in try write(try readGuarded(), also: successor) }
    }

    /// Forgets all keys; the epoch and the counters stay.
    public func clear() throws(StoreError) {
        try change { (stored) throws(StoreError) in stored.peers = [] }
    }

    func exclusively<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        let result: Result<R, StoreError>
        do throws(HardwareKeyError) {
            result = try directory.exclusively { Result { () throws(StoreError) in try body() } }
        } catch {
            throw StoreError(error)
        }
        return try result.get()
    }

    /// Reads, changes and writes, while no other process does; writes nothing where nothing changes.
    private func change<R>(_ body: (inout Attestation) throws(StoreError) -> R) throws(StoreError) -> R {
        try exclusively { () throws(StoreError) in
            let before = try readGuarded()
            var stored = before
            let result = try body(&stored)
            if stored != before { try write(stored) }
            return result
        }
    }

    /// The file; nil where there is none.
    private func stored() throws(StoreError) -> [UInt8]? {
        do throws(HardwareKeyError) {
            return try directory.read(Self.fileName)?.withUnsafeBytes { Array($0) }
        } catch {
            throw StoreError(error)
        }
    }

    func read() throws(StoreError) -> Attestation {
        guard let bytes = try stored() else { throw corrupted("it is missing") }
        if let known = verified.content(of: bytes) { return known }
        guard let own = PublicKey(x963: key.publicKey) else { throw .accessFailed("The own key is no P-256 key.") }
        let stored: Attestation
        do {
            stored = try Attestation(
                payload: Envelope(parsing: bytes).payload(ofType: Attestation.payloadType, by: TrustedKeys(own)))
        } catch {
            throw corrupted("\(error)")
        }
        guard stored.owner == owner, stored.product == product else {
            throw corrupted("it is the \(stored.owner)'s of \(stored.product)")
        }
        verified.remember(stored, of: bytes)
        return stored
    }

    /// Reads, and compares with the counter. Only under the lock.
    private func readGuarded() throws(StoreError) -> Attestation {
        let stored = try read()
        guard let counters else {
            guard stored.counter == nil else {
                throw .accessFailed("\(directory.path)/\(Self.fileName) is guarded by a TPM, and none is used here.")
            }
            return stored
        }
        try check(stored, by: counters)
        return stored
    }

    /// Compares with the counter that the store names itself.
    func check(_ stored: Attestation, by counters: any GenerationCounters) throws(StoreError) {
        guard let counter = stored.counter else {
            throw corrupted(
                "it names no counter of the TPM. If an earlier release has made it, run vigil-validator migrate (with --app for the "
                    + "app's store) and look at the pins")
        }
        let (written, runsOver) = counter.start.addingReportingOverflow(stored.generation)
        let value: UInt64
        do throws(HardwareKeyError) {
            value = try counters.value(of: counter)
            // After a crash between the two steps of a writing, the file is one ahead.
            if !runsOver, written > value, written - value == 1 { try count(counter, to: written, by: counters) }
        } catch {
            throw StoreError(error)
        }
        guard !runsOver, written == value || written > value && written - value == 1 else {
            throw corrupted("it has generation \(stored.generation), and the TPM has counted \(value &- counter.start)")
        }
    }

    func write(_ content: Attestation, also successor: (any SigningKey)? = nil) throws(StoreError) {
        var next = content
        next.generation += 1
        do throws(HardwareKeyError) {
            if let counters, let counter = next.counter { next.counter = try counters.attributed(counter) }
            var envelope = try Envelope(type: Attestation.payloadType, payload: next.payload).signed(by: key)
            if let successor { envelope = try envelope.signed(by: successor) }
            let file = try Self.file(of: envelope)
            try directory.write(Self.fileName, file)
            if let counters, let counter = next.counter {
                try count(counter, to: counter.start &+ next.generation, by: counters)
            }
        } catch { throw StoreError(error) }
    }

    /// Counts a writing. An error does not say that it was not counted, since nobody proves who answers one; what the
    /// counter holds then does.
    private func count(
        _ counter: StoreCounter, to value: UInt64, by counters: any GenerationCounters
    ) throws(HardwareKeyError) {
        do throws(HardwareKeyError) { try counters.increment(counter) } catch {
            guard (try? counters.value(of: counter)) == value else { throw error }
        }
    }

    /// The file in the form that the directory takes, most of whose files are secret.
    private static func file(of envelope: Envelope) throws(HardwareKeyError) -> SecretBytes {
        var json = envelope.json
        return try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes(movingFrom: &json) }
    }

    func corrupted(_ reason: String) -> StoreError { Self.corrupted(in: directory, reason) }

    static func corrupted(in directory: StateDirectory, _ reason: String) -> StoreError {
        .storageCorrupted(path: "\(directory.path)/\(fileName)", reason: reason)
    }
}
