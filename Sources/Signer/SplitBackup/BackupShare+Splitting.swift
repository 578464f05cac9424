import SecretMemory

extension BackupShare {
    /// Splits any text.
    ///
    /// - Parameters:
    ///   - secret: UTF-8.
    ///   - title: travels in clear with each share.
    ///   - passphrase: UTF-8.
    ///   - source: by default independent ones, mixed.
    /// - Returns: the shares, from number 1.
    static func split(
        _ secret: SecretBytes, title: String, passphrase: SecretBytes, plan: SplitPlan,
        from source: any RandomSource = MixedRandom.standard
    ) throws(SecretMemoryError) -> [BackupShare] {
        let nonce = try SecretBytes.drawn(count: BackupCipher.nonceSize, from: source)
        let plain = try padded(
            secret, by: BackupCipher(passphrase: passphrase, title: title), nonce: nonce.withUnsafeBytes { Array($0) })
        return shares(
            of: plain, title: title, plan: plan, nonce: nonce.withUnsafeBytes { Array($0) },
            coefficients: try .drawn(count: plain.count * (plan.required - 1), from: source))
    }

    /// Zeros up to a multiple of seven bytes, the marker, and the encrypted secret.
    ///
    /// - Parameter nonce: 24 bytes, never used twice with one passphrase.
    package static func padded(
        _ secret: SecretBytes, by cipher: BackupCipher, nonce: [UInt8]
    ) throws(SecretMemoryError) -> SecretBytes {
        let sealedCount = secret.count + BackupCipher.tagSize
        let zeros = 7 - (sealedCount + 1) % 7
        return try SecretBytes(count: zeros + 1 + sealedCount) { plain in
            plain[zeros] = 1
            cipher.seal(secret, nonce: nonce, into: UnsafeMutableRawBufferPointer(rebasing: plain[(zeros + 1)...]))
        }
    }

    /// - Parameters:
    ///   - plain: the values of the polynomials at 0, an element in each byte.
    ///   - coefficients: of the first power for every element, then of the second, up to one less than `required`. They
    ///     must be as good as random.
    package static func shares(
        of plain: SecretBytes, title: String, plan: SplitPlan, nonce: [UInt8], coefficients: SecretBytes
    ) -> [BackupShare] {
        precondition(coefficients.count == plain.count * (plan.required - 1), "one coefficient for each power")
        return plain.withUnsafeBytes { plain in
            coefficients.withUnsafeBytes { coefficients in
                (1...UInt32(plan.total)).map { number in
                    let content = plain.indices.map { index in
                        var value: UInt32 = 0
                        for power in (0..<plan.required - 1).reversed() {
                            value ^= UInt32(coefficients[power * plain.count + index])
                            value = GaloisField.ofBytes.product(of: value, by: number)
                        }
                        return UInt8(truncatingIfNeeded: value) ^ plain[index]
                    }
                    return BackupShare(
                        version: .base64, title: title, required: plan.required, number: number, nonce: nonce,
                        field: .ofBytes, content: content)
                }
            }
        }
    }
}
