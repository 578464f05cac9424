import BasicFoundation
import MainKey
import SecretMemory

/// A bound vault opens with what a person types together with a validator's grant, and by its recovery code.
///
/// Killed at any moment it opens in the old way or in the new one: the record first says that a change is under way and
/// which slot the PIN has, then the slot is replaced in one step, then the record says how it ended. The mark under the
/// key does the same.
extension VaultKey {
    /// The validator that this vault's record says the PIN needs; nil for one whose PIN opens it alone.
    package func binding() throws -> VaultBinding? {
        guard let binding = try record.read() else { return nil }
        return binding.holds(pinSlot: try pinWay()?.id) ? binding : nil
    }

    /// Joins the PIN with the validator's grant. Ends the session.
    ///
    /// - Parameter newPIN: asked for where the recovery code opened the vault.
    package func bind(newPIN: () throws -> SecretBytes) throws {
        try changing { () throws in
            guard try binding() == nil else { throw SignerError.vigil(.alreadyBound) }
            guard let way = try pinWay() else { throw SignerError.vigil(.needsPIN) }
            let opened = try reopened()
            let mark = try mark(openedBy: opened)
            let pin = try opened.typed ?? newPIN()
            try onKey { try PINPolicy.standard.check(pin) }
            let (grant, account) = try grantedShare()
            let record = VaultBinding(
                label: account.product, validatorKeyID: account.validatorKeyID, state: .binding, slot: way.id)
            try replacePIN(
                of: way, by: GrantShare.pin(pin, grant: grant), credential: opened.credential, begun: record,
                mark: mark, outcome: SealedMark.Outcome(validatorKeyID: account.validatorKeyID))
        }
    }

    /// Makes the PIN open the vault without a validator again. Ends the session.
    ///
    /// - Parameter newPIN: asked for where the recovery code opened the vault, as it does without the validator.
    package func unbind(newPIN: () throws -> SecretBytes) throws {
        try changing { () throws in
            let opened = try reopened()
            let (bound, way) = (try binding(), try pinWay())
            var mark = try mark(openedBy: opened)
            let isJoined = bound != nil || mark.isBound || mark.slot != way?.id
            guard isJoined || mark.validatorKeyID != nil else { throw SignerError.vigil(.notBound) }
            // The PIN opens it alone as it is: only the word is not needed any more.
            guard isJoined else {
                (mark.validatorKeyID, mark.isReleased) = (nil, true)
                try write(mark)
                return endSessionBehindChange()
            }
            guard let way else { throw SignerError.vigil(.needsPIN) }
            let pin = try opened.typed ?? newPIN()
            let record = VaultBinding(
                label: bound?.label ?? "", validatorKeyID: bound?.validatorKeyID ?? mark.validatorKeyID ?? "",
                state: .unbinding, slot: way.id)
            try replacePIN(
                of: way, by: pin, credential: opened.credential, begun: record, mark: mark,
                outcome: SealedMark.Outcome(isReleased: true))
        }
    }

    /// Writes the record anew for a vault that is bound and has lost it: what was typed opens it together with the
    /// grant, or, by the recovery code, the vault itself says so.
    package func restoreBinding() throws {
        try changing { () throws in
            guard try binding() == nil else { throw SignerError.vigil(.alreadyBound) }
            guard let way = try pinWay() else { throw SignerError.vigil(.needsPIN) }
            let takesCode = try status().ways.contains { $0.kind == "recovery" }
            let typed = try unlocking.credential(
                CredentialRequest(reason: .protections, takesPIN: true, takesRecoveryCode: takesCode))
            let (grant, account) = try grantedShare()
            switch typed {
            case .pin(let typed):
                let pin = try GrantShare.pin(typed, grant: grant)
                try onKey {
                    try engine.verify(way.kind == "pin" ? .pin(pin) : .hardwareAndPIN(pin))
                }
            case .recoveryCode(let code):
                try unlock(Typed(.recovery(try onKey { try RecoveryCode(typed: code) })))
                let mark = try mark().settled(pinSlot: way.id)
                guard mark.isBound, mark.slot == way.id else { throw SignerError.vigil(.notBound) }
            }
            try record.write(VaultBinding(label: account.product, validatorKeyID: account.validatorKeyID))
        }
    }

