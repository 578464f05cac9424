import MainKey
import Signer
import Synchronization

/// What a person typed to open a vault, for one action and no longer. Whatever asks beyond it is told that the vault is
/// locked: no vault waits for a person in the middle of an action.
final class OfferedCredential: Sendable {
    private let held = Mutex<TypedCredential?>(nil)

    /// Lends what was typed to `body`, and lets go of it on every way out.
    func lending<R>(_ typed: TypedCredential, to body: () throws -> R) rethrows -> R {
        held.withLock { $0 = typed }
        defer { held.withLock { $0 = nil } }
        return try body()
    }

    func answer() throws -> TypedCredential {
        guard let typed = held.withLock({ $0 }) else { throw SignerError.vaultKey(.locked) }
        return typed
    }
}
