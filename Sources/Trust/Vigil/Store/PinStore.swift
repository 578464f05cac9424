import HardwareKeys

/// Where the keys of the other sides are kept.
///
/// Source: `vigil` sections 6.2 to 6.4.
public protocol PinStore: Sendable {
    /// - Throws: ``Refusal``: `internal` where the store cannot be read; it is never taken for an empty one.
    func pin(of role: Role) throws(Refusal) -> Pin

    /// Pins a key. An active pin is never overwritten.
    ///
    /// - Returns: `alreadyPinned` for the key that is pinned.
    /// - Throws: ``Refusal``: `publicKeyMismatch` where another key is pinned, `revoked`, `internal`.
    func pin(_ key: PublicKey, kind: KeyKind, role: Role) throws(Refusal) -> ProvisionStatus

    /// Takes a new key in place of a pinned one, in one step.
    ///
    /// - Parameter counter: greater than that of the peer's last such change, by a bounded step.
    /// - Throws: ``Refusal``: `publicKeyMismatch`, `nonceMismatch` for any other counter, `internal`.
    func replace(
        _ old: Bytes32, by key: PublicKey, kind: KeyKind, counter: UInt64, role: Role
    ) throws(Refusal)
}
