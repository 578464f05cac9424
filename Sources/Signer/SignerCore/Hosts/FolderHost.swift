import BasicFoundation
import MainKey
import NetworkDetector
import SecretMemory
import Signer
import Substrate
import Synchronization

/// The vault in a folder, open for as long as its program lives and nothing locks it.
///
///     let core = Core(host: FolderHost(folder, FolderHost.Settings(opening: options, bundle: .shipped())))
///     show(try core.action(.start))                          // Unlock
///     show(try core.action(.goForward, secret: typedPIN))    // SeedSelector
///
/// While it is open no other program changes the vault: it holds the vault's lock, and others are told that it is busy.
/// While it is locked it holds nothing, and opens anew what is there then. Files that were replaced under it lock it
/// before anything is read from them or written to them.
///
/// A credential lives for the action that brought it. The time of autolock runs while ``whileWaiting(_:)`` does; a
/// vault that locks with each wait has a minute here, since a living program waits between any two actions.
package final class FolderHost: CoreHost {
    /// How the vault is opened, and what is around it.
    package struct Settings: Sendable {
        /// How its key is opened.
        package var opening: OpenOptions
        /// The networks of a vault that is set up or wiped.
        package var bundle: NetworkBundle
        /// The cost of a key that is made; nil measures the machine.
        package var cost: Argon2Cost?
        /// The validator of this program; nil where none is installed.
        package var vigil: (any VerdictSource)?
        /// Whether what a person types to open the vault is its recovery code.
        package var takesRecoveryCode = false
        /// Whether dangers are confirmed by their own text before a signature.
        package var confirmsDangers = true
        /// What new secrets are drawn from.
        package var random: any RandomSource = MixedRandom.standard
        /// Gives the time of log entries; tests put their own here.
        package var now: @Sendable () -> Date = { Date() }
        /// A handler that is called when a vault is opened for the first time with a validator's word.
        package var validatorRequired: @Sendable (Verdict.Account) -> Void = { _ in }
        /// Expands metadata that come compressed; nil refuses them.
        package var metadataExpander: MetadataExpander?
        /// Looks at program and machine; what the vault says of itself comes behind it.
        package var machineCheck: @Sendable () -> [CheckLine] = { PrimitiveCheck.lines() }

        package init(opening: OpenOptions = OpenOptions(), bundle: NetworkBundle) {
            self.opening = opening
            self.bundle = bundle
        }
    }

    /// The folder of the vault.
    package let folder: URL
    private let settings: Settings
    private let lookout: NetworkLookout
    private let offered = OfferedCredential()
    /// With less a vault would be locked again before the first action on it.
    private static let leastAutolock = AutolockTimeout.minutes(1)
    private let state = Mutex(State())

    private struct State: Sendable {
        /// Nil while it is locked, and before one is set up.
        var vault: Vault?
        var machineLines: [CheckLine]?
    }

    /// Opens nothing yet.
    ///
    /// - Parameter lookout: looks at the network.
    package init(_ folder: URL, _ settings: Settings, lookout: NetworkLookout = NetworkLookout()) {
        self.folder = folder
        self.settings = settings
        self.lookout = lookout
    }

    package var confirmsDangers: Bool { settings.confirmsDangers }
    package var random: any RandomSource { settings.random }
    private var vault: Vault? { state.withLock { $0.vault } }

    /// Runs `body`, which waits for a person or a device: the time counts for autolock.
    ///
    /// - Parameter isByPerson: whether what came is by a person. Else the time goes on until the next wait.
    package func whileWaiting<R>(
        until isByPerson: (R) -> Bool = { _ in true }, _ body: () throws -> R
    ) rethrows -> R {
        guard let vault else { return try body() }
        return try vault.whileWaiting(until: isByPerson, body)
    }

    /// Readable as long as something changed in the network that nobody looked at yet; nil where nothing is watched.
    package var networkDescriptor: CInt? { lookout.descriptor }

    // MARK: Opening

    package var isOnboarded: Bool { Vault.exists(in: folder) }

    package var isLocked: Bool {
        guard isOnboarded else { return false }
        if let vault, vault.isUnlocked { return false }
        return asksPerson
    }

    /// Whether a person has to show something to open the vault. One of which that cannot be told is taken for one.
    package var asksPerson: Bool { (try? Vault.asksPerson(in: folder, opening: settings.opening)) ?? true }

    package var unlocking: UnlockData {
        guard let status = try? Vault.openingStatus(of: folder, opening: settings.opening) else { return UnlockData() }
        return UnlockData(
            waitSeconds: status.secondsBeforeAsking, attemptsLeft: status.attemptsLeft,
            opensByItself: asksPerson ? nil : true)
    }

    private var asking: Unlocking {
        var opening = settings.opening
        opening.alwaysCountsAs = Self.leastAutolock
        return Unlocking(
            opening, cost: settings.cost, vigil: settings.vigil, validatorRequired: settings.validatorRequired
        ) { [offered] _ in try offered.answer() }
    }

    /// Opens what is in the folder now, with what was offered, and finishes what a crash left.
    private func opened() throws -> Vault {
        // Its own lock would be in the way.
        state.withLock { $0.vault = nil }
        var vault = try Vault.open(folder, unlocking: asking, now: settings.now)
        vault.metadataExpander = settings.metadataExpander
        // A session of this login opens what is shown; here seeds are used too.
        try vault.key?.confirm()
        try vault.finishSeeds()
        state.withLock { [vault] in $0.vault = vault }
        return vault
    }

    package func openVault() throws -> Vault? {
        if let vault { return vault }
        guard isOnboarded, !isLocked else { return nil }
        return try opened()
    }

    private func typed(_ credential: SecretBytes) -> TypedCredential {
        settings.takesRecoveryCode ? .recoveryCode(credential) : .pin(credential)
    }

    package func unlock(with credential: SecretBytes) throws -> Vault {
        guard asksPerson else { return try opened() }
        // An empty one would only cost an attempt.
        guard credential.count > 0 else { throw CoreError.wrongCredential(waitSeconds: 0) }
        return try telling { try offered.lending(typed(credential), to: opened) }
    }

    package func authenticate(_ credential: SecretBytes?) throws {
        guard let vault else { throw CoreError.locked }
        guard asksPerson else { return }
        guard let credential, credential.count > 0 else { throw CoreError.notAuthenticated }
        try telling { try offered.lending(typed(credential)) { try vault.authenticate() } }
    }

    /// Says how long a person has to wait after a wrong credential.
    private func telling<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch SignerError.vaultKey(.wrongCredential) {
            throw CoreError.wrongCredential(waitSeconds: unlocking.waitSeconds)
        }
    }

    package func lock() {
        let vault = state.withLock { state in
            defer { state.vault = nil }
            return state.vault
        }
        vault?.lock()
    }

    package func checkVault() throws { try vault?.checkPlace() }

    package func checkProgram(for vault: Vault) throws { _ = try vault.key?.verdict() }

    // MARK: Beginning

    package func onboard(_ setUp: ProtectionChange) throws -> Vault {
        var options = VaultOptions()
        options.autolock = setUp.autolock
        options.allowsNoRecovery = true
        options.cost = settings.cost
        do {
            let vigil = setUp.plan.takesPIN ? settings.vigil : nil
            let binding = try vigil.flatMap { vigil -> NewBinding? in
                do throws(VigilRefusal) { return try vigil.verdict().map { _ in NewBinding(to: vigil) } } catch {
                    throw SignerError.vigil(error)
                }
            }
            try Vault.create(
                in: folder, protections: setUp.protections(), options: options, bundle: settings.bundle,
                opening: settings.opening, binding: binding, now: settings.now)
        } catch SignerError.vaultKey(.weakPIN(let weakness)) {
            throw CoreError.credentialTooWeak(reason: weakness.explanation)
        }
        guard let credential = setUp.newPIN else { return try opened() }
        return try offered.lending(.pin(credential), to: opened)
    }

    package func protection(of vault: Vault) throws -> ProtectionData {
        guard let key = vault.key else { throw CoreError.locked }
        return ProtectionData(try key.status())
    }

    package func change(_ change: ProtectionChange, of vault: Vault, showing credential: SecretBytes?) throws {
        if asksPerson {
            guard let credential, credential.count > 0 else { throw CoreError.notAuthenticated }
            try telling { try offered.lending(typed(credential)) { try change.make(in: vault) } }
        } else {
            try change.make(in: vault)
        }
        // Opened anew it is what it has become.
        lock()
    }

    package func wipe(_ vault: Vault?, keepsVerifier: Bool) throws -> Vault {
        guard let vault = vault ?? self.vault else { throw CoreError.locked }
        try vault.wipe(with: settings.bundle, following: keepsVerifier ? .ofRelease : .none)
        return vault
    }

    // MARK: The machine

    package func detector() -> DetectorView {
        do {
            guard isOnboarded else {
                let sighting = try lookout.look(for: nil, knowing: nil, allowing: .strict)
                return DetectorView(state: sighting.detector.state, probes: sighting.found)
            }
            guard let vault, vault.isUnlocked else {
                // Nobody vouches for what a closed vault lets pass, so it lets nothing pass.
                let facts = try Vault.networkFacts(in: folder)
                let sighting = try lookout.look(for: folder, knowing: facts, allowing: facts.allowance)
                return DetectorView(state: sighting.detector.state, probes: sighting.found)
            }
            let allowance = try vault.networkAllowance()
            let sighting = try lookout.look(for: folder, knowing: vault.networkFacts(), allowing: allowance)
            try vault.takeUpEncounters()
            return DetectorView(
                state: sighting.detector.state, probes: sighting.found, isAllowed: allowance.allowsNetwork)
        } catch {
            return DetectorView(state: .error, probes: [CoreFailure(error).text])
        }
    }

    package func acknowledgeDanger(in vault: Vault?) throws {
        guard let vault else { throw CoreError.locked }
        do { try lookout.acknowledge(in: vault) } catch let refusal as NetworkLookout.NothingToAcknowledge {
            throw refusal.error
        }
    }

    package func selfCheck(of vault: Vault?) -> [SelfCheckLine] {
        let known = state.withLock { $0.machineLines }
        let machine = known ?? settings.machineCheck()
        if known == nil { state.withLock { $0.machineLines = machine } }
        var lines = machine.map { SelfCheckLine($0) }
        do { lines += try vault?.selfCheck().map { SelfCheckLine($0) } ?? [] } catch {
            lines.append(SelfCheckLine(code: "Database", verdict: .fail, text: CoreFailure(error).text))
        }
        return lines
    }
}
