/// When a key item may be read; the names are those of Apple's keychain.
///
/// Items never leave the device: there is no synchronised kind.
///
/// Source: `mainkey` section 19.
public enum Accessibility: UInt8, CaseIterable, Sendable {
    /// Not sealed. Only the key of a vault without protection is kept so.
    case always = 0
    /// Sealed; after the first unlock also held past the autolock, until logout.
    case afterFirstUnlockThisDeviceOnly = 1
    /// Sealed; to be read only while unlocked.
    case whenUnlockedThisDeviceOnly = 2
    /// Sealed; refused without a PIN or hardware, and deleted when the protection drops to none.
    case whenPasscodeSetThisDeviceOnly = 3
}
