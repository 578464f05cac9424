extension VigilConfiguration {
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
    func check(for role: Role) throws(ConfigurationError) {
        guard let member = Self.foreign[role]?.intersection(namedMembers).min() else { return }
        throw ConfigurationError(
            "\(member) has no effect in the configuration of the \(role.name); it belongs to that of the \(role.opposite.name)"
        )
    }
}
