/// What the table says of one call.
struct CallRoles: Sendable {
    var marks: CallMarks = []
    /// Roles by path: the argument's name, and names of fields inside it behind points.
    var entries: [(path: String, role: ArgumentRole)] = []
    /// The role of every other argument.
    var rest: ArgumentRole?

    /// Whether an argument says what asset the amounts are of.
    var namesAsset: Bool { entries.contains { $0.role == .asset } }

    /// Whether the call does something by itself where calls stand inside it.
    var hasEffects: Bool {
        marks.contains(.pays)
            || entries.contains { entry in
                switch entry.role {
                case .party, .structured(.location(.receiver)), .structured(.location(.rights)), .structured(.program),
                    .structured(.assets(areSent: true)):
                    true
                case .amount(let use, _, _): use.isCounted || use.isLeftOut
                case .structured, .asset, .opaqueCall, .callHash, .text, .times, .flag, .shown: false
                }
            }
    }

    /// The role of an argument as a whole.
    func role(of argument: String) -> ArgumentRole? {
        entries.first { $0.path == argument }?.role ?? rest
    }

    /// Whether parts of an argument have roles of their own.
    func hasParts(_ argument: String) -> Bool {
        entries.contains { $0.path.hasPrefix(argument + ".") }
    }

    /// The role of a part: its own, or that of the nearest value around it. Numbers of parts that the table does not
    /// tell apart are left out.
    func role(at path: some Collection<String>) -> ArgumentRole? {
        nearestRole(Array(path)) ?? nearestRole(path.filter { UInt8($0) == nil }) ?? rest
    }

    private func nearestRole(_ path: [String]) -> ArgumentRole? {
        for count in (0..<path.count).reversed() {
            let text = path[...count].joined(separator: ".")
            if let found = entries.first(where: { $0.path == text }) { return found.role }
        }
        return nil
    }

    // MARK: Without an entry

    /// The role that an argument's name alone gives, where the table has none: what is judged, never what is harmless.
    static func role(byName name: String) -> ArgumentRole? {
        switch name {
        case "beneficiary", "delegate", "dest", "destination", "mint_to", "new", "new_owner", "payee", "receiver",
            "recipient", "send_to", "target", "to", "withdraw_to":
            .party(.receiver)
        case "asset", "asset_id", "currency", "currency_id", "id": .asset
        default: nil
        }
    }
}
