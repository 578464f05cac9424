import MainKey

/// Binds a vault to a validator as it is made.
public struct NewBinding: Sendable {
    private let source: any VerdictSource

    /// Binds to the validator that answers now.
    public init(to source: any VerdictSource) {
        self.source = source
    }

    struct Bound {
        var protections: [Protection]
        var record: VaultBinding
        var account: Verdict.Account
    }

    /// - Parameter policy: for PINs as they were typed.
    func bind(_ protections: [Protection], _ policy: PINPolicy) throws -> Bound {
        guard protections.contains(where: \.takesPIN) else { throw SignerError.vigil(.needsPIN) }
        for pin in protections.compactMap(\.typedPIN) {
            try onKey { try policy.check(pin) }
        }
        let answer: Verdict?
        do throws(VigilRefusal) { answer = try source.verdict() } catch { throw SignerError.vigil(error) }
        guard let verdict = answer else { throw SignerError.vigil(.notProvisioned) }
        let grant = try verdict.usableGrant()
        return Bound(
            protections: try protections.map { protection in
                try protection.typedPIN.map { protection.with(pin: try GrantShare.pin($0, grant: grant)) } ?? protection
            },
            record: VaultBinding(label: verdict.account.product, validatorKeyID: verdict.account.validatorKeyID),
            account: verdict.account)
    }
}
