/// Addresses with a common beginning, written as `address/bits` or as one address.
struct AddressRange: Hashable, Sendable {
    /// The first address of the range.
    let base: IPAddress
    /// How many leading bits of the IPv6 form its addresses share.
    let prefixBits: Int

    /// Returns nil for anything but an address, and for one with bits set behind the prefix.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let base = IPAddress(first) else { return nil }
        let isDotted = !first.utf8.contains(UInt8(ascii: ":"))
        var bits = isDotted ? 32 : 128
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, let number = ASCIIText.number(parts[1]), number <= bits else { return nil }
            bits = number
        }
        prefixBits = isDotted ? bits + 96 : bits
        self.base = base
        let (high, low) = Self.mask(prefixBits)
        guard base.high & ~high == 0, base.low & ~low == 0 else { return nil }
    }

    /// Whether it holds all addresses of a family.
    var isEverybody: Bool { prefixBits == (base.isIPv4 ? 96 : 0) }

    /// A range of IPv6 holds no IPv4 address, unless it is written as a range of mapped ones.
    func contains(_ address: IPAddress) -> Bool {
        guard address.isIPv4 == (base.isIPv4 && prefixBits >= 96) else { return false }
        let (high, low) = Self.mask(prefixBits)
        return (address.high ^ base.high) & high == 0 && (address.low ^ base.low) & low == 0
    }

    private static func mask(_ bits: Int) -> (high: UInt64, low: UInt64) {
        // A shift by 64 or more gives 0.
        (~0 << UInt64(max(0, 64 - bits)), ~0 << UInt64(min(64, 128 - bits)))
    }
}

extension AddressRange: CustomStringConvertible {
    var description: String { "\(base)/\(base.isIPv4 && prefixBits >= 96 ? prefixBits - 96 : prefixBits)" }
}

/// The proxies whose word about a client's address counts.
struct AddressSet: Hashable, Sendable {
    let ranges: [AddressRange]

    init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}
