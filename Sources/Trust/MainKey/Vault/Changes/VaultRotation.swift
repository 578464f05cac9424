import BasicFoundation
import SecretMemory

/// Gives a vault new epochs and has all that is sealed under the old ones sealed anew.
struct VaultRotation: Sendable {
    let store: VaultStore
    let memory: VaultMemory
    let commits: VaultCommits
    let items: VaultItems
    let files: VaultFiles

    /// Gives new data a new key. Old data stays readable until ``finish(_:)``.
    ///
    /// A rotation that is under way goes on instead, in the key that it began with.
    func begin(by owner: String?) throws(MainKeyError) {
        try checkOwner(owner)
        memory.turns.lock()
        defer { memory.turns.unlock() }
        if try isUnderWay() { return }
        CrashPoint.reach("rotate.begin")
        try commits.change { (file, secrets) throws(MainKeyError) in
            try file.checkRoomForEpoch(program: owner)
            try file.beginEpoch(under: secrets)
        }
        CrashPoint.reach("rotate.begun")
    }

    /// Whether the key file on the disk says so: another process may have ended the one that this one knows of.
    private func isUnderWay() throws(MainKeyError) -> Bool {
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        return try commits.refreshed().file.isRotating
    }

    /// Refuses for a vault of another application: its data would be lost.
    ///
    /// - Parameter owner: the application that asks; nil for none in particular.
    func checkOwner(_ owner: String?) throws(MainKeyError) {
        guard let found = try store.owner(), found != owner else { return }
        throw .configError(
            reason: "\(store.path) is the vault of \(found)\(MainKeyError.Situation.otherOwner.rawValue)")
    }

    /// Forgets the old keys: what is still sealed under them is lost from here on.
    ///
    /// - Parameter places: all that the application has; anything old in them refuses. Items and tokens are always
    ///   covered.
    func finish(_ places: [any RotationPlace]) throws {
        let active = try memory.unlocked().keys.keys.active
        for place in places {
            let (_, old) = try place.count(active: active)
            guard old == 0 else { throw Self.unfinished(place.title, old) }
        }
        CrashPoint.reach("rotate.finish")
        try forgetOldKeys(butOf: active)
        CrashPoint.reach("rotate.finished")
    }

    private func forgetOldKeys(butOf active: UInt32) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        try commits.change { (file, _) throws(MainKeyError) in
            // Another process may have begun the next rotation, and old is then something else.
            guard file.activeEpoch == active else {
                throw .configError(reason: "another process has begun another rotation: run this one again")
            }
            // Others store items under the same lock, so that none appears behind this.
            let (_, old) = try items.count(active: active)
            guard old == 0 else { throw Self.unfinished(ItemRotation(items: items).title, old) }
            file.epochs.removeAll { $0.state == .retiring }
            file.flags.remove(.rotationInProgress)
        }
    }

    private static func unfinished(_ place: String, _ old: Int) -> MainKeyError {
        .configError(reason: "\(place) still has \(old) values of old keys: run the rotation again")
    }

    /// Seals everything anew under a new key and forgets the old ones.
    func rotate(
        _ places: [any RotationPlace], by owner: String?, keepsOldEpoch: Bool,
        progress: (RotationProgress) throws -> Void
    ) throws {
        try memory.withUnlocked(files) { vault in
            try begin(by: owner)
            for place in places + [ItemRotation(items: items)] {
                let (_, old) = try place.count(active: try vault.activeEpoch)
                var done = 0
                try progress(RotationProgress(place: place.title, done: 0, total: old))
                try place.reseal(in: vault) { count in
                    CrashPoint.reach("rotate.batch")
                    done += count
                    memory.note(.access)
                    try progress(RotationProgress(place: place.title, done: done, total: max(old, done)))
                }
            }
            if !keepsOldEpoch { try finish(places) }
        }
    }
}
