import BasicFoundation
import Files
import MainKey
import Substrate

extension Vault {
    /// Makes a vault. It appears in one step, when everything is in place. What a process that died in the middle of
    /// this left is removed first.
    ///
    /// - Parameters:
    ///   - folder: must not exist, or be empty.
    ///   - protections: each opens the vault.
    ///   - options: of its key; `MainKey.VaultOptions`.
    ///   - binding: makes the PIN open the vault only together with a validator's grant; nil binds it to none.
    ///   - isReleased: whether it never needs a validator's word, also where one is pinned later.
    ///   - network: what it lets pass of what a network detector finds; logged if that is anything.
    ///   - beforeItAppears: called when everything is in place but the vault's name; if it throws, there is no vault.
    /// - Returns: what the validator said, where it is bound.
    @discardableResult
    public static func create(
        in folder: URL, protections: [Protection], options: VaultOptions, bundle: NetworkBundle,
        opening: OpenOptions = OpenOptions(), binding: NewBinding? = nil, isReleased: Bool = false,
        network: NetworkAllowance = .strict,
        now: @escaping @Sendable () -> Date = { Date() }, beforeItAppears: () throws -> Void = {}
    ) throws -> Verdict.Account? {
        guard try !isPresent(in: folder) else { throw SignerError.vaultExists(folder: folder.path) }
        // No person is asked: it is unlocked as it is made.
        let unlocking = Unlocking(opening) { _ in throw SignerError.vaultKey(.locked) }
        let bound = try binding?.bind(protections, options.pinPolicy)
        let unfinished = try UnfinishedVault(of: folder, unlocking.options)
        defer { withExtendedLifetime(unfinished) {} }
        let building = unfinished.folder
        do {
            let engine = try onKey {
                try MainKeyVault.create(
                    at: VaultKey.folder(of: building).path, bound?.protections ?? protections, VaultKey.owned(options),
                    opening: unlocking.options)
            }
            do {
                let key = VaultKey(engine, unlocking)
                if let bound { try key.record.write(bound.record) }
                try key.write(
                    SealedMark(
                        validatorKeyID: bound?.account.validatorKeyID, isReleased: isReleased, isBound: bound != nil,
                        slot: key.pinWay()?.id))
                try key.write(KnownFiles())
                try fill(building, key: key, bundle: bundle, network: network, now: now)
                try beforeItAppears()
                // An empty folder of that name is replaced; anything else is not.
                try VaultFile(building.path).move(to: VaultFile(folder.path))
            } catch {
                // Also what was made for it in the TPM.
                _ = try? engine.wipe()
                throw error
            }
            engine.remember(inFolder: VaultKey.folder(of: folder).path)
            engine.lock()
            return bound?.account
        } catch {
            unfinished.remove()
            throw error
        }
    }

    private static func fill(
        _ folder: URL, key: VaultKey, bundle: NetworkBundle, network: NetworkAllowance, now: @Sendable () -> Date
    ) throws {
        try NetworkNote.file(in: folder).create()
        try SealedSeeds(path: seedsPath(folder), key: key).write(SeedList(entries: []))
        try ColdDatabase.create(at: databasePath(folder), key: key).write { trees in
            try trees.initialise(bundle)
            try network.write(to: trees)
            let choice = network == .strict ? [] : [network.entry]
            try HistoryLog.append(
                [.databaseInitiated, .generalVerifierSet(bundle.generalVerifier)] + choice, at: now(), to: trees)
        }
    }
}
