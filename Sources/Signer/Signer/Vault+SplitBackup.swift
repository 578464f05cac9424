import SecretMemory
import SplitBackup
import Substrate

/// A stored phrase that is split, whose shares are not given yet. Nothing of it is stored.
///
/// Source: `signer-product` section 10.2.
public struct SeedSplit: Sendable {
    /// The seed that was split.
    public let seedName: String
    fileprivate let split: NewSplit

    /// What is in every share, in clear.
    public var title: String { split.title }
    /// How many shares there are, and how many recover the seed.
    public var plan: SplitPlan { split.plan }
    /// Words joined by hyphens, as UTF-8: to be shown once.
    public var passphrase: SecretBytes { split.passphrase }

    /// Compares what a person typed back.
    ///
    /// - Throws: `ShareError.confirmationMismatch`.
    package func confirm(_ typed: SecretBytes) throws { _ = try split.shares(confirming: typed) }
}

extension Vault {
    /// Splits a stored phrase under a new passphrase. Its shares are given by ``shares(of:confirming:)``.
    ///
    /// - Parameters:
    ///   - name: of the seed.
    ///   - title: 1 to 64 characters that are in every share, in clear; nil for the seed's name, as far as it fits.
    ///   - plan: how many shares, and how many of them recover it.
    ///   - wordCount: words of the passphrase, 4 to 6.
    ///   - source: of the passphrase and the shares.
    /// - Throws: ``SignerError``, `ShareError`.
    public func split(
        seed name: String, title: String? = nil, plan: SplitPlan, wordCount: Int = 4,
        from source: any RandomSource = MixedRandom.standard
    ) throws -> SeedSplit {
        let mnemonic = try seeds.mnemonic(named: name)
        try key?.confirmVouched()
        let phrase: SecretBytes
        do throws(MnemonicError) { phrase = try mnemonic.phrase() } catch { throw SignerError.invalidMnemonic(error) }
        return SeedSplit(
            seedName: name,
            split: try NewSplit(
                of: phrase, title: title ?? SplitPlan.title(for: name), plan: plan, wordCount: wordCount, from: source))
    }

    /// The shares, for who has typed the passphrase back. The log says that they were made before they are given.
    ///
    /// - Parameters:
    ///   - split: of this vault.
    ///   - typed: the passphrase as the person typed it, UTF-8.
    /// - Throws: `ShareError.confirmationMismatch`, ``SignerError``.
    public func shares(of split: SeedSplit, confirming typed: SecretBytes) throws -> [BackupShare] {
        let shares = try split.split.shares(confirming: typed)
        let event = Event.systemEntry(
            "seed \(split.seedName) was split: \(split.plan.required) of \(split.plan.total) shares recover it")
        try database.write { try HistoryLog.append([event], at: now(), to: $0) }
        return shares
    }

    /// Stores the phrase that a complete set of shares holds.
    ///
    /// - Parameters:
    ///   - name: for the seed; the title of the set is a proposal.
    ///   - set: counts the wrong passphrases.
    ///   - passphrase: UTF-8.
    ///   - withRoots: puts the key of the seed itself into every network too.
    /// - Throws: `ShareError`, with `decodingFailed` for a wrong passphrase and `invalidMnemonic` for a text that is no
    ///   phrase; ``SignerError/seedAlreadyExists(name:)`` also where the name is taken by the seed itself.
    public func recoverSeed(
        named name: String, from set: inout ShareSet, passphrase: SecretBytes, withRoots: Bool = false
    ) throws {
        let phrase = try set.recover(passphrase: passphrase) { (try? Mnemonic(phrase: $0)) != nil }
        if let stored = try nameOfSeed(phrase) { throw SignerError.seedAlreadyExists(name: stored) }
        try addSeed(Mnemonic(phrase: phrase), named: name, withRoots: withRoots)
    }

    /// The seed whose phrase this is; nil where it is not here.
    private func nameOfSeed(_ phrase: SecretBytes) throws -> String? {
        let mnemonic: Mnemonic
        do throws(MnemonicError) { mnemonic = try Mnemonic(phrase: phrase) } catch {
            throw SignerError.invalidMnemonic(error)
        }
        let root = try Self.derive(mnemonic, path: .root, password: nil, scheme: .sr25519)
        return try database.read { try $0.key(root.multiSigner) }?.details.seedName
    }
}
