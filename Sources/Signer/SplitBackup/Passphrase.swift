import SecretMemory

/// Makes passphrases of words from a list of 7,776, of which each is worth 12.9 bits.
///
/// Source: `signer-product` section 10.2.
public enum Passphrase {
    /// Four words are worth 51.7 bits, which scrypt makes dear to try.
    public static let wordCounts = 4...6

    /// Draws words, each alike likely, and joins them by hyphens.
    ///
    /// - Parameter source: by default independent ones, mixed.
    /// - Returns: UTF-8.
    /// - Throws: ``ShareError/splitLimits(_:)`` for another number of words, ``ShareError/memory(_:)``.
    public static func generate(
        wordCount: Int = 4, from source: any RandomSource = MixedRandom.standard
    ) throws(ShareError) -> SecretBytes {
        guard wordCounts ~= wordCount else { throw .splitLimits(.passphraseWords(wordCount)) }
        do throws(SecretMemoryError) {
            return try joined(indices(count: wordCount, from: source), count: wordCount)
        } catch {
            throw .memory(error)
        }
    }

    /// - Returns: a UInt16 for each word.
    private static func indices(count: Int, from source: any RandomSource) throws(SecretMemoryError) -> SecretBytes {
        let wordTotal = UInt16(PassphraseWords.count)
        // The largest multiple of the list's length: what lies above would make the first words likelier.
        let limit = UInt16.max / wordTotal * wordTotal
        while true {
            // One draw in twenty is too large: of sixteen, six are all but never missing.
            let draws = try SecretBytes.drawn(count: 16 * MemoryLayout<UInt16>.size, from: source)
            var found = 0
            let indices = try SecretBytes(count: count * MemoryLayout<UInt16>.size) { indices in
                draws.withUnsafeBytes { draws in
                    for draw in draws.bindMemory(to: UInt16.self) where draw < limit && found < count {
                        indices.storeBytes(of: draw % wordTotal, toByteOffset: 2 * found, as: UInt16.self)
                        found += 1
                    }
                }
            }
            if found == count { return indices }
        }
    }

    private static func joined(_ indices: SecretBytes, count: Int) throws(SecretMemoryError) -> SecretBytes {
        var length = 0
        let whole = try SecretBytes(count: count * (PassphraseWords.longest + 1)) { output in
            indices.withUnsafeBytes { indices in
                for index in indices.bindMemory(to: UInt16.self) {
                    if length > 0 {
                        output[length] = UInt8(ascii: "-")
                        length += 1
                    }
                    for byte in PassphraseWords.utf8[Int(index)] {
                        output[length] = byte
                        length += 1
                    }
                }
            }
        }
        return try whole.part(0..<length)
    }
}
