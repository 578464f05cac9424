/// What has to hold for the ways to open a vault as a whole.
enum SlotRules {
    /// The first cost that there is, or what the machine measures; nil where no PIN or recovery code is among them.
    ///
    /// - Parameter others: the costs of the ways that stay.
    /// - Throws: `configError` for one that is too low to be written, or too high.
    static func cost(
        of protections: [Protection], besides others: [Argon2Cost], _ known: Argon2Cost?...
    ) throws(MainKeyError) -> Argon2Cost? {
        let count = protections.count(where: \.kind.isStretched)
        for case let cost? in known {
            try check(cost, ofAdding: count, to: others)
            return cost
        }
        guard count > 0 else { return nil }
        let cost = try Argon2Calibration.measure().cost()
        try check(cost, ofAdding: count, to: others)
        return cost
    }

    /// Whether so many PINs and codes can have a cost beside those that stay: what a reader would refuse is refused
    /// before anything is stretched.
    ///
    /// - Throws: `configError`
    static func check(
        _ cost: Argon2Cost, ofAdding count: Int, to others: [Argon2Cost]
    ) throws(MainKeyError) {
        guard cost.isWritable else {
            throw .configError(
                reason: "a PIN takes 2 passes over 19456 KiB at the least, and 16 GiB in all at the most")
        }
        guard count > 0 else { return }
        let staying = others.reduce(0) { $0 + $1.work }
        let sum = staying + cost.work * UInt64(count)
        guard sum > Argon2Cost.mostWork else { return }
        let room = Argon2Cost.mostWork - min(staying, Argon2Cost.mostWork)
        let passes = room / UInt64(count) / UInt64(cost.memoryKiB)
        let advice = passes < 2 ? "take less memory" : "take \(passes):\(cost.memoryKiB) at the most"
        let most = Argon2Cost.mostWork >> 20
        throw .configError(
            reason: "all PINs and recovery codes together would pass over more than \(most) GiB: \(advice)")
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
        if let cost = options.cost {
            try check(cost, ofAdding: protections.count(where: \.kind.isStretched), to: [])
        }
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
                reason: "if the hardware fails, everything is lost: \(MainKeyError.Situation.noRecovery.rawValue)")
        }
        if kinds.contains(.none), kinds.count > 1, kinds.contains(where: { $0 != .none && $0 != .recovery }) {
            throw .configError(reason: "a way without protection makes the others useless")
        }
    }
}
