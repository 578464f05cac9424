import SecretMemory

/// Small secrets under a name, kept in the vault's folder: tokens of services, and items as a keychain has them
/// (`mainkey` sections 18 and 19).
extension MainKeyVault {
    /// Stores an access or refresh token, in place of the one of the same name.
    ///
    /// - Throws: `locked`, `busy`, `io`.
    public func setToken(_ name: String, _ value: SecretBytes) throws(MainKeyError) {
        try items.set(.token(name), to: value, .whenUnlockedThisDeviceOnly)
    }

    /// A stored token.
    ///
    /// - Returns: nil if there is none of this name.
    /// - Throws: `locked`, `authFailed` if it was changed, `rolledBack` if it was put back, `tampered` where what tells
    ///   that is missing, `io`.
    public func token(_ name: String) throws(MainKeyError) -> SecretBytes? { try items.value(of: .token(name)) }

    /// Removes a token; one that is missing is no error. Needs no key, but with a strict anchor. From a vault that is
    /// locked it can be put back until the next change of an item.
    public func removeToken(_ name: String) throws(MainKeyError) {
        try items.remove(VaultItems.Kind.token(name).label)
    }

    /// The names of all tokens, sorted. Needs no key.
    public func tokenNames() throws(MainKeyError) -> [String] { try items.tokenNames() }

    /// Stores a small secret under a label, as a keychain would.
    ///
    /// - Parameter access: when it may be read; `always` is refused.
    /// - Throws: `configError` for a label or an access that items do not have; `locked`, `busy`, `io`.
    public func setItem(
        _ label: String, _ value: SecretBytes, access: Accessibility = .whenUnlockedThisDeviceOnly
    ) throws(MainKeyError) {
        try items.set(.item(label), to: value, access)
    }

    /// A stored item.
    ///
    /// - Returns: nil if there is none of this label.
    /// - Throws: `locked`, unless the item may be read after the first unlock and there was one; those of
    ///   ``token(_:)``.
    public func item(_ label: String) throws(MainKeyError) -> SecretBytes? {
        try items.value(of: VaultItems.Kind(label: label, purpose: .item(label)))
    }

    /// Removes an item, as ``removeToken(_:)`` does a token.
    public func removeItem(_ label: String) throws(MainKeyError) { try items.remove(label) }

    /// The labels of all items, sorted. Needs no key.
    public func itemLabels() throws(MainKeyError) -> [String] { try items.labels() }

    /// Compares all items with their list.
    ///
    /// - Returns: how many of those that are listed are missing: whoever has no key may remove one.
    /// - Throws: for the first that is not as it was written last, as ``item(_:)``.
    package func checkItems() throws(MainKeyError) -> Int { try items.check() }

    /// Takes the items as they are now for those that were written last: a person says that they are, who restored some
    /// of them.
    ///
    /// - Returns: how many there are, and whether encrypted files are still listed that were.
    /// - Throws: as a change of the vault.
    package func acceptItems() throws(MainKeyError) -> (count: Int, keepsFiles: Bool) { try commits.acceptItems() }
}
