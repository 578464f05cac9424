import BasicFoundation
import Dispatch
import HardwareKeys
import SecretMemory

/// Local data of an application at rest, encrypted under one key that is not stored in any place where it can be
/// stolen.
///
///     let vault = try MainKeyVault.create(at: "/home/anna/.local/share/app/vault", [.pin(pin), .recovery(code)])
///     let sealed = try vault.withUnlocked { try $0.seal("anna@example.org", .token("session")) }
///     vault.lock()
///
/// Any thread may call it. Calls that wait for the disk, the hardware or Argon2id wait on the thread of their caller,
/// one long operation after the other; ``lock()`` and what an unlocked vault does wait for none of them. An
/// asynchronous caller hands what waits to ``inBackground(_:)``:
///
///     try await MainKeyVault.inBackground { try vault.unlock(.pin(pin)) }
///
/// Nothing here ever hands out a key.
///
/// Source: seed 004; `mainkey` sections 13 to 16 and 27.
public final class MainKeyVault: Sendable {
    /// The folder of the vault.
    package let path: String
    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let indices: VaultIndices
    let remembered: RememberedVault
    let commits: VaultCommits
    let items: VaultItems
    let files: VaultFiles
    let wiping: VaultWipe
    let authentication: VaultAuthentication
    let session: VaultSession
    let protections: VaultProtections
    let rotation: VaultRotation
    let diskChanges: DiskChanges

    init(_ store: VaultStore, of file: KeyFile, _ options: OpenOptions) {
        path = store.path
        self.store = store
        let hub = EventHub()
        let sessionKey = SessionKey(of: file.vault, in: options.sessionKeys)
        let cache = ItemCache(vault: file.vault)
        memory = VaultMemory(file, options, hub: hub, sessionKey: sessionKey)
        hardware = VaultHardware(options, memory)
        indices = VaultIndices(store: store, hardware: hardware, hub: hub)
        remembered = RememberedVault(options.knownVaults, of: store, hub: hub)
        commits = VaultCommits(
            store: store, memory: memory, hardware: hardware, indices: indices, remembered: remembered)
        diskChanges = DiskChanges(store, memory)
        items = VaultItems(store: store, memory: memory, commits: commits, diskChanges: diskChanges, cache: cache)
        files = VaultFiles(store: store, memory: memory, commits: commits, diskChanges: diskChanges)
        wiping = VaultWipe(
            store: store, memory: memory, hardware: hardware, indices: indices, remembered: remembered,
            itemCache: cache, tpm: options.tpm)
        authentication = VaultAuthentication(
            store: store, memory: memory, hardware: hardware, indices: indices, remembered: remembered, wiping: wiping)
        session = VaultSession(
            store: store, memory: memory, hardware: hardware, diskChanges: diskChanges, key: sessionKey,
            options: options)
        protections = VaultProtections(
            store: store, memory: memory, hardware: hardware, indices: indices, commits: commits,
            authentication: authentication, session: session)
        rotation = VaultRotation(store: store, memory: memory, commits: commits, items: items, files: files)
        if !store.changesNothing { memory.listen() }
    }

    /// Watches the folder as the opening asks for, when the vault is there and whole.
    func watch(_ watching: FolderWatching) throws(MainKeyError) {
        switch watching {
        case .required: try diskChanges.beginWatching()
        case .whereAvailable: try? diskChanges.beginWatching()
        case .none: break
        }
    }

