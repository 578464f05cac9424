import SecretMemory
import Synchronization

/// What may be read also after the vault has locked again, until logout: in the kernel's keyring of this session, or in
/// locked memory where there is none.
final class ItemCache: Sendable {
    private let keyring: KernelKeyring?
    /// The items by the bytes of their labels: two spellings of `é` are two labels.
    private let memory = Mutex<[[UInt8]: SecretBytes]>([:])

    init(vault: VaultID) {
        let hasKeyring = (try? KernelKeyring.checkAvailability()) != nil
        keyring = hasKeyring ? KernelKeyring(service: vault.description, lifetime: nil) : nil
    }

    func put(_ label: String, _ value: SecretBytes) {
        // One that the keyring does not take must not leave the one before there, which would be found first.
        remove(label)
        if let keyring, (try? keyring.write(label, value, access: .afterFirstUnlockThisDeviceOnly)) != nil { return }
        memory.withLock { $0[Array(label.utf8)] = value }
    }

    func value(_ label: String) -> SecretBytes? {
        if let keyring, let found = try? keyring.read(label) { return found }
        return memory.withLock { $0[Array(label.utf8)] }
    }

    func remove(_ label: String) {
        try? keyring?.delete(label)
        _ = memory.withLock { $0.removeValue(forKey: Array(label.utf8)) }
    }

    func removeAll() {
        for label in (try? keyring?.labels()) ?? [] { try? keyring?.delete(label) }
        memory.withLock { $0 = [:] }
    }
}
