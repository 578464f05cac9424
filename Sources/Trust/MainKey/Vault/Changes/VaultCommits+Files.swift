import Files

/// Commits of the list of encrypted files.
extension VaultCommits {
    /// Changes the list of files.
    ///
    /// - Parameter body: given the list as it is.
    func changeFiles(_ body: (EpochKeys, inout FileList) throws(MainKeyError) -> Void) throws(MainKeyError) {
        try changingFiles { (keys, list, write) throws(MainKeyError) in
            var changed = list
            try body(keys, &changed)
            try write(changed)
        }
    }

    /// Has files take their places. Killed at any moment, the list takes the file that is there: the first commit lists
    /// the new ones beside those before, and the second one the new ones alone. Where none is listed, nothing is
    /// committed.
    ///
    /// - Returns: how many did. What another process wrote is not undone, nor brought back what it removed.
    func place(_ files: [WaitingFile]) throws(MainKeyError) -> Int {
        var count = 0
        try changingFiles { (keys, list, write) throws(MainKeyError) in
            // A rotation may have dropped the key since, or have passed by the place already.
            let active = try keys.active
            for file in files where file.epoch != active { throw .unknownEpoch(file.epoch) }
            let files = files.filter(\.isCurrent)
            count = files.count
            let changes = files.map { ListingChange(of: $0, in: list) }
            var announced = list
            for change in changes { try change.announce(in: &announced) }
            try write(announced)
            CrashPoint.reach("files.announced")
            var settled = announced
            for (number, file) in files.enumerated() {
                do throws(MainKeyError) { try file.takePlace() } catch {
                    // Those behind it are as they were. Of this one it is not known, and both stay listed.
                    for change in changes[(number + 1)...] { try? change.undo(in: &settled) }
                    try? write(settled)
                    throw error
                }
                changes[number].settle(in: &settled)
            }
            CrashPoint.reach("files.placed")
            try write(settled)
            CrashPoint.reach("files.settled")
        }
        return count
    }

    /// Holds the lock while `body` changes the list, as often as it does.
    private func changingFiles(
        _ body: (EpochKeys, FileList, _ write: (FileList) throws(MainKeyError) -> Void) throws(MainKeyError) -> Void
    ) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let (file, unlocked) = try refreshed()
        var list = try store.items.changeableList(of: file)
        try body(unlocked.keys, list.files) { (files) throws(MainKeyError) in
            guard files != list.files else { return }
            list.files = files
            let (file, unlocked) = try memory.unlocked()
            var change = KeyFileChange(file: file, secrets: unlocked.secrets)
            change.items = ItemChange(list: list)
            try hardware.resealIfStrict(&change, unlocked)
            try memory.adopt(try commit(change, from: file.generation), unlocked)
        }
    }
}

/// What one file that takes its place changes in the list.
private struct ListingChange {
    private let digest: [UInt8]
    /// The names that it is listed under, with what was listed before.
    private let names: [(name: FileList.Name, before: FileList.Entry?)]
    /// The digest of the file that it replaces; nil for none.
    private let replaced: [UInt8]?

    init(of file: WaitingFile, in list: FileList) {
        digest = file.digest
        replaced = try? OpenFile(listedAt: file.path).headerDigest()
        var names = ListedFileName.all(ofFileAt: file.path).filter { list[$0] != nil }
        // A file that an application named goes by what it is.
        if let replaced {
            names += list.sorted.filter { !ListedFileName.isPath($0.name) && $0.entry.takes(replaced) }.map(\.name)
        }
        if let name = file.name.map({ Array($0.utf8) }), !names.contains(name) { names.append(name) }
        self.names = names.map { ($0, list[$0]) }
    }

    func announce(in list: inout FileList) throws(MainKeyError) {
        for (name, before) in names {
            // A file that was put back is not the one of before.
            let previous = before.map { old in replaced.flatMap { old.takes($0) ? $0 : nil } ?? old.digest } ?? replaced
            try list.list(name, FileList.Entry(digest: digest, previous: previous))
        }
    }

    func settle(in list: inout FileList) {
        for (name, _) in names {
            // The entry is there already: a list that is full takes it.
            try? list.list(name, FileList.Entry(digest: digest))
        }
    }

    func undo(in list: inout FileList) throws(MainKeyError) {
        for (name, before) in names {
            guard let before else {
                list.remove(name)
                continue
            }
            try list.list(name, before)
        }
    }
}
