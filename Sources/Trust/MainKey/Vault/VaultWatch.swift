import Foundation

/// Watches a vault's folder, so that what another process changes is seen at once (`mainkey` section 22).
package final class VaultWatch: Sendable {
    private let watch: DirectoryWatch

    package init(_ engine: VaultEngine) throws(MainKeyError) {
        watch = try DirectoryWatch(engine.directory.files) { [weak engine] in engine?.noticed($0) }
    }
}

extension VaultEngine {
    /// What has changed in the folder: somebody asked everybody to lock, the session that unlocked this process ended, or the
    /// vault is another.
    fileprivate func noticed(_ change: DirectoryWatch.Change) {
        if change == .name(Name.lockSignal) { return lock(.explicit) }
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
            if try WipeMark.isPresent(in: directory) { return lock(.wiped) }
            keyring = try load()
        } catch {
            guard case .notFound = error else { return lock(.tampered) }
            return lock(.wiped)
        }
        let file = keyring.file
        guard file.vault == known.vault else { return lock(.tampered) }
        guard file.mainKeyID == known.mainKeyID else {
            state.withLock { $0.file = file }
            return lock(.rekeyed)
        }
        guard file.generation >= known.generation else { return lock(.rolledBack) }
        guard file.generation > known.generation else { return }
        guard let secrets else {
            state.withLock { $0.file = file }
            return hub.post(.changed(generation: file.generation))
        }
        guard (try? file.verify(keyring.bytes, under: secrets)) != nil else { return lock(.tampered) }
        let unlocked = state.withLock { $0.unlocked }
        if let unlocked, (try? adopt(file, unlocked)) == nil { lock(.tampered) }
    }
}
