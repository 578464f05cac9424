import MainKey
import SecretMemory

extension VaultKey {
    /// Replaces ways to open the vault in one step, after the person showed to be allowed to. Ends the session.
    ///
    /// - Parameters:
    ///   - kept: kinds of ways that stay.
    ///   - added: asked for when the person has shown it.
    public func setProtections(
        keeping kept: Set<String> = [], _ options: VaultOptions = VaultOptions(), _ added: () throws -> [Protection]
    ) throws {
        try changing {
            let credential = try reopened().credential
            let mark = try checkedMark()
            let added = try added()
            let staying = try status().ways.filter { kept.contains($0.kind) }
            if mark.isBound, !staying.contains(where: \.takesPIN), !added.contains(where: \.takesPIN) {
                throw SignerError.vigil(.unbindFirst)
            }
            var options = options
            options.cost = options.cost ?? unlocking.cost
            let making = try added.map { try taken($0, options.pinPolicy) }
            try marking(mark, becomingBound: mark.isBound) {
                try onKey {
                    try engine.setProtections(
                        keeping: Set(staying.map(\.id)), adding: making, authenticatedBy: credential, options)
                }
            }
            endSessionBehindChange()
        }
    }

    /// A new way to open the vault; the PIN of one that is bound joined with a grant, after it was checked as it was
    /// typed.
    private func taken(_ protection: Protection, _ policy: PINPolicy) throws -> Protection {
        guard let pin = protection.typedPIN, try binding() != nil else { return protection }
        try onKey { try policy.check(pin) }
        return protection.with(pin: try taken(pin))
    }

    /// Sets another PIN; the other ways to open the vault stay, and so does the binding to hardware.
    public func changePIN(_ new: () throws -> SecretBytes) throws {
        let ways = try status().ways
        guard let way = ways.first(where: { $0.kind == "tpm+pin" }) ?? ways.first(where: { $0.kind == "pin" }) else {
            throw SignerError.vaultKey(.noSuchSlot("a PIN"))
        }
        let kept = Set(ways.map(\.kind)).subtracting([way.kind])
        try checkRoom(forAdding: 1, keeping: kept)
        var options = VaultOptions()
        options.allowsNoRecovery = true
        try setProtections(keeping: kept, options) {
            way.kind == "pin" ? [.pin(try new())] : [.hardwareAndPIN(try new(), way.binding ?? .counter)]
        }
    }

    /// Sets after how long the vault locks.
    public func setAutolock(_ timeout: AutolockTimeout) throws {
        try changing {
            _ = try reopened()
            _ = try checkedMark()
            try onKey { try engine.setAutolock(timeout) }
            endSessionBehindChange()
        }
    }

    /// Unlocks with what the person types now.
    func reopened() throws -> Typed {
        let typed = try waysToOpen().contains("none") ? Typed(.none) : ask(.protections)
        try unlock(typed)
        return typed
    }

    /// Protects the vault by something else, after the person showed to be allowed to. Ends the session.
    ///
    /// - Parameters:
    ///   - isRecoveryKept: whether the recovery code of before opens it still. What nothing protects has none.
    ///   - pin: asked where the plan has one, when the person has shown it.
    package func protect(
        by plan: ProtectionPlan, keepingRecovery isRecoveryKept: Bool, pin: () throws -> SecretBytes
    ) throws {
        let kept: Set<String> = isRecoveryKept && plan != .none ? ["recovery"] : []
        try checkRoom(forAdding: plan.takesPIN ? 1 : 0, keeping: kept)
        try setProtections(keeping: kept, Self.withoutRecovery) { [try plan.protection(pin: pin)] }
    }

    /// The same with a new recovery code; an older one opens nothing any more.
    ///
    /// - Parameter code: makes it, and shows it before it is valid.
    package func protect(
        by plan: ProtectionPlan, pin: () throws -> SecretBytes, recoveredBy code: () throws -> RecoveryCode
    ) throws {
        try checkRoom(forAdding: plan.takesPIN ? 2 : 1, keeping: [])
        try setProtections(Self.withoutRecovery) { [try plan.protection(pin: pin), .recovery(try code())] }
    }

    /// Makes a recovery code valid; an older one opens nothing any more. Ends the session.
    ///
    /// - Parameter code: makes it, and shows it, when the person has shown to be allowed to.
    package func renewRecovery(_ code: () throws -> RecoveryCode) throws {
        let kept = Set(try status().ways.map(\.kind)).subtracting(["recovery"])
        try checkRoom(forAdding: 1, keeping: kept)
        try setProtections(keeping: kept) { [.recovery(try code())] }
    }

    /// Refuses a cost that the ways to open the vault cannot have together, before a PIN is asked for or a code shown.
    func checkRoom(forAdding count: Int, keeping kept: Set<String>) throws {
        let status = try status()
        try onKey {
            try status.checkRoom(forAdding: count, cost: unlocking.cost) { kept.contains($0.kind) }
        }
    }

    private static var withoutRecovery: VaultOptions {
        var options = VaultOptions()
        options.allowsNoRecovery = true
        return options
    }
}

extension VaultStatus.Way {
    var takesPIN: Bool { kind == "pin" || kind == "tpm+pin" }
}

extension Protection {
    /// The PIN as a person chose it.
    var typedPIN: SecretBytes? {
        switch self {
        case .pin(let pin), .hardwareAndPIN(let pin, _): pin
        case .none, .hardware, .recovery: nil
        }
    }

    var takesPIN: Bool { typedPIN != nil }

    /// The same with another PIN, where it has one.
    func with(pin: SecretBytes) -> Protection {
        switch self {
        case .pin: .pin(pin)
        case .hardwareAndPIN(_, let binding): .hardwareAndPIN(pin, binding)
        case .none, .hardware, .recovery: self
        }
    }
}
