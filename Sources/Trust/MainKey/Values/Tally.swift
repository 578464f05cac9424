/// What many rows amount to: how many they are, and the sum of a code for each modulo 2²⁵⁶. A change of one row costs
/// one subtraction and one addition, in whatever order.
///
/// ## Why no other rows amount to the same
/// Without the key the codes cannot be told from values drawn at random, one for each row that there could be. Another
/// content differs from the written one by rows that are missing (one code subtracted each), rows that were added (one
/// added), or both, where a row of before was put back or rows exchanged their values: that is a row missing and
/// another one there. Such a difference of at least one random value is 0 modulo 2²⁵⁶ with probability 2⁻²⁵⁶, however
/// the rows were chosen, and the sums give no hint as long as they are sealed. (This is MSet-Add-Hash of Clarke et al.,
/// ASIACRYPT 2003, for sets, with the sum kept secret. Without a secret key, or with known sums of chosen rows, 256
/// bits would be too few: Wagner's generalised birthday.)
package struct Tally: Hashable, Sendable {
    package private(set) var count: UInt64
    /// The least significant word first.
    package private(set) var sum: SIMD4<UInt64>

    package init(count: UInt64 = 0, sum: SIMD4<UInt64> = SIMD4()) {
        self.count = count
        self.sum = sum
    }

    package mutating func add(_ code: RowCode) {
        count &+= 1
        add(code.words, carry: 0)
    }

    /// The count wraps around like the sum: rows that were never counted leave both wrong, which is what they are for.
    package mutating func subtract(_ code: RowCode) {
        count &-= 1
        // -x is ~x + 1.
        add(~code.words, carry: 1)
    }

    private mutating func add(_ words: SIMD4<UInt64>, carry: UInt64) {
        var carry = carry
        for index in sum.indices {
            let (partial, first) = sum[index].addingReportingOverflow(words[index])
            let (word, second) = partial.addingReportingOverflow(carry)
            sum[index] = word
            carry = first || second ? 1 : 0
        }
    }
}

/// What one row adds to a ``Tally``: 256 bits that only the vault's key gives.
package struct RowCode: Hashable, Sendable {
    fileprivate let words: SIMD4<UInt64>

    /// - Parameter bytes: 32, the least significant first.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32, "a code has 32 bytes")
        var words = SIMD4<UInt64>()
        bytes.withUnsafeBytes { bytes in
            for index in words.indices {
                words[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
            }
        }
        self.words = words
    }
}
