/// What has to hold for the ways to open a vault as a whole.
enum SlotRules {
    /// The first cost that there is, or what the machine measures; nil where no PIN or recovery code is among them.
    ///
    /// - Throws: `configError` for one that is too low to be written, or too high.
    static func cost(of protections: [Protection], _ known: Argon2Cost?...) throws(MainKeyError) -> Argon2Cost? {
        for case let cost? in known {
            try check(cost)
            return cost
        }
        guard protections.contains(where: \.kind.isStretched) else { return nil }
        return try Argon2Calibration.measure().cost()
    }

    private static func check(_ cost: Argon2Cost) throws(MainKeyError) {
        guard cost.isWritable else {
            throw .configError(
                reason: "a PIN takes 2 passes over 19456 KiB at the least, and 16 GiB in all at the most")
        }
    }

    /// - Throws: `configError`, `weakPIN`.
    static func check(_ protections: [Protection], _ options: VaultOptions) throws(MainKeyError) {
        guard KeyFile.attemptLimits.contains(UInt8(clamping: options.attemptLimit)) else {
            throw .configError(reason: "1 to 100 wrong attempts can be allowed, not \(options.attemptLimit)")
        }
        guard options.autolock.isAllowed else {
            throw .configError(reason: "the vault can lock after 1 to 10080 minutes")
        }
        guard options.owner.map(OwnerName.isOne) ?? true else {
            throw .configError(
                reason: "a vault's program is named by 1 to 64 of a-z, 0-9 and ._-, beginning with a letter or digit")
        }
        if let cost = options.cost { try check(cost) }
        for pin in protections.compactMap(\.pin) { try options.pinPolicy.check(pin) }
        try check(
            protections.map(\.kind), requiresHardware: options.requiresHardware,
            allowsNoRecovery: options.allowsNoRecovery)
    }

    static func check(
        _ kinds: [Slot.Kind], requiresHardware: Bool, allowsNoRecovery: Bool
    ) throws(MainKeyError) {
        guard KeyFile.slotCounts.contains(kinds.count) else {
            throw .configError(reason: "a vault has 1 to 8 ways to open it, not \(kinds.count)")
        }
        guard kinds.count(where: \.isHardware) <= 1 else {
            throw .configError(reason: "one way at the most can be bound to the TPM")
        }
        if requiresHardware, !kinds.contains(where: \.isHardware) {
            throw .configError(reason: "the vault requires hardware, and none of these ways has it")
        }
        if kinds.contains(where: \.isHardware), !allowsNoRecovery, !kinds.contains(where: { !$0.isHardware }) {
            throw .configError(
                reason:
                    "if the hardware fails, everything is lost: add a recovery code (--recovery), or say that this is "
                    + "meant (--allow-no-recovery)")
        }
        if kinds.contains(.none), kinds.count > 1, kinds.contains(where: { $0 != .none && $0 != .recovery }) {
            throw .configError(reason: "a way without protection makes the others useless")
        }
    }
}
