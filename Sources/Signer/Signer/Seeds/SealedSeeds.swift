import MainKey
import SecretMemory
import Substrate

/// Seeds in one file, sealed under the vault's MainKey. Every use takes that a person opened the vault.
struct SealedSeeds: SeedVault {
    /// Bytes of the file at the most: thousands of seeds.
    private static let fileLimit = 1 << 20
    private static let purpose = SealedPurpose.app("seeds")

    let path: String
    let key: VaultKey

    func names() throws -> [String] { try read().entries.map(\.name) }

    func mnemonic(named name: String) throws -> Mnemonic {
        guard let entry = try read().entries.first(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        return entry.mnemonic
    }

    func add(_ mnemonic: Mnemonic, named name: String) throws {
        var list = try read()
        guard !list.entries.contains(where: { $0.name == name }) else { throw SignerError.seedNameTaken(name: name) }
        if let same = list.entries.first(where: { $0.mnemonic.entropy == mnemonic.entropy }) {
            throw SignerError.seedAlreadyExists(name: same.name)
        }
        list.entries.append(SeedList.Entry(name: name, mnemonic: mnemonic))
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
        try AtomicFile.replace(path, with: sealed)
    }

    private func read() throws -> SeedList {
        try key.confirm()
        guard let sealed = try AtomicFile.read(path, limit: Self.fileLimit) else { throw damaged("it is missing") }
        let plain = try key.withKeys { keys throws in
            do throws(MainKeyError) { return try UnlockedVault(keys: keys).openSecret(sealed, Self.purpose) } catch {
                guard error != .locked else { throw SignerError.vaultKey(.locked) }
                throw damaged("\(error)")
            }
        }
        guard let list = SeedList(sealedForm: plain) else { throw damaged("its content is malformed") }
        return list
    }

    private func damaged(_ reason: String) -> SignerError {
        .databaseDamaged(.file(path: path, reason: reason))
    }
}
