import SecretMemory

/// A place for small secrets with names, which a keychain is elsewhere.
///
/// That an item is absent and that the store cannot tell are different answers: only the first may ever lead to a new
/// key. A store keeps the bytes it is given; sealing them is the business of the vault.
///
/// Source: `mainkey` section 19.
package protocol KeyItemStore: Sendable {
    /// - Returns: nil if there is no such item.
    /// - Throws: ``MainKeyError`` if the store cannot tell.
    func read(_ label: String) throws(MainKeyError) -> SecretBytes?

    /// Adds or replaces an item.
    func write(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError)

    /// Removes an item; without one, nothing happens.
    func delete(_ label: String) throws(MainKeyError)

    /// The labels of all items, sorted.
    func labels() throws(MainKeyError) -> [String]
}
