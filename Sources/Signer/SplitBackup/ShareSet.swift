import SecretMemory
import TextForms

/// Shares of one split, as they are scanned one by one.
///
///     var set = try ShareSet(BackupShare(reading: firstCode))
///     while !set.isComplete { try set.add(BackupShare(reading: nextCode)) }
///     let phrase = try set.recover(passphrase: typed)
///
/// The first share says which further ones belong to it. A share that is refused changes nothing.
///
/// Source: `signer-product` section 10.3.
public struct ShareSet: Sendable {
    /// How often a passphrase may be tried before the shares have to be scanned again.
    public static let attempts = 3

    private let first: BackupShare
    private let nonce: [UInt8]
    private var shares: [BackupShare]

    /// How many passphrases may still be tried.
    public private(set) var attemptsLeft = attempts

    /// Begins a set.
    ///
    /// - Throws: ``ShareError/nonceNotSupported``.
    public init(_ first: BackupShare) throws(ShareError) {
        guard let nonce = first.nonce, nonce.count == BackupCipher.nonceSize else { throw .nonceNotSupported }
        self.first = first
        self.nonce = nonce
        shares = [first]
    }

    /// What the split was named: a proposal for the name of the seed.
    public var title: String { first.title }
    /// How many shares there are.
    public var count: Int { shares.count }
    /// How many shares it takes.
    public var required: Int { first.required }
    public var isComplete: Bool { count == required }
    /// The numbers of the shares that are there, in the order in which they came.
    public var numbers: [UInt32] { shares.map(\.number) }

    /// Takes a further share.
    ///
    /// - Throws: what is different about the share, or ``ShareError/shareAlreadyInSet(number:)`` or
    ///   ``ShareError/shareSetComplete``.
    public mutating func add(_ share: BackupShare) throws(ShareError) {
        guard share.version == first.version else { throw .shareVersionDifferent }
        guard share.hasTitle(of: first) else { throw .shareTitleDifferent }
        guard share.required == first.required else { throw .shareRequiredShardsDifferent }
        guard share.nonce == nonce else { throw .shareNonceDifferent }
        guard share.field == first.field else { throw .shareBitsDifferent }
        guard share.content.count == first.content.count else { throw .shareContentLengthDifferent }
        guard !numbers.contains(share.number) else { throw .shareAlreadyInSet(number: share.number) }
        guard attemptsLeft > 0 else { throw .decodingFailed(attemptsLeft: 0) }
        guard !isComplete else { throw .shareSetComplete }
        shares.append(share)
    }

    /// Combines the shares and decrypts the secret.
    ///
    /// After the third wrong passphrase the shares are dropped, and every further call fails alike. It takes a tenth of
    /// a second and 32 MiB.
    ///
    /// - Parameter passphrase: UTF-8.
    /// - Returns: the text that was split, as UTF-8.
    /// - Throws: ``ShareError/shareSetIncomplete(have:need:)``, ``ShareError/decodingFailed(attemptsLeft:)``,
    ///   ``ShareError/memory(_:)``.
    public mutating func recover(passphrase: SecretBytes) throws(ShareError) -> SecretBytes {
        guard attemptsLeft > 0 else { throw .decodingFailed(attemptsLeft: 0) }
        guard isComplete else { throw .shareSetIncomplete(have: count, need: required) }
        let secret: SecretBytes?
        do throws(SecretMemoryError) { secret = try open(with: passphrase) } catch { throw .memory(error) }
        guard let secret, secret.withUnsafeBytes({ UTF8Check.isValid($0) }) else {
            attemptsLeft -= 1
            if attemptsLeft == 0 { shares = [] }
            throw .decodingFailed(attemptsLeft: attemptsLeft)
        }
        return secret
    }

    /// ``recover(passphrase:)`` where nothing but a recovery phrase is of use.
    ///
    /// - Parameter isPhrase: whether the text is one.
    /// - Throws: ``ShareError/invalidMnemonic`` as well.
    public mutating func recover(
        passphrase: SecretBytes, where isPhrase: (SecretBytes) -> Bool
    ) throws(ShareError) -> SecretBytes {
        let secret = try recover(passphrase: passphrase)
        guard isPhrase(secret) else { throw .invalidMnemonic }
        return secret
    }

    private func open(with passphrase: SecretBytes) throws(SecretMemoryError) -> SecretBytes? {
        let cipher = try BackupCipher(passphrase: passphrase, title: title)
        guard let sealed = try ShareCombination(of: shares, in: first.field).bytes() else { return nil }
        return try sealed.withUnsafeBytes { (sealed) throws(SecretMemoryError) in
            try cipher.open(sealed, nonce: nonce)
        }
    }
}