    /// The mark as it is before a change that settles it. The recovery code changes also what does not agree, which is
    /// the way out where the folder was changed by others.
    private func mark(openedBy opened: Typed) throws -> SealedMark {
        guard opened.isRecoveryCode else { return try checkedMark() }
        return (try? mark().settled(pinSlot: pinWay()?.id)) ?? SealedMark()
    }

    // MARK: Used by the key

    /// What the slot of a PIN takes: of a bound vault the PIN joined with a fresh grant.
    func taken(_ typed: SecretBytes) throws -> SecretBytes {
        guard let bound = try binding() else { return typed }
        return try GrantShare.pin(typed, grant: try grant(of: bound))
    }

    /// A fresh grant for a vault that is bound.
    func grant(of bound: VaultBinding) throws -> SecretBytes {
        guard let verdict = try freshVerdict() else {
            throw SignerError.vigil(.noValidator(bound: bound.validatorKeyID))
        }
        return try verdict.usableGrant()
    }

    private func grantedShare() throws -> (grant: SecretBytes, account: Verdict.Account) {
        guard let verdict = try freshVerdict() else { throw SignerError.vigil(.notProvisioned) }
        return (try verdict.usableGrant(), verdict.account)
    }

    /// The way to open the vault that takes a PIN.
    func pinWay() throws -> VaultStatus.Way? {
        let ways = try status().ways
        return ways.first { $0.kind == "tpm+pin" } ?? ways.first { $0.kind == "pin" }
    }

    /// Takes the lock that is held while ways to open the vault are changed.
    func changeLock() throws -> VaultLock { try VaultLock(path: record.path + ".lock", of: folder) }

    /// Changes ways to open the vault under the lock, after what a crash left of such a change was ended.
    func changing<R>(_ body: () throws -> R) throws -> R {
        let lock = try changeLock()
        defer { withExtendedLifetime(lock) {} }
        try settle()
        return try body()
    }

    /// Ends what a crash left of binding and unbinding, by the slot that is there. The caller is ``changing(_:)``.
    private func settle() throws {
        guard let found = try record.read(), found.isChanging else { return }
        try record.write(found.holds(pinSlot: try pinWay()?.id) ? found.settled : nil)
    }

    /// - Parameters:
    ///   - begun: the record of the change that begins.
    ///   - mark: as it is before.
    ///   - outcome: what it says of the validator's word afterwards.
    private func replacePIN(
        of way: VaultStatus.Way, by pin: SecretBytes, credential: Credential, begun: VaultBinding,
        mark: SealedMark, outcome: SealedMark.Outcome
    ) throws {
        var mark = mark
        // From here on the number of the slot tells whether the change took place.
        mark.slot = way.id
        try record.write(begun)
        CrashPoint.reach("vigil.marked")
        do {
            try marking(mark, becomingBound: begun.state == .binding, outcome: outcome) {
                var options = VaultOptions()
                options.allowsNoRecovery = true
                options.cost = unlocking.cost
                let kept = Set(try status().ways.map(\.id)).subtracting([way.id])
                try onKey {
                    try engine.setProtections(
                        keeping: kept,
                        adding: [way.kind == "pin" ? .pin(pin) : .hardwareAndPIN(pin, way.binding ?? .counter)],
                        authenticatedBy: credential, options)
                }
                CrashPoint.reach("vigil.changed")
            }
        } catch {
            // The change may have become final all the same.
            try? settle()
            throw error
        }
        behindChange("the record of the validator", settle)
        endSessionBehindChange()
    }
}
