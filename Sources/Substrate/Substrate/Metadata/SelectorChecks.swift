/// The bytes that were met, kept without allocation.
package struct ByteSet {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package init() {}

    /// - Returns: whether `byte` was not in the set.
    mutating func insert(_ byte: UInt8) -> Bool {
        let bit: UInt64 = 1 << (byte & 63)
        return withUnsafeMutableBytes(of: &words) { bytes in
            let offset = Int(byte >> 6) * 8
            let word = bytes.load(fromByteOffset: offset, as: UInt64.self)
            bytes.storeBytes(of: word | bit, toByteOffset: offset, as: UInt64.self)
            return word & bit == 0
        }
    }
}

/// The names and selecting bytes of the pallets that were met.
package struct PalletSelectors {
    private var names: Set<String> = []
    private var indices = ByteSet()

    package init() {}

    fileprivate mutating func note(_ name: String, _ index: UInt8, at offset: Int) throws(MetadataFault) {
        guard indices.insert(index) else { throw .saidTwice(offset: offset, kind: "pallet index") }
        guard names.insert(name).inserted else { throw .saidTwice(offset: offset, kind: "pallet name") }
    }
}

/// What selects must select one: no runtime gives two pallets a number, and who reads the first of two and who reads
/// the last would see different transactions (`signer-wire` sections 4.2 and 4.3).
extension BlobCursor {
    /// The byte that selects a variant, which no earlier variant of its type has.
    package mutating func variantIndex(notIn earlier: inout ByteSet) throws(MetadataFault) -> UInt8 {
        let offset = position
        let index = try byte()
        guard earlier.insert(index) else { throw .saidTwice(offset: offset, kind: "variant index") }
        return index
    }

    /// The byte that selects the pallet called `name`; no earlier pallet has either.
    package mutating func palletIndex(
        of name: String, notIn earlier: inout PalletSelectors
    ) throws(MetadataFault) -> UInt8 {
        let offset = position
        let index = try byte()
        try earlier.note(name, index, at: offset)
        return index
    }
}
