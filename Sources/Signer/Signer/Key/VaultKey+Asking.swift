import MainKey
import SecretMemory

extension VaultKey {
    /// The kinds of ways that open the vault: `none`, `tpm`, `pin`, `tpm+pin`, `recovery`.
    func waysToOpen() throws -> Set<String> { Set(try status().ways.map(\.kind)) }

    /// What a person typed, and what it became.
    struct Typed {
        var credential: Credential
        /// A PIN as it was typed.
        var typed: SecretBytes?

        init(_ credential: Credential, typed: SecretBytes? = nil) {
            self.credential = credential
            self.typed = typed
        }

        var isRecoveryCode: Bool { if case .recovery = credential { true } else { false } }
    }

    func ask(_ reason: CredentialRequest.Reason) throws -> Typed {
        let status = try status()
        let ways = Set(status.ways.map(\.kind))
        // Said before anything is typed.
        if status.secondsBeforeAsking > 0 {
            throw SignerError.vaultKey(.throttled(seconds: status.secondsBeforeAsking))
        }
        let takesPIN = ways.contains("pin") || ways.contains("tpm+pin")
        let typed = try unlocking.credential(
            CredentialRequest(reason: reason, takesPIN: takesPIN, takesRecoveryCode: ways.contains("recovery")))
        switch typed {
        case .pin(let pin):
            let taken = try taken(pin)
            return Typed(ways.contains("tpm+pin") ? .hardwareAndPIN(taken) : .pin(taken), typed: pin)
        case .recoveryCode(let code):
            return Typed(.recovery(try onKey { try RecoveryCode(typed: code) }))
        }
    }

    /// Tries what was typed; says what else than the PIN may be wrong where a validator plays a part.
    func trying(_ typed: Typed, _ body: () throws -> Void) throws {
        do { try body() } catch let error as MainKeyError {
            if case .wrongCredential(let left) = error, typed.isRecoveryCode {
                throw SignerError.wrongRecoveryCode(attemptsLeft: left)
            }
            guard case .wrongCredential(let left) = error, left != 0, typed.typed != nil,
                let suspicion = try? suspicion()
            else { throw SignerError.vaultKey(error) }
            throw SignerError.vigil(.wrongPIN(attemptsLeft: left, suspicion))
        }
    }

    private func suspicion() throws -> VigilRefusal.Suspicion? {
        guard let bound = try binding() else { return unlocking.vigil == nil ? nil : .recordMissing }
        guard let answering = state.withLock({ $0.verdict })?.validatorKeyID, answering != bound.validatorKeyID else {
            return nil
        }
        return .otherValidator(bound: bound.validatorKeyID, answering: answering)
    }
}
