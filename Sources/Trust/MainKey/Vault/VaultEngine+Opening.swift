import Foundation
import HardwareKeys
import SecretMemory

extension VaultEngine {
    /// Makes a vault and unlocks it.
    ///
    /// - Parameters:
    ///   - path: a folder without a vault, of this user alone. It is made if it does not exist; what else is in it
    ///     stays.
    ///   - protections: one at least; each opens the vault.
    /// - Throws: `configError` if there is a vault already or the protections do not go together, `weakPIN`.
    package static func create(
        at path: String, _ protections: [Protection], _ options: VaultOptions = VaultOptions(),
        _ open: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> VaultEngine {
        try check(protections, options)
        let directory = try VaultDirectory(
            path, .creating, allowNetworkFileSystem: open.allowsNetworkFileSystem)
        let lock = try HeldLock(.exclusive, of: directory, patience: open.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        try recover(directory, path: path, open)
        guard try directory.keyFile() == nil else {
            throw .configError(reason: "there is a vault in \(path) already")
        }
        let cost = try Self.cost(options.cost)
        let now = UInt64(max(0, Date().timeIntervalSince1970))
        let secrets = try MainKeySecrets.random(vault: .random())
        let epoch = try EpochRecord(
            epoch: 1, createdAt: now, state: .active, key: try secret { try SecretBytes.drawn(count: 32) },
            under: secrets)
        var file = KeyFile(
            vault: secrets.vault, generation: 1, createdAt: now, flags: options.flags,
            attemptLimit: UInt8(options.attemptLimit), autolockMinutes: Int32(options.autolock.rawValue),
            mainKeyID: secrets.id, anchor: .absent, slots: [], epochs: [epoch],
            itemRoot: ItemList.root(of: ItemList().bytes(of: secrets.vault)))
        let engine = try VaultEngine(path: path, directory: directory, file: file, options: open)
        try engine.makeFirst(&file, protections, secrets, cost, now, owner: options.owner)
        return engine
    }

    private func makeFirst(
        _ file: inout KeyFile, _ protections: [Protection], _ secrets: MainKeySecrets, _ cost: Argon2Cost,
        _ now: UInt64, owner: String?
    ) throws(MainKeyError) {
        let making = SlotMaking(
            secrets: secrets, cost: cost, now: now, attemptLimit: file.attemptLimit, counter: nil, items: items,
            journal: nil, tpm: enrollingTPM)
        CrashPoint.reach("create.slots")
        let made = try making.make(protections, besides: [])
        do throws(MainKeyError) {
            file.slots = made.slots
            file.anchor = made.anchor
            file.flags.note(made, among: file.slots)
            if let owner { try directory.files.write(Array(owner.utf8), to: Name.owner) }
            try limiter(file).reset()
            // Of another vault, whose key file somebody removed.
            for name in [Name.itemList, Name.stagedItemList] { try directory.files.remove(name) }
        } catch {
            making.undo(made)
            throw error
        }
        CrashPoint.reach("create.attempts")
        file = try commit(KeyFileChange(file: file, secrets: secrets), from: 0) { making.undo(made) }
        var epochs: [UInt32: SecretBytes] = [:]
        for record in file.epochs { epochs[record.epoch] = try record.open(under: secrets) }
        var unlocked = Unlocked(
            secrets: secrets, keys: epochKeys(epochs, of: file), slot: file.slots[0].id, hardware: nil)
        unlocked.take(made.bound, of: file)
        install(unlocked, file)
        remember(file, .unsettled)
    }

    /// The first that there is, or what the machine measures.
    ///
    /// - Throws: `configError` for one that is too low to be written, or too high.
    static func cost(_ known: Argon2Cost?...) throws(MainKeyError) -> Argon2Cost {
        for case let cost? in known {
            try check(cost)
            return cost
        }
        return try Argon2Calibration.measure().cost()
    }

    private static func check(_ cost: Argon2Cost) throws(MainKeyError) {
        guard cost.isWritable else {
            throw .configError(
                reason: "a PIN takes 2 passes over 19456 KiB at the least, and 16 GiB in all at the most")
        }
    }

    /// What has to hold for the protections of a vault as a whole.
    package static func check(_ protections: [Protection], _ options: VaultOptions) throws(MainKeyError) {
        guard KeyFile.attemptLimits.contains(UInt8(clamping: options.attemptLimit)) else {
            throw .configError(reason: "1 to 100 wrong attempts can be allowed, not \(options.attemptLimit)")
        }
        guard options.autolock.isAllowed else {
            throw .configError(reason: "the vault can lock after 1 to 10080 minutes")
        }
        if let cost = options.cost { try check(cost) }
        for pin in protections.compactMap(\.pin) { try options.pinPolicy.check(pin) }
        try check(
            protections.map(\.kind), requiresHardware: options.requiresHardware,
            allowsNoRecovery: options.allowsNoRecovery)
    }

    static func check(
        _ kinds: [Slot.Kind], requiresHardware: Bool, allowsNoRecovery: Bool
    ) throws(MainKeyError) {
        guard KeyFile.slotCounts.contains(kinds.count) else {
            throw .configError(reason: "a vault has 1 to 8 ways to open it, not \(kinds.count)")
        }
        guard kinds.count(where: \.isHardware) <= 1 else {
            throw .configError(reason: "one way at the most can be bound to the TPM")
        }
        if requiresHardware, !kinds.contains(where: \.isHardware) {
            throw .configError(reason: "the vault requires hardware, and none of these ways has it")
        }
        if kinds.contains(where: \.isHardware), !allowsNoRecovery, !kinds.contains(where: { !$0.isHardware }) {
            throw .configError(
                reason:
                    "if the hardware fails, everything is lost: add a recovery code (--recovery), or say that this is "
                    + "meant (--allow-no-recovery)")
        }
        if kinds.contains(.none), kinds.count > 1, kinds.contains(where: { $0 != .none && $0 != .recovery }) {
            throw .configError(reason: "a way without protection makes the others useless")
        }
    }

    /// Opens a vault without unlocking it, to use it, and puts right what a crash left.
    ///
    /// - Throws: `notFound`; what is wrong with the key file; `recoverable`; `configError` and `io` for the folder.
    package static func open(
        at path: String, _ options: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> VaultEngine {
        let directory = try VaultDirectory(
            path, .existing, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        let file = try readable(directory, path: path, options)
        let engine = try VaultEngine(path: path, directory: directory, file: file, options: options)
        engine.removeForgottenItems()
        _ = try engine.cleartext.sweep()
        if file.slots(of: .none).isEmpty { engine.hub.post(.requestMainKey) }
        return engine
    }

    /// The key file, after what a crash left was put right. Only then others have to wait.
    private static func readable(
        _ directory: VaultDirectory, path: String, _ options: OpenOptions
    ) throws(MainKeyError) -> KeyFile {
        let isLeft = try hasLeftovers(directory)
        let lock = try HeldLock(isLeft ? .exclusive : .shared, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        if isLeft { try recover(directory, path: path, options) }
        guard let bytes = try directory.keyFile() else { throw .notFound("vault in \(path)") }
        return try KeyFile(parsing: bytes)
    }

    /// Opens a vault to say what it is, and changes nothing on the disk: what a crash left stays as it is, and so does
    /// a wipe that was begun. ``verify(_:)`` counts its attempt all the same.
    ///
    /// - Throws: as ``open(at:_:)``; `notFound` also for a vault whose wipe is not finished.
    package static func look(
        at path: String, _ options: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> VaultEngine {
        let directory = try VaultDirectory(
            path, .existing, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        let lock = try HeldLock(.shared, of: directory, patience: options.lockTimeout, makesFile: false)
        defer { withExtendedLifetime(lock) {} }
        let keyring = try looked(at: directory, path: path, options)
        return try VaultEngine(
            path: path, directory: directory, file: keyring.file, options: options, changesNothing: true)
    }

    /// The key file that counts, whatever a crash left beside it.
    static func looked(
        at directory: VaultDirectory, path: String, _ options: OpenOptions
    ) throws(MainKeyError) -> Keyring {
        let name: String
        switch try decide(directory, path: path, options) {
        case .useKeyFile, .discardNew, .reportKeyFile: name = Name.keyFile
        case .promoteNew: name = Name.stagedKeyFile
        case .finishWipeThenNotFound:
            throw .notFound("vault in \(path) any more: a wipe of it was begun. Finish it with: mainkey wipe")
        case .notFound, .discardNewThenNotFound, .recoverable, .counterNeeded, .rolledBack, .tampered:
            throw .notFound("vault in \(path)")
        }
        guard let bytes = try directory.keyFile(name) else { throw .notFound("vault in \(path)") }
        return Keyring(file: try KeyFile(parsing: bytes), bytes: bytes)
    }

    /// Finishes what a commit that was killed behind its last step left of the ways before it.
    private func removeForgottenItems() {
        let slots = state.withLock { $0.file.slots(of: .none) }
        // The usual case, in which nobody has to wait.
        guard (try? items.labels(access: .always).count) != slots.count,
            let lock = try? HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        guard (try? Self.hasLeftovers(directory)) == false, let file = try? load().file else { return }
        removeForgottenItems(of: file)
    }

    /// Whether a crash has left something that ``recover(_:path:_:)`` puts right.
    static func hasLeftovers(_ directory: VaultDirectory) throws(MainKeyError) -> Bool {
        if try WipeMark.isPresent(in: directory) { return true }
        if try isListStaged(directory) { return true }
        return try FoundKeyFile(Name.stagedKeyFile, in: directory).state != .absent
    }

    /// Decides what a crash left, and does it. The caller holds the exclusive lock.
    static func recover(
        _ directory: VaultDirectory, path: String, _ options: OpenOptions
    ) throws(MainKeyError) {
        switch try decide(directory, path: path, options) {
        case .discardNew, .discardNewThenNotFound: try directory.files.remove(Name.stagedKeyFile)
        case .promoteNew: try directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
        case .finishWipeThenNotFound:
            try resumeWipe(directory, tpm: options.tpm)
            return
        case .useKeyFile: break
        case .notFound, .reportKeyFile, .recoverable, .counterNeeded, .rolledBack, .tampered: return
        }
        CrashPoint.reach("recover.items")
        try settleItems(directory)
    }

    /// What is to be done about what a crash left; changes nothing.
    ///
    /// - Throws: for what no program may decide; what is wrong with a mark that says that a wipe was begun.
    private static func decide(
        _ directory: VaultDirectory, path: String, _ options: OpenOptions
    ) throws(MainKeyError) -> RecoveryDecision {
        let isWiping = try WipeMark.genuine(in: directory, options.knownVaults) != nil
        let current = try FoundKeyFile(Name.keyFile, in: directory)
        let new = try FoundKeyFile(Name.stagedKeyFile, in: directory)
        // Only two files that differ by one step of the counter need to be told apart by it.
        var counter: UInt64?
        switch current.file?.anchor {
        case .tpm(let index, _)? where new.state != .absent:
            counter = try? TPM(at: options.tpm ?? .standard).readCounter(index)
        case .external? where new.state != .absent: counter = try? options.externalAnchor?.value()
        default: break
        }
        let decision = RecoveryDecision(
            isWiping: isWiping, keyFile: current.state, new: new.state(beside: current), counter: counter)
        switch decision {
        case .recoverable:
            throw .recoverable(
                reason: new.file == nil
                    ? "The key file in \(path) is missing, and \(Name.stagedKeyFile) beside it is damaged."
                    : "The key file in \(path) is missing or damaged, and a newer one is complete beside it.")
        case .counterNeeded:
            throw .hardwareUnavailable(
                reason: "a change of the vault was interrupted, and only its rollback counter tells whether it was made"
            )
        case .rolledBack: throw .rolledBack(reason: "the rollback counter has moved on since this state was current")
        case .tampered: throw .tampered(reason: "the rollback anchor went back")
        default: return decision
        }
    }

    /// The key file of a folder and the newer one beside it, as far as they can be read, for a person to choose
    /// between.
    package static func keyFiles(
        at path: String
    ) throws(MainKeyError) -> (current: Result<KeyFile, MainKeyError>, new: Result<KeyFile, MainKeyError>) {
        let directory = try VaultDirectory(path, .existing, allowNetworkFileSystem: true)
        func parsed(_ name: String) -> Result<KeyFile, MainKeyError> {
            Result { () throws(MainKeyError) in
                guard let bytes = try directory.keyFile(name) else { throw .notFound("\(name) in \(path)") }
                return try KeyFile(parsing: bytes)
            }
        }
        return (parsed(Name.keyFile), parsed(Name.stagedKeyFile))
    }

    /// Puts the complete new file in the place of a missing or damaged one: a person has seen both.
    package static func repair(at path: String, _ options: OpenOptions = OpenOptions()) throws(MainKeyError) {
        let directory = try VaultDirectory(
            path, .existing, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        guard let new = try directory.keyFile(Name.stagedKeyFile) else {
            throw .notFound("newer key file in \(path)")
        }
        _ = try KeyFile(parsing: new)
        if try FoundKeyFile(Name.keyFile, in: directory).file != nil {
            throw .configError(reason: "the key file in \(path) is whole; there is nothing to repair")
        }
        try directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
    }
}

extension VaultOptions {
    var flags: KeyFile.Flags {
        var flags: KeyFile.Flags = []
        if wipesOnLimit { flags.insert(.wipeOnLimit) }
        if requiresHardware { flags.insert(.requireHardware) }
        if hasStrictAnchor { flags.insert(.strictAnchor) }
        return flags
    }
}
