import SecretMemory
import Synchronization

@testable import MainKey

/// Keeps the key of a session in memory, in the place of the kernel's keyring.
final class SessionKeys: KeyItemStore {
    private struct State {
        var items: [String: SecretBytes] = [:]
        var failure: MainKeyError?
        var onRead: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// What reading fails with.
    var failure: MainKeyError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Called before an item is given.
    func onRead(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onRead = action } }

    func read(_ label: String) throws(MainKeyError) -> SecretBytes? {
        state.withLock { $0.onRead }?()
        if let failure { throw failure }
        return state.withLock { $0.items[label] }
    }

    func write(_ label: String, _ value: SecretBytes, access: Accessibility) {
        state.withLock { $0.items[label] = value }
    }

    func delete(_ label: String) { _ = state.withLock { $0.items.removeValue(forKey: label) } }

    func labels() -> [String] { state.withLock { $0.items.keys.sorted() } }
}
