import HardwareKeys

/// The names of the design's first version.
///
/// Source: `vigil` section 2.3.
extension AttestationStore {
    /// - Throws: as ``pin(_:kind:role:label:)``
    public func storeValidatorPublicKey(_ key: PublicKey, kind: KeyKind) throws(StoreError) {
        try pin(key, kind: kind, role: .validator)
    }

    /// - Throws: as ``pin(_:kind:role:label:)``
    public func storeAppPublicKey(_ key: PublicKey, kind: KeyKind) throws(StoreError) {
        try pin(key, kind: kind, role: .app)
    }

    /// - Returns: nil where none is pinned, or it was revoked.
    public func validatorPublicKey() throws(StoreError) -> PublicKey? { try activeKey(of: .validator) }

    /// - Returns: nil where none is pinned, or it was revoked.
    public func appPublicKey() throws(StoreError) -> PublicKey? { try activeKey(of: .app) }

    /// Whether this side knows at least one of the other role. (Its own key it has, or it could not have the store.)
    ///
    /// False as well where the store cannot be read.
    public var isAttestationConfigured: Bool {
        guard let content = try? content() else { return false }
        return content.peers.contains { $0.role == content.owner.opposite && $0.state == .active }
    }

    private func activeKey(of role: Role) throws(StoreError) -> PublicKey? {
        guard case .active(let key, _) = try content().pin(of: role, label: Self.standardLabel) else { return nil }
        return key
    }
}
