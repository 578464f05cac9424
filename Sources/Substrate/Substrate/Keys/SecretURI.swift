import SecretMemory
import TextForms

/// A secret URI: phrase or seed, path, password (`substrate-crypto` section 8).
///
/// What is missing stays nil: nothing is replaced by the development phrase here.
public struct SecretURI: Sendable {
    /// The phrase or `0x…` seed as UTF-8, or nil if the text begins with a path.
    public let phrase: SecretBytes?
    /// Junctions between the phrase and the password, hard (`//`) and soft (`/`).
    public let path: DerivationPath
    /// The text behind `///`, which may be empty; nil without it.
    public let password: SecretBytes?

    /// - Parameter text: UTF-8.
    public init(parsing text: SecretBytes) throws(SURIError) {
        // Junctions are public and are collected first; the secret parts are copied out by their ranges.
        let parts = try text.withUnsafeBytes { (bytes) throws(SURIError) in try Self.split(bytes) }
        path = DerivationPath(junctions: parts.junctions)
        do throws(SecretMemoryError) {
            phrase = try Self.copy(parts.phrase, of: text)
            password = try Self.copy(parts.password, of: text)
        } catch {
            throw .memory(error)
        }
    }

    private struct Parts {
        var phrase: Range<Int>?
        var junctions: [Junction] = []
        var password: Range<Int>?
    }

    private static func split(_ bytes: UnsafeRawBufferPointer) throws(SURIError) -> Parts {
        var parts = Parts()
        let phraseEnd = bytes.firstIndex { !isPhraseByte($0) } ?? bytes.count
        if phraseEnd > 0 { parts.phrase = 0..<phraseEnd }
        var position = phraseEnd
        while position < bytes.count {
            let rest = bytes[position...]
            guard rest.first == DerivationPath.slash else {
                throw parts.password == nil ? .invalidCharacterInPhrase : .invalidCharacterInPassword
            }
            if rest.starts(with: [DerivationPath.slash, DerivationPath.slash, DerivationPath.slash]) {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                parts.password = position + 3..<end
                position = end
                guard end == bytes.count else { throw .invalidCharacterInPassword }
            } else {
                // Up to the next slash behind the code: all of it public.
                let lead = rest.starts(with: [DerivationPath.slash, DerivationPath.slash]) ? 2 : 1
                let end = rest.dropFirst(lead).firstIndex(of: DerivationPath.slash) ?? bytes.count
                var step = Array(bytes[position..<end])[...]
                parts.junctions.append(try DerivationPath.junction(from: &step))
                position = end
            }
        }
        return parts
    }

    private static func isPhraseByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    private static func copy(
        _ range: Range<Int>?, of text: SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes? {
        guard let range else { return nil }
        return try text.withUnsafeBytes { (bytes) throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    // MARK: Root

    /// The 32 bytes that the path starts from.
    ///
    /// - Parameters:
    ///   - phrase: takes the place of a missing phrase; nil refuses one.
    ///   - passwordOverride: takes the place of the password in the text, also when empty.
    public func miniSecret(
        defaultPhrase: SecretBytes? = nil, passwordOverride: SecretBytes? = nil
    ) throws(SURIError) -> SecretBytes {
        guard let root = phrase ?? defaultPhrase else { throw .invalidPhrase(.badWordCount(0)) }
        if root.withUnsafeBytes({ $0.starts(with: [0x30, 0x78]) }) { return try Self.seed(fromHex: root) }
        do {
            return try Mnemonic(phrase: root).miniSecret(password: passwordOverride ?? password)
        } catch { throw .invalidPhrase(error) }
    }

    private static func seed(fromHex text: SecretBytes) throws(SURIError) -> SecretBytes {
        guard text.count == 66 else { throw .invalidSeed }
        var valid = true
        let seed: SecretBytes
        do throws(SecretMemoryError) {
            seed = try SecretBytes(count: 32) { output in
                text.withUnsafeBytes { digits in
                    for index in 0..<64 {
                        let value = Hex.value(digits[index + 2])
                        valid = valid && value != nil
                        output[index / 2] = output[index / 2] << 4 | (value ?? 0)
                    }
                }
            }
        } catch {
            throw .memory(error)
        }
        guard valid else { throw .invalidSeed }
        return seed
    }

    // MARK: Ethereum wallets

    /// The path of the form `<phrase>/m/44'/60'/0'/0/0`, which stands for a path of BIP-32 in the scheme
    /// `ethereum-bip44` and in no other: elsewhere `/m` is a soft junction (`substrate-crypto` section 9.4).
    ///
    /// - Returns: the default path for a text without path.
    public func bip32Path() throws(BIP32PathError) -> BIP32Path {
        guard !path.junctions.isEmpty else { return .ethereum(account: 0) }
        return try BIP32Path(parsing: String("\(path)".dropFirst()))
    }

    /// The 64 bytes that a path of BIP-32 starts from, with the password as passphrase.
    ///
    /// - Throws: ``SURIError/invalidPhrase(_:)``, also for a missing phrase and for a seed in hex.
    public func standardSeed() throws(SURIError) -> SecretBytes {
        guard let phrase else { throw .invalidPhrase(.badWordCount(0)) }
        do { return try Mnemonic(phrase: phrase).standardSeed(passphrase: password) } catch {
            throw .invalidPhrase(error)
        }
    }
}
