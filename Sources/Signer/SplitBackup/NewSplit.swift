import SecretMemory
import TextForms

/// A split whose shares are given only after its passphrase was typed back.
///
///     let split = try NewSplit(of: phrase, title: "Cold vault", plan: .proposed)
///     // ... the passphrase is shown once, and written down ...
///     for share in try split.shares(confirming: typed) { show(share.text) }
///
/// Nothing of it is stored.
///
/// Source: `signer-product` section 10.2.
public struct NewSplit: Sendable {
    public let title: String
    public let plan: SplitPlan
    /// Words joined by hyphens, as UTF-8: to be written to a screen and forgotten.
    public let passphrase: SecretBytes
    private let shares: [BackupShare]

    /// Draws a passphrase and splits the secret. It takes a tenth of a second and 32 MiB.
    ///
    /// - Parameters:
    ///   - secret: a recovery phrase or another text, UTF-8, of at most 1,024 characters.
    ///   - title: 1 to 64 characters. It is in every share, in clear.
    ///   - wordCount: words of the passphrase, 4 to 6.
    ///   - source: by default independent ones, mixed.
    /// - Throws: ``ShareError/splitLimits(_:)``, ``ShareError/memory(_:)``.
    public init(
        of secret: SecretBytes, title: String, plan: SplitPlan, wordCount: Int = 4,
        from source: any RandomSource = MixedRandom.standard
    ) throws(ShareError) {
        guard 1...SplitPlan.longestTitle ~= title.unicodeScalars.count else { throw .splitLimits(.title) }
        guard Self.isText(secret) else { throw .splitLimits(.secret) }
        self.title = title
        self.plan = plan
        passphrase = try Passphrase.generate(wordCount: wordCount, from: source)
        do throws(SecretMemoryError) {
            shares = try BackupShare.split(secret, title: title, passphrase: passphrase, plan: plan, from: source)
        } catch {
            throw .memory(error)
        }
    }

    /// - Parameter typed: what the person typed, UTF-8; compared in a time that tells nothing.
    /// - Throws: ``ShareError/confirmationMismatch``.
    public func shares(confirming typed: SecretBytes) throws(ShareError) -> [BackupShare] {
        guard typed == passphrase else { throw .confirmationMismatch }
        return shares
    }

    private static func isText(_ secret: SecretBytes) -> Bool {
        secret.withUnsafeBytes { bytes in
            // Every character has one byte that does not go on with another.
            let characters = bytes.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : 1) }
            return 1...SplitPlan.longestSecret ~= characters && UTF8Check.isValid(bytes)
        }
    }
}
