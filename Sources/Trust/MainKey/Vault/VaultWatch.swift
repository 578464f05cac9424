import Foundation

/// Watches a vault's folder, so that what another process changes is seen at once (`mainkey` section 22).
package final class VaultWatch: Sendable {
    private let watch: DirectoryWatch

    package init(_ engine: VaultEngine) throws(MainKeyError) {
        watch = try DirectoryWatch(engine.directory.files) { [weak engine] in engine?.noticed($0) }
        engine.state.withLock { $0.ownSignals = 0 }
    }
}

extension VaultEngine {
    /// What has changed in the folder: somebody asked everybody to lock, the session that unlocked this process ended,
    /// or the vault is another.
    fileprivate func noticed(_ change: DirectoryWatch.Change) {
        if change == .name(Name.lockSignal) {
            // Its own comes late, when this process may be unlocking again; it has locked by itself.
            if state.withLock({ $0.takeOwnSignal() }) { return }
            return lock(.explicit)
        }
        // Among what was not kept may have been one of its own; locking once too often does no harm.
        if change == .anything { state.withLock { $0.ownSignals? = 0 } }
        // It goes as soon as it came, by when this process may be unlocking again.
        if change == .removed(Name.lockSignal) { return }
        let usesSession = state.withLock { $0.unlocked?.deadline != nil }
        if usesSession, (try? ticketBytes()) ?? nil == nil {
            return lock(.explicit)
        }
        refresh()
    }

    /// Takes over what another process changed, or locks if it is nothing that may be taken over.
    package func refresh() {
        // After an operation of this process, whose own changes are no news.
        try? exclusively { reconcile() }
    }

    private func reconcile() {
        let (known, secrets) = state.withLock { ($0.file, $0.unlocked?.secrets) }
        let keyring: Keyring
        do throws(MainKeyError) {
            // Whoever wrote it: nothing is removed here, and a key that is out of memory harms nobody.
            if let mark = try WipeMark.read(from: directory), mark.vault == known.vault { return lock(.wiped) }
            keyring = try load()
        } catch {
            switch error {
            case .notFound: return lock(.wiped)
            // What cannot be read now may be whole.
            case .io: return lock(.tampered)
            default: return fail(.tampered(reason: "the key file in \(path) cannot be parsed any more"))
            }
        }
        let file = keyring.file
        guard file.vault == known.vault else {
            return fail(.tampered(reason: "\(path) holds another vault"))
        }
        guard file.mainKeyID == known.mainKeyID else {
            state.withLock { $0.file = file }
            return lock(.rekeyed)
        }
        guard file.generation >= known.generation else {
            return fail(.rolledBack(reason: "the key file is older than the one that is in use"))
        }
        guard file.generation > known.generation else { return }
        guard let secrets else {
            state.withLock { $0.file = file }
            return hub.post(.changed(generation: file.generation))
        }
        let unlocked = state.withLock { $0.unlocked }
        do throws(MainKeyError) {
            _ = try file.verify(keyring.bytes, under: secrets)
            if let unlocked { try adopt(file, unlocked) }
        } catch {
            fail(.tampered(reason: "the key file in \(path) is not what the key of this vault wrote"))
        }
    }
}

extension VaultEngine.State {
    /// - Returns: whether a signal to lock is one of this process.
    fileprivate mutating func takeOwnSignal() -> Bool {
        guard let count = ownSignals, count > 0 else { return false }
        ownSignals = count - 1
        return true
    }
}
