import NetworkDetector
import SecretMemory
import Signer
import Substrate

/// What the core needs of the program around it: the store of secrets, the network detector, randomness. The clock is
/// the vault's own, given where it is opened.
///
/// Source: `signer-product` section 6.1.
package protocol CoreHost: Sendable {
    /// Whether the vault has been set up.
    var isOnboarded: Bool { get }
    /// Whether the store of secrets is sealed.
    var isLocked: Bool { get }
    /// Whether dangers are confirmed by their own text before a signature.
    var confirmsDangers: Bool { get }
    /// What new secrets are drawn from.
    var random: any RandomSource { get }
    /// Whether a person has to show something to open the vault.
    var asksPerson: Bool { get }
    /// How long a person has to wait before the next credential is tried, and how many attempts are left.
    var unlocking: UnlockData { get }

    /// Looks at the network, and says what came of it.
    func detector() -> DetectorView
    /// Takes the acknowledgement of a person, and has the vault log it.
    ///
    /// - Parameter vault: the one that is open; nil for none.
    /// - Throws: where there is nothing to acknowledge.
    func acknowledgeDanger(in vault: Vault?) throws
    /// Makes sure that the vault is still what was opened. Asked before each action.
    ///
    /// - Throws: where other programs changed it in a way that cannot be taken over; it is locked then.
    func checkVault() throws
    /// Makes sure that what is shown of a payload and what signs it is the program that it is said to be, where
    /// somebody vouches for it.
    func checkProgram(for vault: Vault) throws
    /// Gives the vault that is open already.
    ///
    /// - Returns: nil before one is set up, and while it is locked.
    func openVault() throws -> Vault?
    /// Sets a vault up, and opens it.
    func onboard(_ setUp: ProtectionChange) throws -> Vault
    /// What protects a vault.
    func protection(of vault: Vault) throws -> ProtectionData
    /// Makes a change of what protects a vault, and locks it where a person has to open it then.
    ///
    /// - Parameter credential: what opens it now; nil where nothing was given.
    /// - Throws: as ``authenticate(_:)``; nothing is changed then.
    func change(_ change: ProtectionChange, of vault: Vault, showing credential: SecretBytes?) throws
    /// Opens the vault.
    func unlock(with credential: SecretBytes) throws -> Vault
    /// Seals the store of secrets.
    func lock()
    /// Makes sure that a person has shown the right to what cannot be undone.
    ///
    /// - Parameter credential: what came with the action; nil for none.
    /// - Throws: ``CoreError/notAuthenticated``, ``CoreError/wrongCredential(waitSeconds:)``.
    func authenticate(_ credential: SecretBytes?) throws
    /// Removes all seeds, then everything else, and begins anew.
    ///
    /// - Parameter keepsVerifier: whether the new vault follows the general verifier of the release; else none.
    /// - Returns: the new vault.
    func wipe(_ vault: Vault?, keepsVerifier: Bool) throws -> Vault
    /// Checks the program and the vault.
    func selfCheck(of vault: Vault?) -> [SelfCheckLine]
}

/// The network detector as screens show it.
package struct DetectorView: Sendable, Encodable {
    /// The state; nil until somebody looked.
    package var state: NetworkDetector.State?
    /// What each probe says.
    package var probes: [String] = []
    /// Whether the vault's policy lets secrets be used although the machine is not safe.
    package var isAllowed = false

    /// Whether secrets may be used now.
    package var permitsSecrets: Bool { state == .safe || isAllowed }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(state?.rawValue, forKey: .state)
        try container.encode(probes, forKey: .probes)
        if isAllowed { try container.encode(true, forKey: .allowed) }
    }

    private enum Key: String, CodingKey { case state, probes, allowed }
}

/// One line of the self check.
package struct SelfCheckLine: Hashable, Sendable, Encodable {
    /// How it went.
    package enum Verdict: String, Sendable, Encodable {
        /// As it should be.
        case ok
        /// Worth a look.
        case warn
        /// Not as it should be.
        case fail
    }

    /// The name by which programs tell lines apart.
    package var code: String
    /// How it went.
    package var verdict: Verdict
    /// What was found.
    package var text: String
}

extension SelfCheckLine {
    /// A line of the vault's own check, or of the machine's.
    package init(_ line: CheckLine) {
        let verdict: Verdict =
            switch line.status {
            case .ok: .ok
            case .warn: .warn
            case .fail: .fail
            }
        self.init(code: line.code, verdict: verdict, text: line.text)
    }
}
