import BasicFoundation
import MainKey
import SecretMemory
import Substrate

/// Seeds in one file, sealed under the vault's MainKey. Every use requires that a person has opened the vault.
struct SealedSeeds: SeedVault {
    /// Bytes of the file at the most: thousands of seeds.
    private static let fileLimit = 1 << 20
    private static let purpose = SealedPurpose.app("seeds")

    let path: String
    let key: VaultKey
    /// Whether the vault knows which file is the last, as all but those of the first schema do.
    var isKnown = true

    func names() throws -> [String] { try read().entries.map(\.name) }

    func listedNames() throws -> [String]? { isKnown ? try knownFile().names : nil }

    func mnemonic(named name: String) throws -> Mnemonic {
        guard let entry = try read().entries.first(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        return entry.mnemonic
    }

    func add(_ mnemonic: Mnemonic, named name: String) throws {
        let list = try read()
        guard !list.entries.contains(where: { $0.name == name }) else { throw SignerError.seedNameTaken(name: name) }
        if let same = list.entries.first(where: { $0.mnemonic.entropy == mnemonic.entropy }) {
            throw SignerError.seedAlreadyExists(name: same.name)
        }
        try write(list, with: SeedList.NamedSeed(name: name, mnemonic: mnemonic))
    }

    func copy(_ name: String, to newName: String) throws {
        let list = try read()
        guard !list.entries.contains(where: { $0.name == newName }) else {
            throw SignerError.seedNameTaken(name: newName)
        }
        guard let entry = list.entries.first(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        try write(list, with: SeedList.NamedSeed(name: newName, mnemonic: entry.mnemonic))
    }

    /// Writes the list with one more seed in its place.
    private func write(_ list: SeedList, with entry: SeedList.NamedSeed) throws {
        var list = list
        list.entries.append(entry)
        list.entries.sort { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        try write(list)
    }

    func remove(_ name: String) throws {
        var list = try read()
        guard let index = list.entries.firstIndex(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        list.entries.remove(at: index)
        try write(list)
    }

    // MARK: File

    func write(_ list: SeedList) throws {
        try key.confirm()
        let plain = try list.sealedForm()
        let sealed = try key.withKeys { try UnlockedVault(keys: $0).seal(secret: plain, Self.purpose) }
        // The first is made with the vault.
        let last = FileManager.default.fileExists(atPath: path) ? try knownFile() : nil
        try replace(last, by: Self.file(sealed, names: list.entries.map(\.name)), sealed)
    }

    /// The file that is there, as the vault knows it. No seed is opened.
    ///
    /// - Throws: `databaseDamaged` where it is missing, or another one than was written last.
    func knownFile() throws -> KnownFiles.SeedFile {
        try key.withKeys { _ in
            if let known = try knownFileNow() { return known }
            // Another process may have replaced it between the two looks.
            guard let known = try knownFileNow() else { throw SignerError.databaseDamaged(.olderSeeds) }
            return known
        }
    }

    private func knownFileNow() throws -> KnownFiles.SeedFile? {
        let digest = Self.digest(try sealed())
        return try key.knownFiles().seeds.first { $0.digest == digest }
    }

    /// What the vault notes of the file that is there, in one of the first schema.
    func unknownFile() throws -> KnownFiles.SeedFile { Self.file(try sealed(), names: try names()) }

    private static func file(_ sealed: [UInt8], names: [String]) -> KnownFiles.SeedFile {
        KnownFiles.SeedFile(digest: digest(sealed), names: names)
    }

    private static func digest(_ sealed: [UInt8]) -> [UInt8] { Blake2b.hash(sealed, size: 32) }

    private func replace(
        _ last: KnownFiles.SeedFile?, by next: KnownFiles.SeedFile, _ sealed: [UInt8]
    ) throws {
        try key.replacingSeeds(last, by: next) { try VaultFile(path).replace(with: sealed) }
    }

    private func read() throws -> SeedList {
        try key.confirm()
        let plain = try key.withKeys { keys in
            do { return try open(try sealed(), keys) } catch SignerError.vaultKey(.unknownEpoch) {
                // A rotation of another process was between the file and its key.
                key.engine.refresh()
                do { return try open(try sealed(), keys) } catch SignerError.vaultKey(.unknownEpoch(let epoch)) {
                    throw damaged("\(MainKeyError.unknownEpoch(epoch))")
                }
            }
        }
        guard let list = SeedList(sealedForm: plain) else { throw damaged("its content is malformed") }
        if isKnown, try knownFile().names != list.entries.map(\.name) { throw SignerError.databaseDamaged(.olderSeeds) }
        return list
    }

    private func sealed() throws -> [UInt8] {
        guard let sealed = try VaultFile(path).content(limit: Self.fileLimit) else { throw damaged("it is missing") }
        return sealed
    }

    private func open(_ sealed: [UInt8], _ keys: EpochKeys) throws -> SecretBytes {
        do throws(MainKeyError) { return try UnlockedVault(keys: keys).openSecret(sealed, Self.purpose) } catch {
            switch error {
            case .locked, .unknownEpoch: throw SignerError.vaultKey(error)
            default: throw damaged("\(error)")
            }
        }
    }

    private func damaged(_ reason: String) -> SignerError {
        .databaseDamaged(.file(path: path, reason: reason))
    }
}

/// The file of seeds, in a rotation: one value.
extension SealedSeeds: RotationPlace {
    var title: String { "seeds" }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) { (1, try self.epoch() == epoch ? 0 : 1) }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        guard try epoch() != vault.activeEpoch else { return }
        let plain = try open(try sealed(), vault.keys)
        let keys = vault.keys
        let renewed = try onKey {
            try UnlockedVault(keys: keys).seal(secret: plain, Self.purpose)
        }
        // What does not open as it was never takes the place of what does.
        guard try open(renewed, keys) == plain else { throw damaged("its content was sealed wrongly") }
        let last = try knownFile()
        try replace(last, by: Self.file(renewed, names: last.names), renewed)
        try done(1)
    }

    private func epoch() throws -> UInt32 {
        let sealed = try sealed()
        do throws(MainKeyError) { return try UnlockedVault.epoch(of: sealed) } catch { throw damaged("\(error)") }
    }
}
