import SecretMemory

/// Interpolates the elements of shares at 0, and reads what was put there.
///
/// The content of a share is one row of bits; its elements are cut from the end, so that the first one may be shorter.
///
/// Source: `signer-product` section 10.3.
package struct ShareCombination {
    private let shares: [BackupShare]
    private let field: GaloisField
    private let elementCount: Int

    /// - Parameter shares: at least one, of one length and with different numbers.
    package init(of shares: [BackupShare], in field: GaloisField) {
        self.shares = shares
        self.field = field
        elementCount = (shares[0].content.count * 8 + field.bits - 1) / field.bits
    }

    /// What follows the marker, the first one-bit of the elements.
    ///
    /// - Returns: nil if there is no marker, or not whole bytes after it.
    package func bytes() throws(SecretMemoryError) -> SecretBytes? {
        let elements = try elements()
        return try elements.withUnsafeBytes { (memory) throws(SecretMemoryError) in
            let elements = memory.bindMemory(to: UInt32.self)
            let bitCount = elementCount * field.bits
            guard let marker = (0..<bitCount).first(where: { bit(at: $0, of: elements) == 1 }) else { return nil }
            let rest = bitCount - marker - 1
            guard rest % 8 == 0 else { return nil }
            return try SecretBytes(count: rest / 8) { bytes in
                for position in 0..<rest {
                    bytes[position / 8] |= bit(at: marker + 1 + position, of: elements) << UInt8(7 - position % 8)
                }
            }
        }
    }

    /// The values of the polynomials at 0, each a UInt32.
    private func elements() throws(SecretMemoryError) -> SecretBytes {
        let weights = field.weightsAtZero(of: shares.map(\.number))
        return try SecretBytes(count: elementCount * MemoryLayout<UInt32>.stride) { memory in
            let sums = memory.bindMemory(to: UInt32.self)
            for (share, weight) in zip(shares, weights) {
                for index in 0..<elementCount {
                    sums[index] ^= field.product(of: element(at: index, of: share.content), by: weight)
                }
            }
        }
    }

    private func element(at index: Int, of content: [UInt8]) -> UInt32 {
        let end = content.count * 8 - (elementCount - 1 - index) * field.bits
        var element: UInt32 = 0
        for position in max(0, end - field.bits)..<end {
            element = element << 1 | UInt32(content[position / 8] >> UInt8(7 - position % 8) & 1)
        }
        return element
    }

    private func bit(at position: Int, of elements: UnsafeBufferPointer<UInt32>) -> UInt8 {
        let shift = UInt32(field.bits - 1 - position % field.bits)
        return UInt8(truncatingIfNeeded: elements[position / field.bits] >> shift & 1)
    }
}