    /// Opens a vault without unlocking it, to use it, and puts right what a crash left. Never makes one.
    ///
    /// - Throws: `notFound`, what is wrong with the key file, `recoverable`, `configError` and `io` for the folder.
    public static func open(
        at path: String, _ options: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> MainKeyVault {
        let store = try VaultStore(at: path, .existing, options)
        let file = try store.recoveredKeyFile()
        let vault = MainKeyVault(store, of: file, options)
        vault.commits.removeForgottenItems()
        for failure in vault.memory.cleartext.sweep().failures {
            // Nobody is kept from a vault by what lies elsewhere.
            vault.memory.hub.post(.hardwareLeftover("cleartext that a program left which was killed (\(failure))"))
        }
        if file.slots(of: .none).isEmpty { vault.memory.hub.post(.requestMainKey) }
        try vault.watch(options.watching)
        return vault
    }

    /// Opens a vault to say what it is, and changes nothing on the disk: what a crash left stays as it is, and so does
    /// a wipe that was begun. ``verify(_:)`` counts its attempt all the same.
    ///
    /// - Throws: as ``open(at:_:)``; `notFound` also for a vault whose wipe is not finished.
    public static func look(
        at path: String, _ options: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> MainKeyVault {
        let store = try VaultStore(at: path, .existing, options, changesNothing: true)
        let lock = try store.lock(.shared, makesFile: false)
        defer { withExtendedLifetime(lock) {} }
        let vault = MainKeyVault(store, of: try store.load().file, options)
        try vault.watch(options.watching)
        return vault
    }

    /// Runs what waits for the disk, the hardware or Argon2id on a thread where waiting holds up no task.
    public static func inBackground<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            backgroundQueue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    private static let backgroundQueue = DispatchQueue(label: "casemate.mainkey.vault", attributes: .concurrent)

    // MARK: State

    /// Every subscriber gets all events from now on, and first, while the vault is locked and needs a credential,
    /// ``MainKeyEvent/requestMainKey``. They are also posted to the default notification centre, named as
    /// ``MainKeyEvent/name`` says, with the event under the key `event`.
    public var events: AsyncStream<MainKeyEvent> { memory.events }

    /// Whether the vault is open, and if not, why.
    public var state: VaultState { memory.phase }

    /// The ways to open the vault, the settings and the attempts that are left; needs no secret.
    ///
    /// - Parameter asksHardware: reads the hardware's own count of wrong PINs, where it has one and answers.
    public func status(asksHardware: Bool = false) throws(MainKeyError) -> VaultStatus {
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        let file = try store.load().file
        let attempts = try authentication.limiter(of: file).status()
        let counted = asksHardware ? authentication.attemptsCountedByHardware(of: file) : nil
        var refusal: MainKeyError?
        do throws(MainKeyError) { try remembered.check(file) } catch { refusal = error }
        return VaultStatus(
            file, path: path, phase: state, attempts: attempts, countedByHardware: counted, refusal: refusal)
    }

    /// Takes over what other processes changed, without waiting for the watch of the folder to tell; locks if it is
    /// nothing that may be taken over.
    package func refresh() { diskChanges.refresh() }

    /// Tells of what could not be done behind a change that is final.
    package func postLeftover(_ what: String) { memory.hub.post(.hardwareLeftover(what)) }

    // MARK: Unlocking and locking

    /// Unlocks the vault. Wrong credentials are counted, together with those that other processes try.
    ///
    /// - Throws: `noSuchSlot`, `wrongCredential`, `throttled`, `attemptsExhausted`, `tampered`, `rolledBack`, those of
    ///   the hardware, `busy`, `io`; `locked` if somebody asked to lock in the meantime.
    public func unlock(_ credential: Credential) throws(MainKeyError) { try authentication.unlock(credential) }

    /// Checks a credential and everything behind it, counts the attempt, and changes nothing else.
    public func verify(_ credential: Credential) throws(MainKeyError) { try authentication.verify(credential) }

    /// Removes the key from memory. What is in the middle of something gets two seconds to end; an unlocking fails.
    public func lock() { memory.lock(.explicit) }

    /// Tells the vault what happens around it, for ``OpenOptions/autolockMode`` to lock by.
    public func note(_ event: AutolockEvent) { memory.note(event.event) }

    /// Lends the unlocked vault for the time of `body`: any number of threads may use it at once.
    ///
    /// - Throws: `locked`, also when the time for using it has just run out; what `body` throws.
    public func withUnlocked<R>(_ body: (borrowing UnlockedVault) throws -> R) throws -> R {
        try memory.withUnlocked(files, body)
    }

    /// Runs what waits for a person or a device: for ``AutolockMode/foreground``, which locks by how long nobody works
    /// with the vault, this is the background.
    ///
    /// - Parameter isByPerson: whether what came is somebody who works with the vault. Else the time goes on, also
    ///   through what is done then, until the next wait.
    package func whileWaiting<R, E: Error>(
        until isByPerson: (R) -> Bool = { _ in true }, _ body: () throws(E) -> R
    ) throws(E) -> R {
        memory.note(.background)
        var isForeground = true
        defer { if isForeground { memory.note(.foreground) } }
        let result = try body()
        isForeground = isByPerson(result)
        return result
    }

    // MARK: Protections

    /// Replaces ways to open the vault, all at once: the old and the new ways never both open what is on disk. Ends the
    /// session.
    ///
    /// - Parameters:
    ///   - kept: numbers of slots that stay as they are.
    ///   - added: ways that are made.
    ///   - credential: one that opens the vault now; the attempt is counted.
    ///   - options: for the new ways: cost, rules for PINs, whether recovery may be missing. The vault's settings stay.
    public func setProtections(
        keeping kept: Set<UInt32> = [], adding added: [Protection], authenticatedBy credential: Credential,
        _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try protections.replace(keeping: kept, adding: added, authenticatedBy: credential, options)
    }

    /// Changes the PIN of the slot that the old one opens; the other ways to open the vault stay.
    public func changePIN(
        from old: SecretBytes, to new: SecretBytes, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try protections.changePIN(from: old, to: new, options)
    }

    /// Gives a slot another PIN: the one that the credential opens, or, where that has no PIN, the only one that has.
    ///
    /// - Throws: `configError` where several have one and the credential opens none of them.
    package func changePIN(
        to new: SecretBytes, authenticatedBy credential: Credential, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try protections.changePIN(to: new, authenticatedBy: credential, options)
    }

    /// Sets after how long the vault locks.
    public func setAutolock(_ timeout: AutolockTimeout) throws(MainKeyError) { try protections.setAutolock(timeout) }

    /// A new MainKey: whoever has an old copy of the vault and an old PIN has the old one, which opens nothing any more
    /// that is written from now on. Data is to be rotated afterwards. Where a rotation is under way, whose key such a
    /// copy may have too, new data gets another one at once, and the rotation goes on into that.
    ///
    /// - Parameter protections: all ways to open the vault from now on; none of the old stays.
    public func rekey(
        _ protections: [Protection], authenticatedBy credential: Credential, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try self.protections.rekey(protections, authenticatedBy: credential, options)
    }

    // MARK: Rotation

    /// Seals everything in `places` anew under a new key and forgets the old ones. Run it again after a crash: one that
    /// is under way goes on in the key that it began with.
    ///
    /// It is one use of the vault: one that locks after each use locks when this is over.
    ///
    /// - Parameters:
    ///   - places: all that the application has; values elsewhere could not be opened any more. Items and tokens are
    ///     always covered.
    ///   - owner: the application that rotates. One that says in ``VaultOptions/owner`` that it alone knows its data is
    ///     the only one.
    ///   - keepsOldEpoch: leaves the old keys, for data in places that are not known here. The rotation stays under
    ///     way: no further new key comes before one without this has ended it.
    /// - Throws: `configError` for a vault of another application, `locked`, `io`, what the places throw.
    public func rotate(
        _ places: [any RotationPlace], by owner: String? = nil, keepsOldEpoch: Bool = false,
        progress: (RotationProgress) throws -> Void = { _ in }
    ) throws {
        try rotation.rotate(places, by: owner, keepsOldEpoch: keepsOldEpoch, progress: progress)
    }

    /// Forgets the old keys: what is still sealed under them is lost from here on.
    ///
    /// - Parameter places: all that the application has; anything old in them refuses. Items and tokens are always
    ///   covered.
    package func finishRotation(_ places: [any RotationPlace]) throws { try rotation.finish(places) }

    /// The vault's own items and tokens, as a rotation covers them.
    package var itemRotation: any RotationPlace { ItemRotation(items: items) }

    /// Gives new data a new key. Old data stays readable until ``finishRotation(_:)``.
    package func beginRotation(by owner: String? = nil) throws(MainKeyError) { try rotation.begin(by: owner) }

    /// Refuses for a vault of another application: its data would be lost.
    ///
    /// - Parameter owner: the application that asks; nil for none in particular.
    package func checkOwner(_ owner: String?) throws(MainKeyError) { try rotation.checkOwner(owner) }

    // MARK: Wiping

    /// Destroys every key, so that no data of the vault can be opened by anybody, and then what is left of the vault.
    /// After a crash anywhere the next opening of the vault's account finishes it.
    ///
    /// - Parameter data: folders and files of the application to remove too. A wipe that was interrupted does not know
    ///   them any more; whoever asks for it again names them again.
    /// - Returns: what could not be removed from the hardware, in words.
    @discardableResult
    public func wipe(data: [String] = []) throws(MainKeyError) -> [String] { try wiping.wipe(data: data) }

    /// Remembers outside of its folder whether the vault asks for something. That it cannot be is told, and nothing
    /// fails by it.
    ///
    /// - Parameter folder: where the vault will be that was just made; nil for where it is.
    package func remember(inFolder folder: String? = nil) {
        remembered.note(memory.file, folder.map { .folder($0) } ?? .here)
    }
}
