/// Where a value that Keymaker locked has its initialisation vector. Keymaker keeps the number of this in an item of
/// its own (`PinProtection.version`).
///
/// Source: `mainkey` section 2.
public enum KeymakerVersion: String, Sendable, CaseIterable {
    /// The vector is the first 16 bytes of the key, the same for all values.
    case legacy = "0"
    /// The vector is 16 random bytes in front of the ciphertext.
    case current = "1"
}
