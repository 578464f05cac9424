/// The roles of one method's arguments, each looked up once.
struct MethodRoles {
    let roles: CallRoles?
    let marks: CallMarks
    let namesAsset: Bool
    private let pallet: String
    private let method: String
    /// Roles in the order of the call's arguments.
    private(set) var arguments: [Argument] = []

    struct Argument {
        let name: String
        let role: ArgumentRole?
        let hasParts: Bool
        let plain: PlainRole
    }

    /// The roles that most arguments have: a value that is looked at for each call, without anything to retain.
    enum PlainRole {
        case party(Party.Role)
        /// An amount of the network's token.
        case native(AmountUse)
        case other
    }

    init(pallet: String, method: String) {
        self.pallet = pallet
        self.method = method
        roles = RoleTable.shared.roles(pallet: pallet, method: method)
        marks = roles?.marks ?? .unclassified
        // A call without a line may name its asset as others do.
        namesAsset = roles?.namesAsset ?? true
    }

    func isOf(pallet: String, method: String) -> Bool { self.method == method && self.pallet == pallet }

    /// Where the argument with a name stands in ``arguments``.
    ///
    /// - Parameter position: of the argument in the call; names are compared, since two pallets may share theirs.
    mutating func index(of name: String, at position: Int) -> Int {
        if position < arguments.count, arguments[position].name == name { return position }
        let role = roles.map { $0.role(of: name) ?? nil } ?? CallRoles.role(byName: name)
        let hasParts = roles?.hasParts(name) ?? false
        let argument = Argument(name: name, role: role, hasParts: hasParts, plain: hasParts ? .other : plain(role))
        if position < arguments.count { arguments[position] = argument } else { arguments.append(argument) }
        return min(position, arguments.count - 1)
    }

    private func plain(_ role: ArgumentRole?) -> PlainRole {
        switch role {
        case .party(let role): .party(role)
        case .amount(let use, of: .ofCall, countsNumbers: false) where !namesAsset: .native(use)
        default: .other
        }
    }
}
