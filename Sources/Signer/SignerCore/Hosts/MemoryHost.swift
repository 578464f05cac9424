import BasicFoundation
import MainKey
import NetworkDetector
import SecretMemory
import Signer
import Substrate
import Synchronization

/// A vault that lives in memory, for replaying what was recorded, for trying out and for tests: its clock ticks with
/// each look at it, its detector says what it was told.
package final class MemoryHost: CoreHost {
    /// Characters of a credential at the least.
    package static let shortestCredential = 8

    package let random: any RandomSource
    package let confirmsDangers: Bool
    private let bundle: NetworkBundle
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    fileprivate struct State: Sendable {
        var detector = NetworkDetector.State.safe
        var credential: SecretBytes?
        var code: RecoveryCode?
        /// What would protect it on a disk.
        var plan = ProtectionPlan.none
        var autolock = Vault.usualAutolock
        var epoch: UInt32 = 0
        var isLocked = false
        var isOnboarded: Bool
        var vault: Vault?
    }

    /// Begins with a vault, or before one is set up.
    ///
    /// - Parameters:
    ///   - bundle: the networks of new vaults.
    ///   - isOnboarded: whether there is a vault at once, which no credential protects.
    ///   - confirmsDangers: whether dangers are confirmed before a signature.
    ///   - random: of new secrets.
    ///   - now: the clock; nil for one that goes on by a second with each look at it.
    package init(
        _ bundle: NetworkBundle, isOnboarded: Bool = true, confirmsDangers: Bool = false,
        random: any RandomSource = MixedRandom.standard, now: (@Sendable () -> Date)? = nil
    ) throws {
        self.bundle = bundle
        self.confirmsDangers = confirmsDangers
        self.random = random
        let clock = TickingClock()
        self.now = now ?? { clock.next() }
        let vault = isOnboarded ? try Self.newVault(bundle, self.now) : nil
        state = Mutex(State(isOnboarded: isOnboarded, vault: vault))
    }

    private static func newVault(_ bundle: NetworkBundle, _ now: @escaping @Sendable () -> Date) throws -> Vault {
        try .inMemory(bundle, seeds: MemorySeeds(), now: now)
    }

    /// Changes what the network detector says from now on.
    package func setDetector(_ detector: NetworkDetector.State) { state.withLock { $0.detector = detector } }

    package var isOnboarded: Bool { state.withLock { $0.isOnboarded } }
    package var isLocked: Bool { state.withLock { $0.isLocked } }
    package var unlocking: UnlockData { UnlockData() }

    package func detector() -> DetectorView {
        let (detector, vault) = state.withLock { ($0.detector, $0.isLocked ? nil : $0.vault) }
        guard let allowance = try? vault?.networkAllowance() ?? .strict else { return DetectorView(state: .error) }
        return DetectorView(state: detector, probes: ["as it was told"], isAllowed: allowance.allowsNetwork)
    }

    package func acknowledgeDanger(in vault: Vault?) throws {
        guard state.withLock({ $0.detector }) == .wasOnline else { throw CoreError.ackNotPossible }
        try vault?.acknowledgeOnline()
        state.withLock { $0.detector = .safe }
    }

    package func checkVault() {}
    package func checkProgram(for vault: Vault) {}

    package func openVault() throws -> Vault? { state.withLock { $0.isLocked ? nil : $0.vault } }

    package func onboard(_ setUp: ProtectionChange) throws -> Vault {
        try Self.check(setUp)
        let vault = try Self.newVault(bundle, now)
        state.withLock { state in
            state.take(setUp)
            state.isOnboarded = true
            state.vault = vault
        }
        return vault
    }

    private static func check(_ change: ProtectionChange) throws {
        guard let credential = change.newPIN, credential.count < shortestCredential else { return }
        throw CoreError.credentialTooWeak(reason: "it has fewer than \(shortestCredential) characters")
    }

    package var asksPerson: Bool { state.withLock { $0.credential != nil } }

    package func protection(of vault: Vault) -> ProtectionData {
        state.withLock { state in
            let way =
                switch state.plan {
                case .none: "none"
                case .pin: "pin"
                case .hardware: "tpm+pin"
                }
            return ProtectionData(
                ways: [way] + (state.code == nil ? [] : ["recovery"]), autolock: state.autolock.rawValue,
                attemptsLeft: ProtectionPlan.attemptLimit, epoch: state.epoch)
        }
    }

    package func change(_ change: ProtectionChange, of vault: Vault, showing credential: SecretBytes?) throws {
        try Self.check(change)
        try state.withLock { state in
            if let known = state.credential, known != credential { throw CoreError.wrongCredential(waitSeconds: 0) }
            state.take(change)
            state.isLocked = state.credential != nil
        }
    }

    package func unlock(with credential: SecretBytes) throws -> Vault {
        try state.withLock { state in
            guard let vault = state.vault, state.credential.map({ $0 == credential }) ?? true else {
                throw CoreError.wrongCredential(waitSeconds: 0)
            }
            state.isLocked = false
            return vault
        }
    }

    /// Does nothing where no credential would open it again.
    package func lock() { state.withLock { $0.isLocked = $0.credential != nil } }

    package func authenticate(_ credential: SecretBytes?) {}

    package func wipe(_ vault: Vault?, keepsVerifier: Bool) throws -> Vault {
        var bundle = bundle
        if !keepsVerifier { bundle.generalVerifier = .none }
        let vault = try Self.newVault(bundle, now)
        state.withLock { $0.vault = vault }
        return vault
    }

    package func selfCheck(of vault: Vault?) -> [SelfCheckLine] {
        [SelfCheckLine(code: "InMemory", verdict: .warn, text: "This vault is in memory and gone with the program.")]
    }
}

extension MemoryHost.State {
    /// Takes over what a change says; nothing is on a disk that would be sealed.
    fileprivate mutating func take(_ change: ProtectionChange) {
        switch change.kind {
        case .setUp, .protection:
            plan = change.plan
            credential = change.newPIN
            code = change.code ?? (change.keepsRecovery && plan != .none ? code : nil)
        case .pin: credential = change.newPIN
        case .recovery: code = change.code
        case .rotate: epoch += 1
        case .rekey:
            (credential, code) = (change.newPIN, change.code)
            epoch += 1
        case .autolock: break
        }
        if change.kind == .setUp || change.kind == .autolock { autolock = change.autolock }
    }
}
