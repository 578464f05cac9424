import CSodium
import SecretMemory

/// A recovery phrase (BIP-39, English), kept as its entropy alone.
///
///     let mnemonic = try Mnemonic.generate()
///     let seed = try mnemonic.miniSecret(password: nil)
public struct Mnemonic: Sendable {
    /// How many words a phrase may have.
    public static let wordCounts = [12, 15, 18, 21, 24]

    /// 16, 20, 24, 28 or 32 bytes.
    public let entropy: SecretBytes

    /// - Parameter entropy: 16, 20, 24, 28 or 32 bytes.
    public init(entropy: SecretBytes) throws(MnemonicError) {
        guard Self.wordCounts.contains(entropy.count * 3 / 4), entropy.count % 4 == 0 else {
            throw .badWordCount(entropy.count * 3 / 4)
        }
        self.entropy = entropy
    }

    /// A new phrase.
    ///
    /// - Parameters:
    ///   - wordCount: 12, 15, 18, 21 or 24.
    ///   - source: by default independent ones, mixed.
    public static func generate(
        wordCount: Int = 24, from source: any RandomSource = MixedRandom.standard
    ) throws(MnemonicError) -> Mnemonic {
        guard wordCounts.contains(wordCount) else { throw .badWordCount(wordCount) }
        return try Mnemonic(
            entropy: locked(.drawn(count: wordCount * 4 / 3, from: source)))
    }

    /// How many words it has.
    public var wordCount: Int { entropy.count * 3 / 4 }

    // MARK: Words

    /// Reads a phrase. Any white space separates words, also at the ends; letters are small.
    ///
    /// - Parameter phrase: UTF-8.
    public init(phrase: SecretBytes) throws(MnemonicError) {
        let indices = try Self.locked(SecretIndices(phrase: phrase))
        guard Self.wordCounts.contains(indices.count) else { throw .badWordCount(indices.count) }
        if let unknown = indices.unknown { throw .unknownWord(unknown) }
        entropy = try Self.locked(indices.entropy())
        guard try checksum() == indices.checksum else { throw .badChecksum }
    }

    /// The words, separated by single spaces, as UTF-8: to be written to a screen and forgotten.
    public func phrase() throws(MnemonicError) -> SecretBytes {
        let checksum = try checksum()
        return try Self.locked(words(checksum: checksum))
    }

    private func words(checksum: UInt8) throws(SecretMemoryError) -> SecretBytes {
        var length = 0
        let whole = try SecretBytes(count: 24 * (EnglishWords.longest + 1)) { output in
            entropy.withUnsafeBytes { entropy in
                for position in 0..<wordCount {
                    if position > 0 {
                        output[length] = 0x20
                        length += 1
                    }
                    for byte in EnglishWords.utf8[
                        Self.wordIndex(at: position, entropy: entropy, checksum: checksum)]
                    {
                        output[length] = byte
                        length += 1
                    }
                }
            }
        }
        return try whole.part(0..<length)
    }

    /// The eleven bits of word `position` in entropy and checksum, big-endian.
    private static func wordIndex(at position: Int, entropy: UnsafeRawBufferPointer, checksum: UInt8) -> Int {
        var index = 0
        for bit in position * 11..<position * 11 + 11 {
            let byte = bit / 8 < entropy.count ? entropy[bit / 8] : checksum
            index = index << 1 | Int(byte >> UInt8(7 - bit % 8) & 1)
        }
        return index
    }

    /// The first bits of SHA-256 of the entropy, one for each four bytes, in the high bits.
    private func checksum() throws(MnemonicError) -> UInt8 {
        let digest = try Self.locked(
            SecretBytes(count: 32) { output in
                entropy.withUnsafeBytes { _ = crypto_hash_sha256(output.asBytes, $0.asBytes, UInt64($0.count)) }
            })
        let bits = entropy.count / 4
        return digest.withUnsafeBytes { $0[0] } & ~(0xff >> UInt8(bits))
    }

    // MARK: Seeds

    /// What all Substrate schemes start from: PBKDF2 over the entropy, not the words (`substrate-crypto` section 7.2).
    ///
    /// - Parameter password: UTF-8, taken as it is; nil and empty are the same.
    /// - Returns: 64 bytes, of which the first 32 are the mini-secret.
    public func seed(password: SecretBytes?) throws(MnemonicError) -> SecretBytes {
        try Self.stretch(entropy, password: password)
    }

