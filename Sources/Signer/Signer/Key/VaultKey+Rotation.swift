import MainKey
import SecretMemory

/// How the ways to open a vault are made anew when it gets another MainKey.
package struct KeyRenewal {
    /// Asks for a PIN, where one is among the ways. The PIN of before is refused.
    package var newPIN: () throws -> SecretBytes
    /// Makes the new recovery code, where the vault has one.
    package var code: () throws -> RecoveryCode
    /// Shows the new recovery code, where the vault has one, and then calls `commit`, which makes it valid and the old
    /// one not.
    package var takeRecoveryCode: (_ code: RecoveryCode, _ commit: () throws -> Void) throws -> Void

    package init(
        newPIN: @escaping () throws -> SecretBytes,
        code: @escaping () throws -> RecoveryCode = { try RecoveryCode.generate() },
        takeRecoveryCode: @escaping (_ code: RecoveryCode, _ commit: () throws -> Void) throws -> Void
    ) {
        (self.newPIN, self.code) = (newPIN, code)
        self.takeRecoveryCode = takeRecoveryCode
    }
}

extension VaultKey {
    /// Gives the vault another MainKey and makes each way to open it anew. Ends the session.
    ///
    /// - Parameter credential: what opens the vault now.
    func rekey(_ renewal: KeyRenewal, authenticatedBy credential: Credential) throws {
        // Before anything is asked for: what is not as the vault itself says is not made anew.
        let mark = try checkedMark()
        let ways = try status().ways
        // One new PIN at the most, and one new code.
        let typed = (ways.contains(where: \.takesPIN) ? 1 : 0) + (ways.contains { $0.kind == "recovery" } ? 1 : 0)
        try checkRoom(forAdding: typed, keeping: [])
        let pin = ways.contains(where: \.takesPIN) ? try newPIN(renewal, insteadOf: credential) : nil
        let code = ways.contains { $0.kind == "recovery" } ? try renewal.code() : nil
        var kinds: Set<String> = []
        // Two ways of one kind, which this program never makes, become one: there is one new PIN.
        let protections = ways.filter { kinds.insert($0.kind).inserted }.compactMap { way -> Protection? in
            switch way.kind {
            case "none": Protection.none
            case "tpm": .hardware(way.binding ?? .counter)
            case "pin": pin.map { .pin($0) }
            case "tpm+pin": pin.map { .hardwareAndPIN($0, way.binding ?? .counter) }
            default: code.map { .recovery($0) }
            }
        }
        var options = VaultOptions()
        options.cost = unlocking.cost
        options.allowsNoRecovery = true
        // It ends the session too. Others that have the vault open lock by themselves.
        func commit() throws {
            try changing {
                try marking(mark, becomingBound: mark.isBound) {
                    try onKey {
                        try engine.rekey(protections, authenticatedBy: credential, options)
                    }
                }
            }
        }
        if let code { try renewal.takeRecoveryCode(code, commit) } else { try commit() }
    }

    private func newPIN(_ renewal: KeyRenewal, insteadOf credential: Credential) throws -> SecretBytes {
        let typed = try renewal.newPIN()
        try onKey { try PINPolicy.standard.check(typed) }
        let pin = try taken(typed)
        switch credential {
        case .pin(let old) where old == pin, .hardwareAndPIN(let old) where old == pin:
            throw SignerError.vaultKey(.configError(reason: "the new PIN is the one of before; choose another"))
        default: return pin
        }
    }

    /// Seals everything in `places` anew under a new key of the data, and forgets the old one if all of it is still
    /// there.
    ///
    /// - Parameter check: called when everything is sealed anew, and the old key is still held.
    func rotate(
        _ places: [any RotationPlace], check: () throws -> Void, progress: (RotationProgress) throws -> Void
    ) throws {
        // One use of the vault: if it locks meanwhile, this ends, and no person is asked in the middle of it.
        try withKeys { _ in
            try engine.rotate(places, by: Self.owner, keepsOldEpoch: true, progress: progress)
            try check()
            try engine.finishRotation(places)
        }
    }
}
