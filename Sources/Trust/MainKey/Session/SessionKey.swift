import SecretMemory

/// The key that opens the ticket of a session, in the kernel's keyring of this login.
struct SessionKey: Sendable {
    private static let label = "session"

    private let vault: VaultID
    /// nil for the kernel's keyring.
    private let given: (any KeyItemStore)?

    init(of vault: VaultID, in given: (any KeyItemStore)?) {
        self.vault = vault
        self.given = given
    }

    /// Why this machine offers no sessions; nil if it does.
    var obstacle: MainKeyError? {
        guard given == nil else { return nil }
        do throws(MainKeyError) {
            try KernelKeyring.checkAvailability()
            return nil
        } catch { return error }
    }

    func read() throws(MainKeyError) -> SecretBytes? { try store(for: nil).read(Self.label) }

    /// - Parameter lifetime: after how long the keyring forgets it; nil for never.
    func write(_ key: SecretBytes, for lifetime: Duration?) throws(MainKeyError) {
        try store(for: lifetime).write(Self.label, key, access: .afterFirstUnlockThisDeviceOnly)
    }

    /// Removes it. The keyring may have forgotten it already, or be another login's.
    func remove() { try? store(for: nil).delete(Self.label) }

    private func store(for lifetime: Duration?) throws(MainKeyError) -> any KeyItemStore {
        if let given { return given }
        try KernelKeyring.checkAvailability()
        return KernelKeyring(service: Self.service(of: vault), lifetime: lifetime)
    }

    /// The service of a session's key. It is not that of the vault's items, whose labels anybody chooses.
    static func service(of vault: VaultID) -> String { "session:\(vault)" }
}
