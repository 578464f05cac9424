import Foundation
import HardwareKeys
import SecretMemory
import Synchronization

/// A vault in its folder: opens it, unlocks it, commits changes, and forgets its key.
///
/// Calls wait for the disk, the hardware and Argon2id; ``MainKeyVault`` is the same for asynchronous callers. Long
/// operations run one after the other; ``lock(_:)`` and what an unlocked vault does wait for none of them.
package final class VaultEngine: Sendable {
    typealias Name = VaultDirectory.Name

    /// What is in memory while the vault is open.
    struct Unlocked {
        var secrets: MainKeySecrets
        let keys: EpochKeys
        /// The slot that was opened.
        var slot: UInt32
        /// What seals the same slot again, kept only where every change has to.
        var hardware: HardwareParts?
        /// When the session ends that unlocked it, in milliseconds since the machine was started.
        var deadline: UInt64?
    }

    struct HardwareParts {
        var parts: [Slot.Part]
        var authorisation: SecretBytes?
        var released: SecretBytes
    }

    struct State {
        var phase: VaultState
        var file: KeyFile
        var unlocked: Unlocked?
        var autolock: AutolockState
        /// How often somebody asked to lock, so that an unlocking notices who asked after it began.
        var lockRequests: UInt64 = 0
        /// This process's own signals to lock that its watch has not come to; nil without a watch.
        var ownSignals: Int?
    }

    package let path: String
    let directory: VaultDirectory
    let items: FileItemStore
    let options: OpenOptions
    /// Whether it was opened to look at it only.
    let changesNothing: Bool
    let hub = EventHub()
    let leases = Leases()
    let cleartext: CleartextFiles
    let itemCache: ItemCache
    let timer: AutolockTimer
    private let connection = Mutex<TPM?>(nil)
    private let operation = Mutex(())
    /// The connection that hears of the screen and of sleep; nil where neither is listened to.
    let listening = Mutex<(any LockListening)?>(nil)
    let state: Mutex<State>

    init(
        path: String, directory: VaultDirectory, file: KeyFile, options: OpenOptions, changesNothing: Bool = false
    ) throws(MainKeyError) {
        self.path = path
        self.changesNothing = changesNothing
        self.directory = directory
        self.options = options
        items = FileItemStore(in: directory, service: Self.itemService)
        cleartext = CleartextFiles(of: file.vault)
        itemCache = ItemCache(vault: file.vault)
        timer = AutolockTimer()
        state = Mutex(State(phase: .locked, file: file, autolock: options.autolock(of: file)))
        timer.onFire { [weak self] in self?.note(.timer) }
        listen()
    }

    deinit {
        timer.cancel()
        if let unlocked = state.withLock({ $0.unlocked }) { unlocked.keys.destroy() }
    }

    // MARK: State

    package var phase: VaultState { state.withLock { $0.phase } }

    /// Events from now on; first, while the vault is locked, that it needs a credential.
    package var events: AsyncStream<MainKeyEvent> {
        hub.stream { state.withLock { $0.needsCredential ? .requestMainKey : nil } }
    }

    /// Runs a long operation when no other runs.
    func exclusively<R>(_ body: () throws(MainKeyError) -> R) throws(MainKeyError) -> R {
        let result: Result<R, MainKeyError> = operation.withLock { _ in
            do throws(MainKeyError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Everything that is unlocked, or `locked`; for a vault that was wiped or failed, what unlocking it throws.
    func unlocked() throws(MainKeyError) -> (file: KeyFile, Unlocked) {
        let (found, phase) = state.withLock { state in (state.unlocked.map { (state.file, $0) }, state.phase) }
        guard let found else { throw Self.refusal(phase) }
        if let deadline = found.1.deadline, BootInstant.milliseconds() >= deadline {
            note(.timer)
            throw .locked
        }
        return found
    }

    func tpm() throws(MainKeyError) -> TPM {
        let address = options.tpm ?? .standard
        guard
            !address.isSoftware || options.allowsSoftwareTPM
                || state.withLock({ $0.file.flags.contains(.softwareTPM) })
        else {
            throw .configError(
                reason:
                    "\(address) is a TPM in software, which keeps nothing from whoever has its files; if that is meant, say "
                    + "--software-tpm when the vault is protected by it")
        }
        let result: Result<TPM, HardwareKeyError> = connection.withLock { connection in
            if let connection { return .success(connection) }
            do throws(HardwareKeyError) {
                let tpm = try TPM(at: address)
                connection = tpm
                return .success(tpm)
            } catch {
                return .failure(error)
            }
        }
        return try onHardware { () throws(HardwareKeyError) in try result.get() }
    }

    // MARK: Use

    /// Lends the unlocked vault for the time of `body`.
    ///
    /// - Throws: `locked`, also when the time for using it has just run out.
    package func withUnlocked<R, E: Error>(
        _ body: (borrowing UnlockedVault) throws(E) -> R
    ) throws -> R {
        note(.access)
        let keys = try unlocked().1.keys
        leases.take()
        defer {
            leases.giveBack()
            note(.scopeEnd)
        }
        let vault = UnlockedVault(keys: keys)
        return try body(vault)
    }

    /// Runs what waits for a person or a device: for ``AutolockMode/foreground``, which locks by how long nobody works
    /// with the vault, this is the background.
    package func whileWaiting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        note(.background)
        defer { note(.foreground) }
        return try body()
    }

    func epochKeys(_ keys: [UInt32: SecretBytes], of file: KeyFile) -> EpochKeys {
        EpochKeys(keys, active: file.activeEpoch, vault: file.vault) { [hub] place in hub.post(.rotateSoon(place)) }
    }
}

extension OpenOptions {
    /// The rules of locking, as the vault and this opening set them.
    func autolock(of file: KeyFile) -> AutolockState {
        AutolockState(mode: autolockMode, timeout: file.autolock, locksOnSleep: locksOnSleep)
    }
}

extension KeyFile {
    /// The parser checked the range.
    var autolock: AutolockTimeout { AutolockTimeout(rawValue: Int(autolockMinutes)) ?? .always }
}
