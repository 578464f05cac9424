/// The roles of one method's arguments, each looked up once.
struct MethodRoles {
    let roles: CallRoles?
    let marks: CallMarks
    let namesAsset: Bool
    private let pallet: String
    private let method: String
    /// In the order of the call's arguments.
    private var arguments: [Argument] = []

    struct Argument {
        let name: String
        let role: ArgumentRole?
        let hasParts: Bool
    }

    init(_ leaf: CallLeaf) {
        pallet = leaf.pallet
        method = leaf.method
        roles = RoleTable.shared.roles(pallet: pallet, method: method)
        marks = roles?.marks ?? .unclassified
        // A call without a line may name its asset as others do.
        namesAsset = roles?.namesAsset ?? true
    }

    func isOf(_ leaf: CallLeaf) -> Bool { method == leaf.method && pallet == leaf.pallet }

    /// - Parameter position: of the argument in the call; names are compared, since two pallets may share theirs.
    mutating func argument(_ name: String, at position: Int) -> Argument {
        if position < arguments.count, arguments[position].name == name { return arguments[position] }
        let role = roles.map { $0.role(of: name) ?? nil } ?? CallRoles.role(byName: name)
        let argument = Argument(name: name, role: role, hasParts: roles?.hasParts(name) ?? false)
        if position == arguments.count { arguments.append(argument) }
        return argument
    }
}
