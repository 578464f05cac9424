extension VigilConfiguration {
    /// Whose configuration a file holds: the end of its name says so, as installers write it, else a member that
    /// changes nothing for the other side. Nil where neither does.
    ///
    /// - Parameter path: of the file.
    package func role(at path: String) -> Role? {
        if path.hasSuffix("validator.json") { return .validator }
        if path.hasSuffix("app.json") { return .app }
        let sides = Self.foreign.filter { !$0.value.isDisjoint(with: namedMembers) }.keys
        return sides.first?.opposite
    }

    /// What only the other side looks at.
    private static let foreign: [Role: Set<String>] = [
        .app: [
            "installedGroup", "scanIntervalMs", "grantFile", "onTamper", "provisioning.firstStart",
            "provisioning.windowSeconds",
        ],
        .validator: ["graceMs", "v1Nonce"],
    ]

    /// Refuses members that change nothing for a side: a person who wrote one there believes that it does.
    ///
    /// - Throws: ``ConfigurationError``
    package func check(for role: Role) throws(ConfigurationError) {
        guard let member = Self.foreign[role]?.intersection(namedMembers).min() else { return }
        throw ConfigurationError(
            "\(member) has no effect in the configuration of the \(role.name); it belongs to that of the \(role.opposite.name)"
        )
    }
}
