import MainKey
import SecretMemory

extension VaultKey {
    /// Protects the vault by something else, after the person showed to be allowed to. Ends the session.
    ///
    /// - Parameters:
    ///   - isRecoveryKept: whether the recovery code of before opens it still. What nothing protects has none.
    ///   - pin: asked where the plan has one, when the person has shown it.
    package func protect(
        by plan: ProtectionPlan, keepingRecovery isRecoveryKept: Bool, pin: () throws -> SecretBytes
    ) throws {
        try setProtections(keeping: isRecoveryKept && plan != .none ? ["recovery"] : [], Self.withoutRecovery) {
            [try plan.protection(pin: pin)]
        }
    }

    /// The same with a new recovery code; an older one opens nothing any more.
    ///
    /// - Parameter code: makes it, and shows it before it is valid.
    package func protect(
        by plan: ProtectionPlan, pin: () throws -> SecretBytes, recoveredBy code: () throws -> RecoveryCode
    ) throws {
        try setProtections(Self.withoutRecovery) { [try plan.protection(pin: pin), .recovery(try code())] }
    }

    /// Makes a recovery code valid; an older one opens nothing any more. Ends the session.
    ///
    /// - Parameter code: makes it, and shows it, when the person has shown to be allowed to.
    package func renewRecovery(_ code: () throws -> RecoveryCode) throws {
        let kept = Set(try status().ways.map(\.kind)).subtracting(["recovery"])
        try setProtections(keeping: kept) { [.recovery(try code())] }
    }

    private static var withoutRecovery: VaultOptions {
        var options = VaultOptions()
        options.allowsNoRecovery = true
        return options
    }
}