    /// The first 32 bytes of ``seed(password:)``.
    public func miniSecret(password: SecretBytes?) throws(MnemonicError) -> SecretBytes {
        let seed = try seed(password: password)
        return try Self.locked(seed.part(0..<32))
    }

    /// What BIP-39 wallets outside Substrate start from: PBKDF2 over the words (`substrate-crypto` section 7.3).
    /// Ethereum wallets and Ledger devices derive from it.
    ///
    /// - Parameter passphrase: UTF-8, normalised here (NFKD), so that it may be typed composed or decomposed; nil and
    ///   empty are the same. The time to normalise grows with the square of a run of combining marks: callers bound the
    ///   length.
    /// - Returns: 64 bytes.
    /// - Throws: ``MnemonicError/passphraseNotText`` for bytes that are no UTF-8.
    public func standardSeed(passphrase: SecretBytes?) throws(MnemonicError) -> SecretBytes {
        let normalised = try Self.locked(passphrase.flatMap(CompatibilityDecomposition.normalise))
        guard passphrase == nil || normalised != nil else { throw .passphraseNotText }
        // English words are ASCII, which is its own normal form.
        return try Self.stretch(try phrase(), password: normalised)
    }

    /// 2048 rounds of PBKDF2, salted with `mnemonic` and the password.
    private static func stretch(_ input: SecretBytes, password: SecretBytes?) throws(MnemonicError) -> SecretBytes {
        try locked(stretched(input, password: password))
    }

    private static func stretched(
        _ input: SecretBytes, password: SecretBytes?
    ) throws(SecretMemoryError) -> SecretBytes {
        let prefix = Array("mnemonic".utf8)
        let salt = try SecretBytes(count: prefix.count + (password?.count ?? 0)) { salt in
            salt.copyBytes(from: prefix)
            password?.withUnsafeBytes { password in
                for (index, byte) in password.enumerated() { salt[prefix.count + index] = byte }
            }
        }
        return try input.withUnsafeBytes { (input) throws(SecretMemoryError) in
            try salt.withUnsafeBytes { (salt) throws(SecretMemoryError) in
                try PBKDF2.sha512(password: input, salt: salt, rounds: 2048)
            }
        }
    }

    /// Runs what can only fail for lack of locked memory.
    private static func locked<R>(_ body: @autoclosure () throws(SecretMemoryError) -> R) throws(MnemonicError) -> R {
        do { return try body() } catch { throw .memory(error) }
    }
}

/// The words of a phrase while it is read: positions in the list, in locked memory.
private struct SecretIndices {
    /// Words found; more than 24 are counted and not kept.
    private(set) var count = 0
    /// Index of the first word that is not in the list.
    private(set) var unknown: Int?
    private let indices: SecretBytes

    init(phrase: SecretBytes) throws(SecretMemoryError) {
        var count = 0
        var unknown: Int?
        indices = try SecretBytes(count: 24 * 2) { output in
            phrase.withUnsafeBytes { bytes in
                WhiteSpace.forEachWord(of: bytes) { word in
                    defer { count += 1 }
                    guard count < 24 else { return }
                    guard let index = EnglishWords.index(of: word) else {
                        unknown = unknown ?? count
                        return
                    }
                    output.storeBytes(of: UInt16(index), toByteOffset: 2 * count, as: UInt16.self)
                }
            }
        }
        self.count = count
        self.unknown = unknown
    }

    /// The bits of all words without the checksum: four bytes for each three words.
    func entropy() throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: count / 3 * 4) { output in
            for bit in 0..<output.count * 8 where self.bit(bit) { output[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        }
    }

    /// The bits behind the entropy, in the high bits of a byte.
    var checksum: UInt8 {
        let start = count / 3 * 32
        return (0..<count / 3).reduce(0) { $0 | (bit(start + $1) ? 0x80 >> UInt8($1) : 0) }
    }

    private func bit(_ position: Int) -> Bool {
        indices.withUnsafeBytes { bytes in
            bytes.load(fromByteOffset: position / 11 * 2, as: UInt16.self) >> UInt16(10 - position % 11) & 1 == 1
        }
    }
}
