import MainKey
import Substrate

extension Vault {
    /// Gives a seed another name, in the sealed file and in all rows of its keys. Entries of the log keep the old one.
    ///
    /// The phrase is first sealed under both names, then the rows are written in one transaction with the entry of the
    /// log, then the old name goes. Killed in between, every key still signs, under the name that its row has; the
    /// other name has no rows, and goes with the next change of seeds.
    ///
    /// - Parameters:
    ///   - name: that it has.
    ///   - newName: 1 to 64 characters, that neither is nor looks like the name of another seed.
    /// - Returns: the new name as it is stored.
    /// - Throws: ``SignerError/seedNotFound(name:)``, and for the new name ``SignerError/emptySeedName``,
    ///   ``SignerError/seedNameInvalid``, ``SignerError/seedNameMixesAlphabets``,
    ///   ``SignerError/seedNameTaken(name:)``, ``SignerError/seedNameLookalike(name:other:)``. Nothing is changed then.
    ///
    /// Source: `signer-product` section 3.2.
    @discardableResult
    public func renameSeed(named name: String, to newName: String) throws -> String {
        _ = try SeedName.checked(newName)
        try finishSeeds()
        let names = Set(try seedSummaries().map(\.name) + seeds.names())
        guard try seeds.names().contains(name) else { throw SignerError.seedNotFound(name: name) }
        // It may look like what it takes the place of.
        let newName = try SeedName.checked(newName, besides: names.subtracting([name]))
        guard newName != name else { throw SignerError.seedNameTaken(name: newName) }
        try key?.confirmVouched()
        try seeds.copy(name, to: newName)
        CrashPoint.reach("rename.copied")
        do {
            try renameRows(ofSeed: name, to: newName)
        } catch {
            // What the rows say holds, whichever name that is; what stays undone the next change of seeds does.
            try? finishRenaming()
            throw error
        }
        CrashPoint.reach("rename.written")
        try seeds.remove(name)
        return newName
    }

    /// The rows of a seed, which is what decides its name.
    func renameRows(ofSeed name: String, to newName: String) throws {
        try database.write { trees in
            for var key in try trees.keys() where key.details.seedName == name {
                key.details.seedName = newName
                try trees.put(key)
            }
            // No name has a comma.
            try HistoryLog.append([.systemEntry("seed renamed: \(name), \(newName)")], at: now(), to: trees)
        }
    }

    /// Takes out the names that a renaming left behind when it was interrupted: those without rows whose phrase is
    /// there under a name with rows.
    func finishRenaming() throws {
        let sealed = try seeds.names()
        let known = Set(try keys().map(\.details.seedName))
        let owners = sealed.filter(known.contains)
        for name in sealed where !known.contains(name) {
            let entropy = try seeds.mnemonic(named: name).entropy
            if try owners.contains(where: { try seeds.mnemonic(named: $0).entropy == entropy }) {
                try seeds.remove(name)
            }
        }
    }
}
