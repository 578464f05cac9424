import BasicFoundation
import Console
import NetworkDetector
import Signer
import SignerCore

/// Whether this machine may have secrets in its memory now: looked at before a vault is opened for them, and again
/// right before they are used. What was up for a moment in between counts.
///
/// Source: `signer-product` section 5.
enum NetworkGate {
    /// One program uses one vault.
    private static let lookout = NetworkLookout()

    /// Looks before anything is asked of a person. What the vault lets pass is read without its key here, and
    /// ``check(_:in:)`` asks again.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ activity: GuardedActivity, in folder: URL, allowing: NetworkAllowance = .strict) throws {
        guard Vault.exists(in: folder) else { return try check(activity, folder: nil, facts: nil, allowing: allowing) }
        let facts = try Vault.networkFacts(in: folder)
        try check(activity, folder: folder, facts: facts, allowing: facts.allowance)
    }

    /// Looks with what the key of the vault vouches for: when it is opened, and right before secrets are used.
    ///
    /// - Throws: ``Refusal``, `databaseDamaged` where somebody changed what the vault lets pass.
    static func check(_ activity: GuardedActivity, in vault: Vault) throws {
        try check(
            activity, folder: vault.folder, facts: vault.networkFacts(), allowing: vault.networkAllowance())
    }

    /// Looks before a change of what protects a vault asks for anything. Such commands open no vault, so what it lets
    /// pass is read without its key. Where there is no vault, what is asked of it says so.
    ///
    /// - Throws: ``Refusal``.
    static func checkProtectionChange(in folder: URL) throws {
        if Vault.exists(in: folder) { try check(.protectionChange, in: folder) }
    }

    /// Takes a secret of a change of protection, and looks again before it counts: a person took time over it.
    ///
    /// - Parameter take: reads a new PIN, or makes a recovery code and shows it.
    static func forProtectionChange<Secret>(
        in folder: URL, _ take: @escaping () throws -> Secret
    ) -> () throws -> Secret {
        {
            let secret = try take()
            try checkProtectionChange(in: folder)
            return secret
        }
    }

    private static func check(
        _ activity: GuardedActivity, folder: URL?, facts: Vault.NetworkFacts?, allowing: NetworkAllowance
    ) throws {
        let sighting = try lookout.look(for: folder, knowing: facts, allowing: allowing)
        do throws(DetectorError) { try sighting.detector.check(activity) } catch {
            guard allowing.allowsNetwork else {
                throw Refusal(error: error, found: sighting.found, hasVault: folder != nil)
            }
            if sighting.isFirst { Warning.show(Refusal.warning(error, sighting.found)) }
        }
    }

    /// Takes the acknowledgement of a person, who opened the vault for changes.
    ///
    /// - Parameter ask: shows what the log has by now, and returns when the person goes on.
    /// - Throws: ``Refusal`` where something is up, or nothing was; ``StaleAcknowledgement``; what `ask` throws.
    static func acknowledge(in vault: Vault, _ ask: () throws -> Void) throws {
        do {
            let shown = try lookout.beginAcknowledgement(in: vault)
            try ask()
            try lookout.acknowledge(in: vault, shown: shown)
        } catch let refusal as NetworkLookout.NothingToAcknowledge {
            throw Refusal(error: refusal.error, found: refusal.found, hasVault: true)
        } catch is NetworkLookout.MoreToAcknowledge { throw StaleAcknowledgement() }
    }

    /// A yes for less than there is to acknowledge.
    struct StaleAcknowledgement: Error, CustomStringConvertible {
        let description = """
            Nothing was acknowledged: this machine was connected to a network again while the question was open. \
            casemate acknowledge shows that, too.
            """
    }
}
