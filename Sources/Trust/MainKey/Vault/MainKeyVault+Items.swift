import SecretMemory

/// Small secrets under a name, kept in the vault's folder: tokens of services, and items as a keychain has them
/// (`mainkey` sections 18 and 19).
extension MainKeyVault {
    /// Stores an access or refresh token, in place of the one of the same name.
    ///
    /// - Throws: `locked`, `busy`, `io`.
    public nonisolated func setToken(_ name: String, _ value: SecretBytes) throws(MainKeyError) {
        try engine.setToken(name, value)
    }

    /// A stored token.
    ///
    /// - Returns: nil if there is none of this name.
    /// - Throws: `locked`, `authFailed` if it was changed, `rolledBack` if it was put back, `tampered` where what tells
    ///   that is missing, `io`.
    public nonisolated func token(_ name: String) throws(MainKeyError) -> SecretBytes? { try engine.token(name) }

    /// Removes a token; one that is missing is no error. Needs no key, but with a strict anchor. From a vault that is
    /// locked it can be put back until the next change of an item.
    public nonisolated func removeToken(_ name: String) throws(MainKeyError) { try engine.removeToken(name) }

    /// The names of all tokens, sorted. Needs no key.
    public nonisolated func tokenNames() throws(MainKeyError) -> [String] { try engine.tokenNames() }

    /// Stores a small secret under a label, as a keychain would.
    ///
    /// - Parameter access: when it may be read; `always` is refused.
    /// - Throws: `configError` for a label or an access that items do not have; `locked`, `busy`, `io`.
    public nonisolated func setItem(
        _ label: String, _ value: SecretBytes, access: Accessibility = .whenUnlockedThisDeviceOnly
    ) throws(MainKeyError) {
        try engine.setItem(label, value, access: access)
    }

    /// A stored item.
    ///
    /// - Returns: nil if there is none of this label.
    /// - Throws: `locked`, unless the item may be read after the first unlock and there was one; those of
    ///   ``token(_:)``.
    public nonisolated func item(_ label: String) throws(MainKeyError) -> SecretBytes? { try engine.item(label) }

    /// Removes an item, as ``removeToken(_:)`` does a token.
    public nonisolated func removeItem(_ label: String) throws(MainKeyError) { try engine.removeItem(label) }

    /// The labels of all items, sorted. Needs no key.
    public nonisolated func itemLabels() throws(MainKeyError) -> [String] { try engine.itemLabels() }
}
